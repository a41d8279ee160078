import type { Summary } from '../contract/index.ts'
import { ApiError } from '../errors/index.ts'
import { isTooLarge } from '../transport/index.ts'
import type { Extent } from './extent.ts'
import { endless, nothingFound, stalled, tooMany } from './failures.ts'
import type { PageResult } from './page-result.ts'
import type { Fetched } from './prefetch.ts'
import { compareVersions, type ResultVersion } from './result-version.ts'
import type { Seen } from './seen.ts'

/** What happened to the result between a page and the one before it. */
export type Change = 'none' | 'grown' | 'removed' | 'replaced'

/** A page in its turn. */
export interface OrderedPage<Page> extends PageResult<Page> {
  readonly change: Change
  /** The summary, if it describes the whole result. */
  readonly summary: Summary | undefined
  /** How many fewer results there are than at the page before. */
  readonly lost: number
  /** Whether the page is empty although the totals say that it has results. */
  readonly isContradicted: boolean
  /** Whether the page before was received only after this one was requested. */
  readonly isUnordered: boolean
}

const changes = { same: 'none', newer: 'grown', older: 'removed', replaced: 'replaced' } as const

/** Whether something has vanished. */
export const isShrinkage = (change: Change): change is 'removed' | 'replaced' =>
  change === 'removed' || change === 'replaced'

// A ledger that grows tenfold during pagination, and by this many pages, grows faster than it is read.
const maxGrowth = 10
const maxPagesAdded = 1000
/** So many more where the service counts too few. */
const maxPagesUncounted = 10_000

/** Pages in a row with nothing new, beyond those that transactions added meanwhile explain. */
const maxFruitlessPages = 20

/** Whether an error for a page beyond the last one says that there is no such page. */
export const saysNoSuchPage = (error: unknown) =>
  error instanceof ApiError && (error.status === 400 || error.status === 404)

/** How many results were added at least. The total may count users; then the summary shows it. */
const growth = (before: ResultVersion, now: ResultVersion): number => {
  const transactions = before.summary && now.summary && now.summary.totalTransactions - before.summary.totalTransactions
  return Math.max(0, now.total - before.total, transactions ?? 0)
}

/** What pages are read from. */
export interface PageSource<Page> {
  readonly first: number
  /** Whether an empty first page is an error. */
  readonly needsResults: boolean
  /** Resolves with the page whose turn it is. `isBeyond`: there may be no such page. */
  readonly take: (page: number, isBeyond: boolean) => Promise<Fetched<PageResult<Page>>>
  /** Requests a page anew. */
  readonly again: (page: number) => Promise<Fetched<PageResult<Page>>>
  /** Sets the last page that is worth requesting. */
  readonly expect: (lastPage: number) => void
  /** Requests smaller pages from now on; returns how many of them make one as before, and 1 if they cannot be smaller. */
  readonly shrink: (page: number) => number
}

/**
 * Pages in order, each no older than the one before it, up to the end of the result. A page is older if its counts say
 * so, or, where counts do not show every change, if it was requested before the one before was received; it is then
 * requested again. So is one that is empty although the totals say that it has results.
 *
 * The end is where the pages end: a full page is followed by the next one, whatever the totals say. Pages that bring
 * nothing new to `seen` end a first pass sooner or later.
 */
export async function* orderedPages<Page>(
  source: PageSource<Page>,
  extent: Extent,
  seen: Seen,
  isFirstPass: boolean,
): AsyncGenerator<OrderedPage<Page>, void, void> {
  let before: Fetched<PageResult<Page>> | undefined
  /** Whether the page before was not full, or empty: no further one is needed then. */
  let endsBefore: 'no' | 'short' | 'empty' = 'no'
  /** Met in this pass. */
  const met = { transactions: 0, users: 0 }
  let maxPage = Infinity
  let fruitless = 0
  let fruitful = 0
  let grown = 0
  let jumps = 0

  /** Whether as much was met as the service counts. */
  const isAllMet = (version: ResultVersion, limit: number): boolean =>
    (source.first - 1) * limit + (extent.unit === 'group' ? met.users : met.transactions) >= extent.sizeOf(version)
  const isContradicted = (now: PageResult<Page>): boolean => {
    const counts = now.version ? now : before?.value
    if (now.count > 0 || endsBefore === 'short' || !counts?.version) return false
    return now.page <= extent.lastPage(counts) && !isAllMet(counts.version, counts.limit)
  }
  /** Whether there is a summary, but none that is believed: the total may count users where pages count transactions. */
  const isUnconfirmed = (version: ResultVersion) => version.summary !== undefined && !extent.believed(version).summary
  const changeTo = (now: PageResult<Page>): Change => {
    if (!before) return 'none'
    const [was, is] = [before.value.version, now.version]
    if (was && is) return changes[compareVersions(extent.believed(was), extent.believed(is))]
    return isContradicted(now) ? 'removed' : 'none'
  }
  /** Whether a page was requested before the one before it was received. */
  const isUnordered = (now: Fetched<unknown>) => before !== undefined && now.sentAt < before.receivedAt
  const read = async (page: number, isBeyond: boolean): Promise<Fetched<PageResult<Page>>> => {
    let now = await source.take(page, isBeyond)
    // If the total counts users, the last page shows whether there are more transactions: it has to be recent.
    const counts = now.value.version ?? before?.value.version
    const isDoubtful = counts !== undefined && isUnconfirmed(counts) && page >= extent.lastPage(now.value)
    const isStale = isUnordered(now) && (extent.isUndercounted || isDoubtful || isShrinkage(changeTo(now.value)))
    if (isStale || isContradicted(now.value)) now = await source.again(page)
    if (!before || now.value.version || !isContradicted(now.value)) return now
    // The version of the page before says whether a page that does not exist has vanished.
    const { version, lastPage } = (await source.again(page - 1)).value
    return version ? { ...now, value: { ...now.value, version, lastPage } } : now
  }

  for (let page = source.first; ; page++) {
    const isBeyond = before !== undefined && (endsBefore !== 'no' || page > extent.lastPage(before.value))
    let now: Fetched<PageResult<Page>>
    try {
      now = await read(page, isBeyond)
    } catch (error) {
      if (isBeyond && saysNoSuchPage(error)) return
      const factor = isTooLarge(error) ? source.shrink(page) : 1
      if (factor === 1) throw error
      page = (page - 1) * factor
      maxPage *= factor
      continue
    }
    const result = now.value
    const contradicted = isContradicted(result)
    // Where pages count users and no summary says how many, the total may count transactions.
    const isTotalClear =
      extent.unit !== 'group' || (result.version && extent.believed(result.version).summary) !== undefined
    if (result.servedPage !== undefined && page <= result.certainPages && contradicted && isTotalClear) {
      throw stalled(result)
    }
    if (isBeyond && result.count === 0 && !contradicted) return
    if (before && before.value.limit > 0 && result.count > 0) {
      // Where the service changes the limit, what follows the page before may be on another page.
      const next = Math.floor((before.value.page * before.value.limit) / result.limit) + 1
      if (next !== page) {
        if (++jumps > maxFruitlessPages) throw endless(result, 'the service keeps changing its limit')
        page = next - 1
        continue
      }
    }
    if (isFirstPass && !before && result.count === 0 && source.needsResults) throw result.error ?? nothingFound(result)
    const change = changeTo(result)
    const lost = Math.max(0, (before?.value.version?.total ?? 0) - (result.version?.total ?? Infinity))
    grown +=
      before?.value.version && result.version
        ? growth(extent.believed(before.value.version), extent.believed(result.version))
        : 0
    if (!before) maxPage = page + maxGrowth * result.lastPage + maxPagesAdded
    if (result.count > 0) {
      extent.add(result, change !== 'none')
      met.transactions += result.count
      met.users += result.groups.length
    }
    if (extent.isOverfull(result)) throw tooMany(result)
    const lastPage = extent.lastPage(result)
    const { version, limit } = result
    const summary = version && extent.believed(version).summary
    // Without a summary the total may count transactions on pages of users.
    const isTotal = !summary && source.first === 1 && met.transactions === version?.total
    const isAll = version !== undefined && (isTotal || isAllMet(version, limit))
    const isFull = result.count > 0 && extent.isFull(result)
    const isLast =
      result.count === 0
        ? !contradicted || !result.response || endsBefore === 'empty'
        : !isFull && !extent.isUndercounted && (page >= lastPage || isAll)
    // A last page that may be full is followed by one more.
    const size = result.version ? extent.sizeOf(result.version) : 0
    if (!isLast) source.expect(Math.max(size % result.limit === 0 ? lastPage + 1 : lastPage, page))
    const known = seen.size
    yield { ...result, summary, change, lost, isContradicted: contradicted, isUnordered: isUnordered(now) }
    if (isLast) return
    const isFruitful = seen.size > known
    fruitful += Number(isFruitful && before !== undefined)
    fruitless = isFruitful ? 0 : fruitless + 1
    const explained = extent.isUndercounted ? fruitful : grown / result.limit
    if (isFirstPass && fruitless >= maxFruitlessPages + explained) {
      if (page > lastPage) return
      throw endless(result, `the last ${fruitless} pages had nothing new`)
    }
    if (page >= maxPage + (page < lastPage ? 0 : maxPagesUncounted)) {
      throw endless(result, 'it grows faster than it can be read')
    }
    before = now
    endsBefore = isFull ? 'no' : result.count > 0 ? 'short' : 'empty'
  }
}
