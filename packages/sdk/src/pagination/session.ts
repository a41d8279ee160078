import { ignoreRejection } from '../callback.ts'
import { PaginationError } from '../errors/index.ts'
import { lengthOf, responseOf } from '../transport/index.ts'
import { createConcurrency, type Concurrency } from './concurrency.ts'
import { pageRetryOf, withDefaults, type IterateOptions } from './options.ts'
import { orderOf, type Sort } from './order.ts'
import { orderedPages, type OrderedPage, type PageSource } from './ordered-pages.ts'
import { withRetries, type PageRetry } from './page-retry.ts'
import { failedAt, readPage, type PageResult, type Pageable, type PaginatedPage } from './page-result.ts'
import { createPrefetch } from './prefetch.ts'

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
}

/** A pagination in progress. */
export interface PaginationSession<Page> {
  readonly first: number
  readonly onDrift: IterateOptions['onDrift']
  /** Reads all pages from the first. */
  readonly readPages: () => AsyncIterable<OrderedPage<Page>>
  /** Reads a page again, out of turn. */
  readonly reread: (page: number) => Promise<PageResult<Page>>
  /** From now on pages are requested before their turn. */
  readonly prefetch: () => void
}

const nothingFound = () =>
  new PaginationError(
    'no_results',
    "Nothing was found: the service responded with an empty page, and `onEmpty` is 'throw'. Widen the filters, or use onEmpty: 'end'.",
  )

/** Throws if the first page is empty, unless `onEmpty` allows it. */
async function* checkFirst<Page>(
  pages: AsyncIterable<OrderedPage<Page>>,
  first: number,
  { onEmpty }: IterateOptions,
): AsyncGenerator<OrderedPage<Page>, void, void> {
  for await (const result of pages) {
    if (result.page === first && result.count === 0 && onEmpty === 'throw') {
      throw result.error ?? failedAt(result, nothingFound())
    }
    yield result
  }
}

const measured = async <Page extends PaginatedPage>(
  result: Promise<PageResult<Page>>,
  concurrency: Concurrency,
): Promise<PageResult<Page>> => {
  const startedAt = performance.now()
  const { response } = await result
  if (response) concurrency.record(performance.now() - startedAt - (responseOf(response)?.queuedMs ?? 0))
  return result
}

/** Starts the pagination of a query; sends nothing yet, and nothing once `signal` has fired. */
export const createSession = <Query extends PaginatedQuery, Page extends PaginatedPage>(
  operation: Pageable<Query, Page>,
  query: Query,
  options: IterateOptions,
  signal: AbortSignal,
  { prefetching = 'immediate', retry = pageRetryOf(options, operation) }: SessionOptions = {},
): PaginationSession<Page> => {
  const { concurrency: given, maxItems, onEmpty: _onEmpty, onDrift, retryForMs: _retryForMs, ...call } = options
  const complete = withDefaults(query)
  const { page: first, limit } = complete
  const order = orderOf(query)
  const concurrency = createConcurrency(given)
  const lastWanted = maxItems === undefined ? Infinity : first + Math.ceil(maxItems / limit) - 1
  let isPrefetching = prefetching === 'immediate'

  const read = (page: number) =>
    measured(readPage(operation, complete, page, { priority: 'background', ...call, signal }, order), concurrency)
  const ahead = () => (isPrefetching ? 2 * concurrency.pages : 1)
  const prefetch = createPrefetch(
    read,
    first,
    () => concurrency.pages,
    signal,
    ahead,
    ({ response }) => lengthOf(response),
  )
  const startPrefetching = () => {
    isPrefetching ||= prefetching === 'on-demand'
    prefetch.fill()
  }
  const again = (page: number) => {
    const request = () => prefetch.again(page)
    return withRetries(request, request, retry, signal)
  }
  const source: PageSource<Page> = {
    again,
    expect: (lastPage) => prefetch.expect(Math.min(lastPage, lastWanted)),
    async take(page, isVerification) {
      if (page > first) startPrefetching()
      if (isVerification || !retry) return prefetch.take(page)
      const wasRequested = prefetch.has(page)
      try {
        return await prefetch.take(page)
      } catch (error) {
        if (signal.aborted || !retry.isTransient(error)) throw error
        // A failure of a request sent before its turn may be old.
        return wasRequested
          ? again(page)
          : withRetries(
              () => Promise.reject(error),
              () => prefetch.again(page),
              retry,
              signal,
            )
      }
    },
  }
  return {
    first,
    // What it throws ends the pagination; nobody waits for its promise.
    onDrift: onDrift && ((drift) => ignoreRejection(onDrift(drift))),
    readPages() {
      prefetch.restart()
      return checkFirst(orderedPages(source, first), first, options)
    },
    reread: async (page) => (await again(page)).value,
    prefetch: startPrefetching,
  }
}
