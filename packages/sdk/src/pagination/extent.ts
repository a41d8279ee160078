import { unitOf, type PageResult, type Unit } from './page-result.ts'
import type { ResultVersion } from './result-version.ts'

/** What pages and their counts say about the whole result, over all passes. */
export const createExtent = () => {
  let unit: Unit | undefined
  let isUndercounted = false
  /** Whether pages have shown more transactions than the total: it counts users. */
  let totalCountsUsers = false
  /** A page with as many transactions as fit, and fewer users: of pages of users, only the last one can be so. */
  let lastOfUsers = Infinity

  /**
   * How many results a version has, in what pages count where that is known. That the number of users in a summary equals
   * the total may be chance: the total is believed as long as it can be.
   */
  const sizeOf = ({ total, summary }: ResultVersion): number => {
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
      if (page.page === lastOfUsers + 1 && !isChanged) unit ??= 'transaction'
      lastOfUsers = count === limit && groups.length < limit ? page.page : Infinity
      unit ??= unitOf(page)
      if (!version) return
      const seen = (page.page - 1) * limit + (unit === 'transaction' ? count : groups.length)
      if (unit !== 'group' && version.summary && seen > version.total && seen <= version.summary.totalTransactions) {
        unit = 'transaction' // pages of users would have ended before
        totalCountsUsers = true
      }
      isUndercounted ||= version.isTooSmall || seen > sizeOf(version)
    },
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
