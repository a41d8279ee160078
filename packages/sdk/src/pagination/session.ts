import { ignoreRejection } from '../callback.ts'
import { limits } from '../contract/index.ts'
import { defaults } from '../defaults.ts'
import { responseOf } from '../transport/index.ts'
import type { Extent } from './extent.ts'
import { pageRetryOf, withDefaults, type IterateOptions } from './options.ts'
import { orderOf, type Sort } from './order.ts'
import { orderedPages, saysNoSuchPage, type OrderedPage, type PageSource } from './ordered-pages.ts'
import { withRetries, type PageRetry } from './page-retry.ts'
import { readPage, type PageResult, type Pageable, type PaginatedPage } from './page-result.ts'
import { createPrefetch, type Fetched } from './prefetch.ts'
import type { Seen } from './seen.ts'

/** Query parameters that pagination depends on. */
export interface PaginatedQuery extends Sort {
  readonly page?: number | undefined
  readonly limit?: number | undefined
}

/** How a paginator requests pages. */
export interface SessionOptions {
  /** When pages are requested before their turn: from the start, once `prefetch` was called, or not at all. */
  readonly prefetching?: 'immediate' | 'on-demand' | 'never'
  /** How pages that failed are requested again; the option `retryForMs` says it unless given. */
  readonly retry?: PageRetry | undefined
  /** Called with the smaller page size where a response was too large. */
  readonly onLimit?: ((limit: number) => void) | undefined
}

/** A pagination in progress. */
export interface PaginationSession<Page> {
  /** Number of the first page, in pages of the size that the query asks for. */
  readonly first: number
  readonly onDrift: IterateOptions['onDrift']
  readonly source: PageSource<Page>
  /** Reads all pages from the first. What was read before is in `seen`. */
  readonly readPages: (extent: Extent, seen: Seen, isFirstPass: boolean) => AsyncIterable<OrderedPage<Page>>
  /** Reads a page again, out of turn. */
  readonly again: (page: number) => Promise<PageResult<Page>>
  /** From now on pages are requested before their turn. */
  readonly prefetch: () => void
}

/**
 * How many pages to keep in flight: as many as `given`, else as many as the throttle can use. A second's worth waits for
 * slots, while those of one round trip are in flight; the round trip is a moving average.
 */
const createConcurrency = (given: number | undefined, rate = () => limits.requestsPerSecond as number) => {
  let averageMs: number | undefined
  return {
    record(roundTripMs: number) {
      if (Number.isFinite(roundTripMs)) averageMs = (averageMs ?? roundTripMs) * 0.75 + roundTripMs / 4
    },
    pages(): number {
      if (given !== undefined) return given
      const perSecond = Math.max(1, Math.ceil(rate()))
      const inFlight = Math.max(0, Math.ceil((perSecond * (averageMs ?? 0)) / 1000))
      return Math.min(defaults.pagination.maxConcurrency, perSecond + inFlight)
    },
  }
}

/** Starts the pagination of a query; sends nothing yet, and nothing once `signal` has fired. */
export const createSession = <Query extends PaginatedQuery, Page extends PaginatedPage>(
  operation: Pageable<Query, Page>,
  query: Query,
  options: IterateOptions,
  signal: AbortSignal,
  { prefetching = 'immediate', retry = pageRetryOf(options, operation), onLimit }: SessionOptions = {},
): PaginationSession<Page> => {
  const { concurrency: given, maxItems, onEmpty, onDrift, retryForMs: _retryForMs, ...call } = options
  const complete = withDefaults(query)
  const order = orderOf(query)
  const concurrency = createConcurrency(given, operation.requestsPerSecond)
  /** Page size and number of the first page; both change where responses are too large. */
  let { limit, page: first } = complete
  let isPrefetching = prefetching === 'immediate'
  /** Whether the page before has to be received before the next one is requested. */
  let isOneByOne = () => false

  const read = async (page: number): Promise<PageResult<Page>> => {
    const startedAt = performance.now()
    const number = Math.floor(((page - 1) * limit) / complete.limit) + 1
    const callOptions = { priority: 'background', ...call, signal } as const
    const result = await readPage(operation, { ...complete, page, limit }, number, callOptions, order)
    const info = responseOf(result.response)
    if (result.response) concurrency.record(performance.now() - startedAt - (info?.queuedMs ?? 0))
    return result
  }
  const inFlight = () => (isOneByOne() ? 1 : concurrency.pages())
  const prefetch = createPrefetch(read, inFlight, () => (isPrefetching ? 2 * inFlight() : 1), signal)
  const startPrefetching = () => {
    isPrefetching ||= prefetching === 'on-demand'
    prefetch.fill()
  }
  const again = (page: number) => {
    const request = () => prefetch.again(page)
    return withRetries(request, request, retry, signal)
  }
  const source: PageSource<Page> = {
    needsResults: onEmpty === 'throw',
    get first() {
      return first
    },
    again,
    expect(lastPage) {
      const lastWanted = maxItems === undefined ? Infinity : first + Math.ceil(maxItems / limit) - 1
      prefetch.expect(Math.min(lastPage, lastWanted))
    },
    async take(page, isBeyond) {
      if (page > first) startPrefetching()
      const wasRequested = prefetch.has(page)
      const taken: Promise<Fetched<PageResult<Page>>> = prefetch.take(page)
      if (!retry) return taken
      try {
        return await taken
      } catch (error) {
        // A failure of a request sent before its turn may be old.
        if (wasRequested && !isBeyond && (retry.isTransient(error) || saysNoSuchPage(error))) return again(page)
        return withRetries(
          () => Promise.reject(error),
          () => prefetch.again(page),
          retry,
          signal,
        )
      }
    },
    shrink(page) {
      let factor = 2
      while (factor < limit && limit % factor !== 0) factor++
      if (limit === 1) return 1
      limit /= factor
      first = (first - 1) * factor + 1
      onLimit?.(limit)
      prefetch.restart((page - 1) * factor + 1)
      return factor
    },
  }
  return {
    first,
    // What it throws ends the pagination; nobody waits for its promise.
    onDrift: onDrift && ((drift) => ignoreRejection(onDrift(drift))),
    source,
    readPages(extent, seen, isFirstPass) {
      isOneByOne = () => extent.isUndercounted
      prefetch.restart(first)
      return orderedPages(source, extent, seen, isFirstPass)
    },
    again: async (page) => (await again(page)).value,
    prefetch: startPrefetching,
  }
}
