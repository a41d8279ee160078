import { identityOf, unitOf, type PageResult, type Unit } from './page-result.ts'
import type { ResultVersion } from './result-version.ts'

/** Where a result ends: what responses say about it, compared with what was on the pages. */
export interface Extent {
  /** Records a page. */
  readonly add: (page: PageResult<unknown>) => void
  /** Number of the last page according to a response, in what pages count where that is known. */
  readonly lastPage: (page: PageResult<unknown>) => number
  /** Whether an empty page, or none, contradicts the totals: they say that it has results. */
  readonly isContradicted: (page: PageResult<unknown>) => boolean
  /** Whether a page has more results than fit on it, whatever it counts. To be asked after `add`. */
  readonly isOverfull: (page: PageResult<unknown>) => boolean
  /** Whether a page has the same transactions as the one before it or the first one. */
  readonly isRepeated: (page: PageResult<unknown>) => boolean
  /** Whether a page is the last one; to be asked once for each page, after `add`. */
  readonly isLast: (page: PageResult<unknown>) => boolean
}

/** Empty pages in a row after which the result has ended, whatever the totals say. */
const maxEmptyPages = 3

/**
 * How many results a version has, in what pages count. `total` may count the other, and a summary that is believed has
 * both; but that its number of users equals the total may be chance as long as no more `transactions` were seen.
 */
export const sizeOf = ({ total, summary }: ResultVersion, unit: Unit | undefined, transactions: number): number => {
  if (!unit || !summary) return total
  if (unit === 'group') return summary.uniqueUsers
  return transactions > total ? summary.totalTransactions : total
}

const idsOf = ({ entries }: PageResult<unknown>) => entries.map(identityOf).toSorted().join()

export const createExtent = (first: number): Extent => {
  let unit: Unit | undefined
  let transactions = 0
  let users = 0
  let emptyPages = 0
  let firstPage: PageResult<unknown> | undefined
  let previous: PageResult<unknown> | undefined
  let isUnchanged = true

  const skipped = () => (first - 1) * (firstPage?.limit ?? 0)
  const seen = () => skipped() + (unit === 'group' ? users : transactions)
  const isAllSeen = (version: ResultVersion) => seen() >= sizeOf(version, unit, transactions)

  const lastPage: Extent['lastPage'] = ({ version, limit, lastPage: stated }) => {
    if (!version || limit < 1) return stated
    const size = sizeOf(version, unit, transactions)
    return size === version.total ? stated : Math.ceil(size / limit)
  }

  const isFull = ({ groups, count, limit }: PageResult<unknown>) =>
    groups.length === limit || (unit !== 'group' && count === limit)

  /** Whether two counts of the service agree with what was seen, and did all the time. */
  const isCertain = ({ version }: PageResult<unknown>) =>
    isUnchanged &&
    (unit === 'group' ? version?.summary?.uniqueUsers : version?.summary?.totalTransactions) === version?.total &&
    seen() === version?.total

  /** Whether as much was seen as the service counts, perhaps by a total that counts transactions on pages of users. */
  const isAllCounted = ({ version }: PageResult<unknown>) =>
    version !== undefined && (isAllSeen(version) || (!version.summary && first === 1 && transactions === version.total))

  const isContradicted: Extent['isContradicted'] = (page) => {
    if (page.count > 0) return false
    if (page.version) return page.page <= lastPage(page) && !isAllSeen(page.version)
    return previous?.version !== undefined && page.page <= lastPage(previous) && !isAllSeen(previous.version)
  }

  return {
    add(page) {
      if (page.count === 0) return
      unit ??= unitOf(page)
      transactions += page.count
      users += page.groups.length
      firstPage ??= page
      isUnchanged &&= page.version?.total === firstPage.version?.total
      previous = page
    },
    lastPage,
    isContradicted,
    // A page has no more users than transactions.
    isOverfull: ({ groups, count, limit }) => (unit === 'transaction' ? count : groups.length) > limit,
    isRepeated(page) {
      const ids = idsOf(page)
      return [previous, firstPage].some((one) => one && one.count === page.count && idsOf(one) === ids)
    },
    isLast(page) {
      if (page.count === 0) {
        emptyPages++
        return !page.response || !isContradicted(page) || emptyPages === maxEmptyPages
      }
      emptyPages = 0
      const last = lastPage(page)
      if (page.page < last) return !isFull(page) && isAllCounted(page)
      // A page beyond the last one proves the totals wrong. A full last page does not prove that nothing follows.
      return page.page === last && (!isFull(page) || isCertain(page) || !isAllCounted(page))
    },
  }
}
