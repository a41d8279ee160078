import { validate, type Checks } from '@guild-ledger/validation'
import { invalidCallOption } from '../errors/index.ts'
import type { Operation } from '../operations/index.ts'
import { batchesOf } from './batches.ts'
import { iterateChecks, paginationChecks, type IterateOptions, type PaginationOptions } from './options.ts'
import type { PaginatedPage } from './page-result.ts'
import { createPageRequests, type PaginatedQuery, type PageRequests, type PageRequestOptions } from './page-requests.ts'
import { iteration, type Ended, type Paginator } from '../single-use.ts'

async function* responsesOf<Page extends PaginatedPage, Item>(
  requests: PageRequests<Page, Item>,
): AsyncGenerator<Page, Ended, void> {
  for await (const { page } of batchesOf(requests, true)) if (page?.response && page.count > 0) yield page.response
  return 'complete'
}

/** Prefetches once a second item is requested: whoever wants the first match only costs one request. */
async function* itemsOf<Item>(requests: PageRequests<PaginatedPage, Item>): AsyncGenerator<Item, Ended, void> {
  let count = 0
  for await (const { items } of batchesOf(requests)) {
    // Not yield*, which would await every item once more.
    for (const item of items) {
      count++
      yield item
      if (count >= requests.maxItems) return 'max-items'
      if (count === 1) requests.prefetch()
    }
  }
  return 'complete'
}

/** A paginator of a query, whose parameters and options are validated now and read once. */
const paginator = <Query extends PaginatedQuery, Page extends PaginatedPage, Item, T>(
  operation: Operation<Query, Page, Item>,
  given: Query,
  options: IterateOptions,
  checks: Checks,
  generate: (requests: PageRequests<Page, Item>) => AsyncGenerator<T, Ended, void>,
  prefetching: Required<PageRequestOptions>['prefetching'],
): Paginator<T> => {
  const taken = validate(checks, options, invalidCallOption)
  operation.check(given)
  const query = { ...given }
  const run = (signal: AbortSignal) => generate(createPageRequests(operation, query, taken, signal, { prefetching }))
  return iteration(run, taken.signal, operation.context.closed).paginator
}

/** Pages of a query in order, from `query.page` to the last that has anything on it. */
export const pages = <Query extends PaginatedQuery, Page extends PaginatedPage, Item>(
  operation: Operation<Query, Page, Item>,
  query: Query,
  options: PaginationOptions = {},
): Paginator<Page> => paginator(operation, query, options, paginationChecks, responsesOf, 'immediate')

/** Items of a query, each once. */
export const iterate = <Query extends PaginatedQuery, Page extends PaginatedPage, Item>(
  operation: Operation<Query, Page, Item>,
  query: Query,
  options: IterateOptions = {},
): Paginator<Item> => paginator(operation, query, options, iterateChecks, itemsOf, 'on-demand')
