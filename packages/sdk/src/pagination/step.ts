import { isFull, isOverfull, lastPageOf, learn, sizeOf } from './extent.ts'
import { endless, otherPage, tooMany } from './failures.ts'
import type { PageResult } from './page-result.ts'
import {
  changeTo,
  isAllMet,
  isBeyondEnd,
  isContradicted,
  isUnordered,
  summaryOf,
  type OrderedPage,
  type Pass,
} from './pass.ts'
import type { Fetched } from './prefetch.ts'

// A ledger that grows tenfold during pagination, and by this many pages, grows faster than it is read.
const maxGrowth = 10
const maxPagesAdded = 1000
/** So many more where the service counts too few. */
const maxPagesUncounted = 10_000

/**
 * Pages in a row with nothing new, beyond those that items added meanwhile explain: those move what was read before to
 * later pages. At most so many for each page that there was at first.
 */
const maxFruitlessPages = 20
const mostExplainedPerPage = 2

/** A page that was accepted, and the pass with it. */
export interface Accepted<Page, Item> {
  readonly page: OrderedPage<Page, Item>
  readonly pass: Pass<Page, Item>
}

/**
 * Accepts the page whose turn it is; undefined where it is behind the last one.
 *
 * @throws {PaginationError} The service responds with another page.
 * @throws {ResponseValidationError} The page has more results than fit.
 */
export const accept = <Page, Item>(
  pass: Pass<Page, Item>,
  now: Fetched<PageResult<Page, Item>>,
): Accepted<Page, Item> | undefined => {
  const { before, page } = pass
  const { version, count, limit } = now
  const contradicted = isContradicted(pass, now)
  // Where pages count groups and no summary says how many, the total may count items.
  const saysHowMany = pass.extent.unit !== 'group' || summaryOf(pass.extent, now) !== undefined
  if (now.servedPage !== undefined && page <= now.certainPages && contradicted && saysHowMany) throw otherPage(now)
  if (count === 0 && !contradicted && isBeyondEnd(pass)) return undefined
  const change = changeTo(pass, now)
  const extent = learn(pass.extent, now, change !== 'none')
  if (isOverfull(extent, now)) throw tooMany(now)
  const next = {
    ...pass,
    extent,
    items: pass.items + count,
    groups: pass.groups + now.groups.length,
    firstLastPage: before ? pass.firstLastPage : now.lastPage,
  }
  const lastPage = lastPageOf(extent, now)
  const isLast =
    count === 0
      ? !contradicted || !now.response || before?.count === 0
      : !isFull(extent, now) && !extent.isUndercounted && (page >= lastPage || isAllMet(next, now))
  // A last page that may be full is followed by one more.
  const mayBeFull = !version || sizeOf(extent, version) % limit === 0
  return {
    pass: next,
    page: {
      ...now,
      change,
      summary: summaryOf(extent, now),
      lost: Math.max(0, (before?.version?.total ?? 0) - (version?.total ?? Infinity)),
      isContradicted: contradicted,
      isUnordered: isUnordered(pass, now),
      isLast,
      expected: Math.max(mayBeFull ? lastPage + 1 : lastPage, page),
    },
  }
}

/**
 * The pass at the next page; undefined where it is over. Pages that bring nothing new end it sooner or later, behind those
 * that earlier passes read. `isFruitful`: whether something on the page, or found because of it, was new.
 *
 * @throws {PaginationError} It would not end.
 */
export const advance = <Page, Item>(
  { page: now, pass }: Accepted<Page, Item>,
  isFruitful: boolean,
): Pass<Page, Item> | undefined => {
  if (now.isLast) return undefined
  const { extent, before, page, first, firstLastPage } = pass
  const lastPage = lastPageOf(extent, now)
  const fruitful = pass.fruitful + Number(isFruitful && before !== undefined)
  const fruitless = isFruitful || page <= pass.readBefore ? 0 : pass.fruitless + 1
  const added = Math.min(mostExplainedPerPage * firstLastPage, Math.max(0, lastPage - firstLastPage))
  if (fruitless >= maxFruitlessPages + (extent.isUndercounted ? fruitful : added)) {
    if (page > lastPage) return undefined
    throw endless(now, `the last ${fruitless} pages had nothing new`)
  }
  const maxPage = first + maxGrowth * firstLastPage + maxPagesAdded
  if (page >= maxPage + (page < lastPage ? 0 : maxPagesUncounted)) {
    throw endless(now, 'it grows faster than it can be read')
  }
  return { ...pass, page: page + 1, before: now, fruitful, fruitless }
}
