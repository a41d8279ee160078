import { validate, type Checks } from '@guild-ledger/validation'
import type { LedgerEntry } from '../contract/index.ts'
import type { Operation } from '../endpoints.ts'
import { invalidCallOption } from '../errors/index.ts'
import { batchesOf } from './entries.ts'
import { createExtent } from './extent.ts'
import { iterateChecks, paginationChecks, type IterateOptions, type PaginationOptions } from './options.ts'
import { orderedPages } from './ordered-pages.ts'
import type { PaginatedPage } from './page-result.ts'
import { createRereads } from './rereads.ts'
import { isShrinkage } from './result-version.ts'
import { createSeen } from './seen.ts'
import { createPageRequests, type PaginatedQuery, type PageRequests, type PageRequestOptions } from './page-requests.ts'
import { singleUse, type Ended, type Paginator } from '../single-use.ts'

async function* responses<Page extends PaginatedPage>(requests: PageRequests<Page>): AsyncGenerator<Page, Ended, void> {
  const seen = createSeen()
  for await (const page of orderedPages(requests, createExtent(), seen, createRereads(requests.again))) {
    const { change: kind, number, lost, response, count } = page
    if (isShrinkage(kind)) requests.onDrift({ kind, page: number, lost, rereadFrom: undefined, repaired: false })
    for (const entry of page.entries) seen.add(entry)
    if (response && count > 0) yield response
  }
  return 'complete'
}

/** Prefetches once a second transaction is requested: whoever wants the first match only costs one request. */
async function* entriesOf(requests: PageRequests<PaginatedPage>): AsyncGenerator<LedgerEntry, Ended, void> {
  let count = 0
  for await (const { entries } of batchesOf(requests)) {
    // Not yield*, which would await every transaction once more.
    for (const entry of entries) {
      count++
      yield entry
      if (count >= requests.maxItems) return 'max-items'
      if (count === 1) requests.prefetch()
    }
  }
  return 'complete'
}

/** A paginator of a query, whose parameters and options are validated now and read once. */
const paginator = <Query extends PaginatedQuery, Page extends PaginatedPage, T>(
  operation: Operation<Query, Page>,
  given: Query,
  options: IterateOptions,
  checks: Checks,
  generate: (requests: PageRequests<Page>) => AsyncGenerator<T, Ended, void>,
  prefetching: Required<PageRequestOptions>['prefetching'],
): Paginator<T> => {
  const taken = validate(checks, options, invalidCallOption)
  operation.check(given)
  const query = { ...given }
  const run = (signal: AbortSignal) => generate(createPageRequests(operation, query, taken, signal, { prefetching }))
  return singleUse(run, taken.signal, operation.transport.closed)
}

/** Pages of a query in order, from `query.page` to the last that has anything on it. */
export const pages = <Query extends PaginatedQuery, Page extends PaginatedPage>(
  operation: Operation<Query, Page>,
  query: Query,
  options: PaginationOptions = {},
): Paginator<Page> => paginator(operation, query, options, paginationChecks, responses, 'immediate')

/** Transactions of a query, each once, with its user. */
export const iterate = <Query extends PaginatedQuery, Page extends PaginatedPage>(
  operation: Operation<Query, Page>,
  query: Query,
  options: IterateOptions = {},
): Paginator<LedgerEntry> => paginator(operation, query, options, iterateChecks, entriesOf, 'on-demand')
