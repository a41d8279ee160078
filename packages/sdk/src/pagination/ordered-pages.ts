import { GuildLedgerError, PaginationError, ResponseValidationError } from '../errors/index.ts'
import { createExtent } from './extent.ts'
import { failedAt, type PageResult } from './page-result.ts'
import type { Fetched, Prefetch } from './prefetch.ts'
import { compareVersions } from './result-version.ts'

/** What happened to the result between a page and the one before it. */
export type Change = 'none' | 'grown' | 'removed' | 'replaced'

/** A page in its turn. */
export interface OrderedPage<Page> extends PageResult<Page> {
  readonly change: Change
  /** How many fewer results there are than at the page before. */
  readonly lost: number
  /** Whether the page is empty although the totals say that it has results. */
  readonly isContradicted: boolean
}

const changes = { same: 'none', newer: 'grown', older: 'removed', replaced: 'replaced' } as const

/** Whether something has vanished. */
export const isShrinkage = (change: Change): change is 'removed' | 'replaced' =>
  change === 'removed' || change === 'replaced'

// A ledger that grows tenfold during pagination, or by this many pages, grows faster than it is read.
const maxGrowth = 10
const maxPagesAdded = 1000

const outgrown = (page: number, lastPage: number) =>
  new PaginationError(
    'pagination_stalled',
    `Pagination does not end: there were ${lastPage} pages at its start, and page ${page} is not the last. ` +
      'Narrow the query, or continue from this page.',
  )

const circular = (page: number) =>
  new PaginationError(
    'pagination_stalled',
    `Pagination does not end: page ${page} came before. Report it, or narrow the query.`,
  )

const stalled = ({ page, lastPage, servedPage }: PageResult<unknown>) =>
  new PaginationError(
    'pagination_stalled',
    `Pagination cannot continue: requested page ${page} of ${lastPage}, got page ${servedPage}. ` +
      'Narrow the query, or raise its limit.',
  )

/** The service sent more results than it says fit on a page: the paginator cannot count pages then. */
const tooMany = ({ page, limit, count, response }: PageResult<unknown>) => {
  const expected = `at most ${limit} results, as pagination.limit says`
  const received = `${count} transactions`
  return new ResponseValidationError(
    `Pagination cannot continue: page ${page} must have ${expected}, got ${received}. Report it, or use list.`,
    [{ path: 'data', expected, received }],
    response,
  )
}

/** Pages beyond the last one that repeat another. Fewer may come from transactions that were added meanwhile. */
const maxRepeatedPages = 3
const maxRepeats = 20

const isRepeat = (a: PageResult<unknown>, b: PageResult<unknown>): boolean => {
  const [idA, idB] = [a.groups[0]?.transactions[0]?.transactionId, b.groups[0]?.transactions[0]?.transactionId]
  return (
    idA === idB && a.count === b.count && !!a.version && !!b.version && compareVersions(a.version, b.version) === 'same'
  )
}

/**
 * Detects pages that repeat in a cycle of any length, remembering two of them (Brent). On an honest service a page may
 * come twice, where users move back by a page; not as often as this allows.
 */
const createCycleDetector = (): ((page: PageResult<unknown>) => boolean) => {
  let previous: PageResult<unknown> | undefined
  let mark: PageResult<unknown> | undefined
  let pages = 0
  let repeats = 0
  return (page) => {
    if ((previous && isRepeat(previous, page)) || (mark && isRepeat(mark, page))) repeats++
    pages++
    if (Number.isInteger(Math.log2(pages))) mark = page
    previous = page
    return repeats > maxRepeats
  }
}

/** What pages are read from. A page that only verifies the end is requested once, without retries after a failure. */
export interface PageSource<Page> extends Pick<Prefetch<PageResult<Page>>, 'again' | 'expect'> {
  readonly take: (page: number, isVerification: boolean) => Promise<Fetched<PageResult<Page>>>
}

/**
 * Pages in order, each no older than the one before it: a page that was prefetched and shows an older result is
 * requested again, and so is one that is empty although the totals say that it has results. Ends with the last page.
 */
export async function* orderedPages<Page>(
  source: PageSource<Page>,
  first: number,
): AsyncGenerator<OrderedPage<Page>, void, void> {
  const isCycle = createCycleDetector()
  const extent = createExtent(first)
  let before: Fetched<PageResult<Page>> | undefined
  let maxPage = Infinity
  let repeats = 0

  const changeTo = (now: PageResult<Page>): Change => {
    if (!before) return 'none'
    if (before.value.version && now.version) return changes[compareVersions(before.value.version, now.version)]
    return extent.isContradicted(now) ? 'removed' : 'none'
  }
  /** The version of the page before says whether a page that does not exist has vanished. */
  const withVersionBefore = async (now: Fetched<PageResult<Page>>): Promise<Fetched<PageResult<Page>>> => {
    const { version, lastPage } = (await source.again(now.value.page - 1)).value
    return version ? { ...now, value: { ...now.value, version, lastPage } } : now
  }

  for (let page = first; ; page++) {
    const isVerification = before !== undefined && page > extent.lastPage(before.value)
    let now: Fetched<PageResult<Page>>
    try {
      now = await source.take(page, isVerification)
    } catch (error) {
      if (isVerification && GuildLedgerError.is(error)) return
      throw error
    }
    const isStale = before && now.sentAt < before.receivedAt && isShrinkage(changeTo(now.value))
    if (isStale || extent.isContradicted(now.value)) now = await source.again(page)
    if (before && !now.value.version && extent.isContradicted(now.value)) now = await withVersionBefore(now)
    const result = now.value
    if (result.servedPage !== undefined && page <= result.certainPages && extent.isContradicted(result)) {
      throw failedAt(result, stalled(result))
    }
    repeats = isVerification && extent.isRepeated(result) ? repeats + 1 : 0
    if (repeats === maxRepeatedPages || (isVerification && result.count === 0)) return
    const change = changeTo(result)
    const lost = Math.max(0, (before?.value.version?.total ?? 0) - (result.version?.total ?? Infinity))
    const isContradicted = extent.isContradicted(result)
    extent.add(result)
    if (extent.isOverfull(result)) throw failedAt(result, tooMany(result))
    const isLast = extent.isLast(result)
    if (!isLast) source.expect(Math.max(extent.lastPage(result), page))
    if (!before) maxPage = page + maxGrowth * result.lastPage + maxPagesAdded
    yield { ...result, change, lost, isContradicted }
    if (isLast) return
    if (page >= maxPage) {
      throw failedAt(result, outgrown(page, Math.floor((maxPage - first - maxPagesAdded) / maxGrowth)))
    }
    if (isCycle(result)) throw failedAt(result, circular(page))
    before = now
  }
}
