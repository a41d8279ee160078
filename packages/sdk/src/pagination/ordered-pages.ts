import type { Summary } from '../contract/index.ts'
import { PaginationError, ResponseValidationError } from '../errors/index.ts'
import { isTooLarge } from '../transport/index.ts'
import type { Extent } from './extent.ts'
import { failedAt, saysNoSuchPage, type PageResult, type PaginatedPage } from './page-result.ts'
import type { Fetched } from './prefetch.ts'
import type { Rereads } from './rereads.ts'
import { compareVersions, isShrinkage, type Change } from './result-version.ts'
import type { Seen } from './seen.ts'
import type { PageRequests } from './page-requests.ts'

/** A page in its turn. */
export interface OrderedPage<Page> extends PageResult<Page> {
  readonly change: Change
  /** The summary, if it describes the whole now. */
  readonly summary: Summary | undefined
  /** How many fewer results there are than at the page before. */
  readonly lost: number
  /** Whether the page is empty although the totals say that it has results. */
  readonly isContradicted: boolean
  /** Whether the page before was received only after this one was requested. */
  readonly isUnordered: boolean
}

type Failed = PageResult<unknown>

const stalled = (page: Failed, message: string) => failedAt(page, new PaginationError('pagination_stalled', message))

const endless = (page: Failed, reason: string) =>
  stalled(page, `Pagination does not end: ${reason}. Narrow the query, or continue from this page.`)

const otherPage = (page: Failed) =>
  stalled(
    page,
    `Pagination cannot continue: requested page ${page.page} of ${page.lastPage}, got page ${page.servedPage}. ` +
      'Narrow the query, or raise its limit.',
  )

/** The service sent more results than it says fit on a page: the paginator cannot count pages then. */
const tooMany = (page: Failed) => {
  const expected = `at most ${page.limit} results, as pagination.limit says`
  const received = `${page.count} transactions`
  const message = `Pagination cannot continue: page ${page.page} must have ${expected}, got ${received}. Report it, or use list.`
  return failedAt(page, new ResponseValidationError(message, [{ path: 'data', expected, received }], page.response))
}

const nothingFound = (page: Failed) => {
  const found = "Nothing was found: the service responded with an empty page, and `onEmpty` is 'throw'."
  return failedAt(page, new PaginationError('no_results', `${found} Widen the filters, or use onEmpty: 'end'.`))
}

// A ledger that grows tenfold during pagination, and by this many pages, grows faster than it is read.
const maxGrowth = 10
const maxPagesAdded = 1000
/** So many more where the service counts too few. */
const maxPagesUncounted = 10_000

/**
 * Pages in a row with nothing new, beyond those that transactions added meanwhile explain: those move what was read
 * before to later pages. At most so many for each page that there was at first.
 */
const maxFruitlessPages = 20
const mostExplainedPerPage = 2

/**
 * Pages in order, each no older than the one before it by its counts, or else by the order of requests; an older one is
 * requested again, and so is one that is empty against its own totals. A full page is followed by the next one, whatever
 * the totals say. Pages that bring nothing new to `seen` end a pass sooner or later, behind the page `readBefore`: the
 * last one of earlier passes, or 0.
 */
export async function* orderedPages<Page extends PaginatedPage>(
  requests: PageRequests<Page>,
  extent: Extent,
  seen: Seen,
  rereads: Rereads<Page>,
  readBefore = 0,
): AsyncGenerator<OrderedPage<Page>, void, void> {
  let before: Fetched<PageResult<Page>> | undefined
  /** Met in this pass. */
  const met = { transactions: 0, users: 0 }
  let firstLastPage = 0
  let fruitless = 0
  let fruitful = 0
  const isFirstPass = readBefore === 0

  const summaryOf = ({ version }: PageResult<Page>) => version && extent.believed(version).summary
  /** Whether as much was met as the service counts. */
  const isAllMet = ({ version, limit }: PageResult<Page>): boolean =>
    version !== undefined &&
    (requests.first - 1) * limit + (extent.unit === 'group' ? met.users : met.transactions) >= extent.sizeOf(version)
  /** Whether the page before has results, but fewer than fit. */
  const isAfterShort = () => before !== undefined && before.count > 0 && !extent.isFull(before)
  const isContradicted = (now: PageResult<Page>): boolean => {
    const counts = now.version ? now : before
    if (now.count > 0 || isAfterShort() || !counts?.version) return false
    return now.page <= extent.lastPage(counts) && !isAllMet(counts)
  }
  const changeTo = (now: PageResult<Page>): Change => {
    if (!before) return 'none'
    const [was, is] = [before.version, now.version]
    if (was && is) return compareVersions(extent.believed(was), extent.believed(is))
    return isContradicted(now) ? 'removed' : 'none'
  }
  /** Whether a page was requested before the one before it was received. */
  const isUnordered = (now: Fetched<object>) => before !== undefined && now.sentAt < before.receivedAt
  const read = async (page: number, isBeyond: boolean): Promise<Fetched<PageResult<Page>>> => {
    let now = await requests.take(page, isBeyond)
    // A summary that is not believed: the total may count users, and then the last page, which has to be recent, shows
    // whether there are more transactions.
    const counts = now.version ? now : before
    const isUnconfirmed = counts?.version?.summary !== undefined && !summaryOf(counts)
    const isDoubtful = isUnconfirmed && page >= extent.lastPage(now)
    const isStale = isUnordered(now) && (extent.isUndercounted || isDoubtful || isShrinkage(changeTo(now)))
    if (isStale || isContradicted(now)) now = (await rereads.read(page)) ?? now
    if (!before || now.version || !isContradicted(now)) return now
    // The version of the page before says whether a page that does not exist has vanished.
    const { version, lastPage = 0 } = (await rereads.read(page - 1)) ?? {}
    return version ? { ...now, version, lastPage } : now
  }

  requests.start(() => extent.isUndercounted)
  for (let page = requests.first; ; page++) {
    const isBeyond = before !== undefined && (before.count === 0 || isAfterShort() || page > extent.lastPage(before))
    let now: Fetched<PageResult<Page>>
    try {
      now = await read(page, isBeyond)
    } catch (error) {
      // Where the total counts transactions and pages count users, it has pages that `totalPages` does not have.
      if ((isBeyond || (before && page > before.certainPages)) && saysNoSuchPage(error)) return
      const factor = isTooLarge(error) ? requests.shrink(page) : 1
      if (factor === 1) throw error
      page = (page - 1) * factor
      firstLastPage *= factor
      readBefore *= factor
      continue
    }
    const { version, count, limit } = now
    const contradicted = isContradicted(now)
    // Where pages count users and no summary says how many, the total may count transactions.
    const isTotalClear = extent.unit !== 'group' || summaryOf(now) !== undefined
    if (now.servedPage !== undefined && page <= now.certainPages && contradicted && isTotalClear) {
      throw otherPage(now)
    }
    if (isBeyond && count === 0 && !contradicted) return
    if (isFirstPass && !before && count === 0 && requests.needsResults) throw now.error ?? nothingFound(now)
    const change = changeTo(now)
    const lost = Math.max(0, (before?.version?.total ?? 0) - (version?.total ?? Infinity))
    if (count > 0) {
      extent.add(now, change !== 'none')
      met.transactions += count
      met.users += now.groups.length
    }
    if (extent.isOverfull(now)) throw tooMany(now)
    const lastPage = extent.lastPage(now)
    if (!before) firstLastPage = now.lastPage
    const summary = summaryOf(now)
    const isFull = count > 0 && extent.isFull(now)
    const isLast =
      count === 0
        ? !contradicted || !now.response || before?.count === 0
        : !isFull && !extent.isUndercounted && (page >= lastPage || isAllMet(now))
    // A last page that may be full is followed by one more.
    const mayBeFull = !version || extent.sizeOf(version) % limit === 0
    const expected = Math.max(mayBeFull ? lastPage + 1 : lastPage, page)
    // Earlier passes have shown how many pages there are, whatever the total counts.
    const reach = page < readBefore ? page + Math.max(1, Math.min(readBefore + 1 - page, rereads.left())) : page + 1
    if (!isLast) requests.expect(isFirstPass ? expected : Math.min(expected, reach))
    const known = seen.size
    const ordered = { ...now, summary, change, lost, isContradicted: contradicted, isUnordered: isUnordered(now) }
    rereads.observe(ordered)
    yield ordered
    if (isLast) return
    const isFruitful = seen.size > known
    fruitful += Number(isFruitful && before !== undefined)
    fruitless = isFruitful || page <= readBefore ? 0 : fruitless + 1
    const added = Math.min(mostExplainedPerPage * firstLastPage, Math.max(0, lastPage - firstLastPage))
    if (fruitless >= maxFruitlessPages + (extent.isUndercounted ? fruitful : added)) {
      if (page > lastPage) return
      throw endless(now, `the last ${fruitless} pages had nothing new`)
    }
    const maxPage = requests.first + maxGrowth * firstLastPage + maxPagesAdded
    if (page >= maxPage + (page < lastPage ? 0 : maxPagesUncounted)) {
      throw endless(now, 'it grows faster than it can be read')
    }
    before = now
  }
}
