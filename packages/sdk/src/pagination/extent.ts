import { unitOf, type PageResult, type Unit } from './page-result.ts'
import type { ResultVersion } from './result-version.ts'

/** What pages and their counts have shown of the whole result, over all passes. */
export interface Extent {
  /** What pages count; undefined as long as no page has shown it. */
  readonly unit: Unit | undefined
  /** Whether there is more than the service counts: its counts then do not show every change. */
  readonly isUndercounted: boolean
  /** Whether pages have shown more items than the total: it counts groups. */
  readonly totalCountsGroups: boolean
  /** Whether a summary has counted more than its page has: it is not one of the page only. */
  readonly coversMore: boolean
  /** A page with as many items as fit, and fewer groups: of pages of groups, only the last one can be so. */
  readonly lastOfGroups: number
}

/** Before the first page. */
export const unknownExtent: Extent = {
  unit: undefined,
  isUndercounted: false,
  totalCountsGroups: false,
  coversMore: false,
  lastOfGroups: Infinity,
}

/** A version, with its summary only where that covers more than the page and one of its counts equals the total. */
export const believed = (
  { coversMore }: Pick<Extent, 'coversMore'>,
  { total, summary }: ResultVersion,
): ResultVersion => {
  const isBelieved = coversMore && (summary?.totalTransactions === total || summary?.uniqueUsers === total)
  return { total, summary: isBelieved ? summary : undefined }
}

/** How many results a version has, in what pages count where known. The total is believed as long as it can be. */
export const sizeOf = (extent: Omit<Extent, 'isUndercounted'>, version: ResultVersion): number => {
  const { total, summary } = believed(extent, version)
  if (!summary) return total
  if (extent.unit === 'group') return summary.uniqueUsers
  return extent.totalCountsGroups ? summary.totalTransactions : total
}

/** Number of the last page according to a response. */
export const lastPageOf = (extent: Extent, { version, limit, lastPage: stated }: PageResult): number => {
  if (!version || limit < 1) return stated
  const size = sizeOf(extent, version)
  return size === version.total ? stated : Math.ceil(size / limit)
}

/** Whether a page has as many results as fit on it. */
export const isFull = ({ unit }: Extent, { groups, count, limit }: PageResult): boolean =>
  groups.length >= limit || (unit !== 'group' && count === limit)

/** Whether it has more, whatever it counts. */
export const isOverfull = ({ unit }: Extent, { groups, count, limit }: PageResult): boolean =>
  (unit === 'item' ? count : groups.length) > limit

/** What is known after a page. `isChanged`: whether the result has changed since the page before. */
export const learn = (extent: Extent, page: PageResult, isChanged: boolean): Extent => {
  const { groups, count, limit, version } = page
  const { totalTransactions = count, uniqueUsers = groups.length } = version?.summary ?? {}
  const coversMore = extent.coversMore || (totalTransactions > count && uniqueUsers >= groups.length)
  const lastOfGroups = count === limit && groups.length < limit ? page.page : Infinity
  const isBehindLast = page.page === extent.lastOfGroups + 1 && !isChanged
  const unit =
    extent.unit ?? (isBehindLast ? 'item' : unitOf({ ...page, version: version && believed({ coversMore }, version) }))
  if (!version) return { ...extent, unit, coversMore, lastOfGroups }
  const reached = (page.page - 1) * limit + (unit === 'item' ? count : groups.length)
  // Pages of groups would have ended before.
  const isBehindTotal =
    unit !== 'group' &&
    reached > version.total &&
    reached <= (believed({ coversMore }, version).summary?.totalTransactions ?? 0)
  const learned = {
    unit: isBehindTotal ? 'item' : unit,
    totalCountsGroups: extent.totalCountsGroups || isBehindTotal,
    coversMore,
    lastOfGroups,
  } as const
  const isUndercounted =
    extent.isUndercounted ||
    totalTransactions < count ||
    uniqueUsers < groups.length ||
    reached > sizeOf(learned, version)
  return { ...learned, isUndercounted }
}
