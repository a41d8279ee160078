import { ignoreRejection } from '../callback.ts'
import { defaults } from '../defaults.ts'
import type { Operation } from '../operations/index.ts'
import { createBackoff, type Backoff } from './backoff.ts'
import { pageBackoffOf, type Drift, type IterateOptions } from './options.ts'
import { readPage, saysNoSuchPage, type PageResult, type PaginatedPage } from './page-result.ts'
import { createPrefetch, type Fetched } from './prefetch.ts'

/** Query parameters that pagination depends on. */
export interface PaginatedQuery {
  readonly page?: number | undefined
  readonly limit?: number | undefined
}

const sortAndPage: ReadonlySet<string> = new Set(['page', 'limit', 'sortBy', 'sortOrder'])

/** How a paginator requests pages. */
export interface PageRequestOptions {
  /** When pages are requested before their turn: from the start, once `prefetch` was called, or not at all. */
  readonly prefetching?: 'immediate' | 'on-demand' | 'never'
  /** How pages that failed are requested again. Unless given, each page as the option `retryForMs` says. */
  readonly backoff?: Backoff | undefined
  /** Called with the smaller page size where a response was too large. */
  readonly onLimit?: ((limit: number) => void) | undefined
}

/** The requests of one pagination: none after `signal`. Pages are numbered in their present size, which may shrink. */
export const createPageRequests = <Query extends PaginatedQuery, Page extends PaginatedPage, Item>(
  operation: Operation<Query, Page, Item>,
  query: Query,
  options: IterateOptions,
  signal: AbortSignal,
  { prefetching = 'immediate', backoff: given, onLimit }: PageRequestOptions = {},
) => {
  const { concurrency, maxItems = Infinity, onEmpty, onDrift, retryForMs: _retryForMs, ...call } = options
  const complete = {
    ...query,
    page: query.page ?? defaults.pagination.page,
    limit: query.limit ?? defaults.pagination.limit,
  }
  const order = operation.orderOf(query)
  const { pace } = operation.context
  // A second's worth on the network and as many that wait: whatever the round trip, no slot waits for a page.
  const pagesAtOnce = () => concurrency ?? Math.min(defaults.pagination.maxConcurrency, 2 * Math.ceil(pace()))
  let { limit, page: first } = complete
  let isPrefetching = prefetching === 'immediate'
  let isOneByOne = false

  /** The number of a page in pages of the size that the query asks for. */
  const numberOf = (page: number) => Math.floor(((page - 1) * limit) / complete.limit) + 1
  const callOptions = { priority: 'background', ...call, signal } as const
  const backoff = given ?? createBackoff(pageBackoffOf(options, operation), signal)
  // A page that is requested ahead is not retried before its turn: while the service is away, all would be.
  const aheadOptions = backoff.isPatient ? { ...callOptions, maxRetries: 0 } : callOptions
  const read = (page: number, isAhead: boolean): Promise<PageResult<Page, Item>> =>
    readPage(operation, { ...complete, page, limit }, numberOf(page), isAhead ? aheadOptions : callOptions, order)
  const inFlight = () => (isOneByOne ? 1 : pagesAtOnce())
  const pages = createPrefetch(read, inFlight, () => (isPrefetching ? 2 * inFlight() : 1), signal)
  const prefetch = () => {
    isPrefetching ||= prefetching === 'on-demand'
    pages.fill()
  }
  const again = async (page: number, attempt?: () => Promise<Fetched<PageResult<Page, Item>>>) => {
    const result = await backoff.run(() => pages.again(page), attempt)
    if (!given) backoff.reset()
    return result
  }

  return {
    identityOf: operation.identityOf,
    get first() {
      return first
    },
    numberOf,
    // What it throws ends the pagination; nobody waits for its promise.
    onDrift: (drift: Drift): void => ignoreRejection(onDrift?.(drift)),
    /** Whether the query asks for a part of the ledger: a summary may then be one of the whole. */
    isFiltered: Object.entries(query).some(([name, value]) => value !== undefined && !sortAndPage.has(name)),
    maxItems,
    /** Whether an empty first page is an error. */
    needsResults: onEmpty === 'throw',
    /** Begins a pass. `oneByOne`: whether the page before has to be received before the next one is requested. */
    start(oneByOne: boolean): void {
      isOneByOne = oneByOne
      pages.restart(first)
    },
    /** Resolves with the page whose turn it is. `isBeyond`: there may be no such page. */
    async take(page: number, isBeyond: boolean): Promise<Fetched<PageResult<Page, Item>>> {
      if (page > first) prefetch()
      const isOld = pages.has(page) && !isBeyond
      const taken = pages.take(page)
      try {
        return await taken
      } catch (error) {
        if (isBeyond && saysNoSuchPage(error)) throw error // a watch takes other such errors for transient
        // A failure of a request sent before its turn may be old.
        if (isOld && (saysNoSuchPage(error) || backoff.isRetried(error))) return again(page)
        return again(page, () => taken)
      }
    },
    again: (page: number) => again(page),
    /** Sets the last page that is worth requesting, and whether pages are requested one by one. */
    expect(lastPage: number, oneByOne: boolean): void {
      isOneByOne = oneByOne
      pages.expect(Math.min(lastPage, first + Math.ceil(maxItems / limit) - 1))
    },
    /** Requests smaller pages from now on; returns how many of them make one as before, and 1 if they cannot be smaller. */
    shrink(page: number): number {
      let factor = 2
      while (factor < limit && limit % factor !== 0) factor++
      if (limit === 1) return 1
      limit /= factor
      first = (first - 1) * factor + 1
      onLimit?.(limit)
      pages.restart((page - 1) * factor + 1)
      return factor
    },
    /** From now on pages are requested before their turn. */
    prefetch,
  }
}

export type PageRequests<Page extends PaginatedPage, Item> = ReturnType<
  typeof createPageRequests<PaginatedQuery, Page, Item>
>
