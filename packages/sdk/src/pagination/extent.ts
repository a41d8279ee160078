import { unitOf, type PageResult, type Unit } from './page-result.ts'
import type { ResultVersion } from './result-version.ts'

/** What pages and their counts say about the whole result, over all passes. */
export const createExtent = () => {
  let unit: Unit | undefined
  let isUndercounted = false
  /** Whether pages have shown more transactions than the total: it counts users. */
  let totalCountsUsers = false
  /** Whether a summary has counted more than its page has: it is not one of the page only. */
  let coversMore = false
  /** A page with as many transactions as fit, and fewer users: of pages of users, only the last one can be so. */
  let lastOfUsers = Infinity

  /** A version, with its summary only where that covers more than the page and one of its counts equals the total. */
  const believed = ({ total, summary }: ResultVersion): ResultVersion => {
    const isBelieved = coversMore && (summary?.totalTransactions === total || summary?.uniqueUsers === total)
    return { total, summary: isBelieved ? summary : undefined }
  }
  /** How many results a version has, in what pages count where known. The total is believed as long as it can be. */
  const sizeOf = (version: ResultVersion): number => {
    const { total, summary } = believed(version)
    if (!summary) return total
    if (unit === 'group') return summary.uniqueUsers
    return totalCountsUsers ? summary.totalTransactions : total
  }
  return {
    /** What pages count; undefined as long as no page has shown it. */
    get unit(): Unit | undefined {
      return unit
    },
    /** Whether there is more than the service counts: its counts then do not show every change. */
    get isUndercounted(): boolean {
      return isUndercounted
    },
    /** Records a page that has results, and whether the result has changed since the page before. */
    add(page: PageResult<unknown>, isChanged: boolean): void {
      const { groups, count, limit, version } = page
      const { totalTransactions = count, uniqueUsers = groups.length } = version?.summary ?? {}
      coversMore ||= totalTransactions > count && uniqueUsers >= groups.length
      if (page.page === lastOfUsers + 1 && !isChanged) unit ??= 'transaction'
      lastOfUsers = count === limit && groups.length < limit ? page.page : Infinity
      unit ??= unitOf({ ...page, version: version && believed(version) })
      if (!version) return
      const seen = (page.page - 1) * limit + (unit === 'transaction' ? count : groups.length)
      const most = believed(version).summary?.totalTransactions ?? 0
      if (unit !== 'group' && seen > version.total && seen <= most) {
        unit = 'transaction' // pages of users would have ended before
        totalCountsUsers = true
      }
      isUndercounted ||= totalTransactions < count || uniqueUsers < groups.length || seen > sizeOf(version)
    },
    believed,
    sizeOf,
    /** Number of the last page according to a response. */
    lastPage({ version, limit, lastPage: stated }: PageResult<unknown>): number {
      if (!version || limit < 1) return stated
      const size = sizeOf(version)
      return size === version.total ? stated : Math.ceil(size / limit)
    },
    /** Whether a page has as many results as fit on it. */
    isFull: ({ groups, count, limit }: PageResult<unknown>): boolean =>
      groups.length >= limit || (unit !== 'group' && count === limit),
    /** Whether it has more, whatever it counts. */
    isOverfull: ({ groups, count, limit }: PageResult<unknown>): boolean =>
      (unit === 'transaction' ? count : groups.length) > limit,
  }
}
export type Extent = ReturnType<typeof createExtent>
