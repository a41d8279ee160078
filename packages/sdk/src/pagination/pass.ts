import type { Summary } from '../contract/index.ts'
import { believed, isFull, lastPageOf, sizeOf, type Extent } from './extent.ts'
import type { PageResult } from './page-result.ts'
import type { Fetched } from './prefetch.ts'
import { compareVersions, isShrinkage, type Change } from './result-version.ts'

/**
 * Where a pass over the pages stands. Each page in its turn is accepted, which makes a page in order of it, and once its
 * items are known as new or not, the pass advances. None of this requests anything.
 */
export interface Pass<Page = unknown, Item = unknown> {
  /** What all passes have shown. */
  readonly extent: Extent
  /** The first page of the query. */
  readonly first: number
  /** The page whose turn it is. */
  readonly page: number
  /** The one before. */
  readonly before: Fetched<PageResult<Page, Item>> | undefined
  /** The last page of earlier passes, or 0. */
  readonly readBefore: number
  /** What this pass has met. */
  readonly items: number
  readonly groups: number
  /** The last page according to the first response. */
  readonly firstLastPage: number
  /** Pages in a row with nothing new. */
  readonly fruitless: number
  /** Pages with something new, after the first. */
  readonly fruitful: number
}

/** A page in order: no older than the one before it by its counts, or else by the order of requests. */
export interface OrderedPage<Page = unknown, Item = unknown> extends Fetched<PageResult<Page, Item>> {
  readonly change: Change
  /** The summary, if it describes the whole now. */
  readonly summary: Summary | undefined
  /** How many fewer results there are than at the page before. */
  readonly lost: number
  /** Whether the page is empty although the totals say that it has results. */
  readonly isContradicted: boolean
  /** Whether the page before was received only after this one was requested. */
  readonly isUnordered: boolean
  /** Whether none follows it. */
  readonly isLast: boolean
  /** The last page that is worth requesting. */
  readonly expected: number
}

export const beginPass = <Page, Item>(extent: Extent, first: number, readBefore: number): Pass<Page, Item> => ({
  extent,
  first,
  page: first,
  before: undefined,
  readBefore,
  items: 0,
  groups: 0,
  firstLastPage: 0,
  fruitless: 0,
  fruitful: 0,
})

/** The pass in smaller pages, of which `factor` make one as before. */
export const inSmallerPages = <Page, Item>(
  pass: Pass<Page, Item>,
  first: number,
  factor: number,
): Pass<Page, Item> => ({
  ...pass,
  first,
  page: (pass.page - 1) * factor + 1,
  firstLastPage: pass.firstLastPage * factor,
  readBefore: pass.readBefore * factor,
})

export const summaryOf = (extent: Extent, { version }: PageResult) => version && believed(extent, version).summary

/** Whether as much was met as the service counts. */
export const isAllMet = ({ extent, first, items, groups }: Pass, { version, limit }: PageResult): boolean =>
  version !== undefined && (first - 1) * limit + (extent.unit === 'group' ? groups : items) >= sizeOf(extent, version)

/** Whether the page before has results, but fewer than fit. */
const isAfterShort = ({ extent, before }: Pass): boolean =>
  before !== undefined && before.count > 0 && !isFull(extent, before)

/** Whether there may be no page where the pass stands. */
export const isBeyondEnd = (pass: Pass): boolean => {
  const { extent, before, page } = pass
  return before !== undefined && (before.count === 0 || isAfterShort(pass) || page > lastPageOf(extent, before))
}

export const isContradicted = (pass: Pass, now: PageResult): boolean => {
  const counts = now.version ? now : pass.before
  if (now.count > 0 || isAfterShort(pass) || !counts?.version) return false
  return now.page <= lastPageOf(pass.extent, counts) && !isAllMet(pass, counts)
}

/** What happened to the result since the page before. */
export const changeTo = (pass: Pass, now: PageResult): Change => {
  const { extent, before } = pass
  if (!before) return 'none'
  const [was, is] = [before.version, now.version]
  if (was && is) return compareVersions(believed(extent, was), believed(extent, is))
  return isContradicted(pass, now) ? 'removed' : 'none'
}

export const isUnordered = ({ before }: Pass, now: Fetched<object>): boolean =>
  before !== undefined && now.sentAt < before.receivedAt

/** Whether a page may be older than the one before it. */
export const mayBeOld = (pass: Pass, now: Fetched<PageResult>): boolean => {
  const { extent, before, page } = pass
  if (!isUnordered(pass, now)) return false
  if (extent.isUndercounted || isShrinkage(changeTo(pass, now))) return true
  // A summary that is not believed: the total may count groups, and then the last page, which has to be recent, shows
  // whether there are more items.
  const counts = now.version ? now : before
  const isUnconfirmed = counts?.version?.summary !== undefined && !summaryOf(extent, counts)
  return isUnconfirmed && page >= lastPageOf(extent, now)
}
