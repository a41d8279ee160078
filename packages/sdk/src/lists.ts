import { validate } from '@guild-ledger/validation'
import type { LedgerEntry } from './contract/index.ts'
import { fromCaller, fromCallerSync, invalidCallOption } from './errors/index.ts'
import { givenOf, type Operation } from './operations/index.ts'
import { iterate, pages, type IterateOptions, type PaginatedPage, type PaginationOptions } from './pagination/index.ts'
import type { Paginator } from './single-use.ts'
import { callChecks, type CallOptions } from './transport/index.ts'
import { watch, type Filters, type Watch, type WatchOptions } from './watch/index.ts'

/** A query as callers may pass it: `null`, which a command of a chat platform has for an option left out, means left out. */
export type GivenQuery<Query> = { readonly [Name in keyof Query]: Query[Name] | null }

/** The methods of a list of items. */
export interface List<Query, Page, Item> {
  /**
   * Requests one page and resolves with the response body.
   *
   * @throws {InvalidParameterError} The query violates the contract; nothing was sent.
   * @throws {ApiError} An error response. A list without transactions is one of the documented ones. Spec: Errors.
   * @throws {ConnectionError} No response, an incomplete one, or none in time.
   * @throws {ResponseValidationError} The response violates the contract.
   */
  list(query?: GivenQuery<Query>, options?: CallOptions): Promise<Page>
  /**
   * Iterates over the pages in order, from `query.page` (default 1) to the last, with `limit: 100` by default. An error
   * has `page`, the number of the page that failed.
   *
   * @throws {InvalidParameterError} At the call, before any iteration: the query violates the contract.
   * @throws {ConfigurationError} At the call: an option is unknown or invalid.
   */
  pages(query?: GivenQuery<Query>, options?: PaginationOptions): Paginator<Page>
  /**
   * Iterates over the transactions of all pages, each once and with the user it belongs to. On a ledger that only grows,
   * every transaction that was there at the first request is yielded, whatever is added meanwhile.
   *
   * @throws {InvalidParameterError} At the call, before any iteration: the query violates the contract.
   * @throws {ConfigurationError} At the call: an option is unknown or invalid.
   */
  iterate(query?: GivenQuery<Query>, options?: IterateOptions): Paginator<Item>
  /**
   * Yields new transactions as they appear, each once, until stopped. It polls, because the spec has no events. Its
   * `checkpoint` can be stored, and given as `since` later. Spec: Events.
   *
   * @throws {InvalidParameterError} At the call: a filter violates the contract, or a watch sets it itself.
   * @throws {ConfigurationError} At the call: an option is unknown or invalid, or `since` is the checkpoint of another watch.
   */
  watch(filters?: GivenQuery<Filters<Query>>, options?: WatchOptions): Watch<Item>
}

/** The methods of a list of transactions. */
export interface Transactions<Query, Page> extends List<Query, Page, LedgerEntry> {}

/** A watch reads from `watchable` with the parameters `own`. */
export const createList = <
  Query extends object,
  Page extends PaginatedPage,
  WatchedPage extends PaginatedPage,
  Item extends { readonly createdAt: string },
  Own extends object,
>(
  operation: Operation<Query, Page, Item>,
  baseUrl: string,
  watchable: Operation<Own & Query, WatchedPage, Item>,
  own: Own,
): List<Query, Page, Item> => {
  const noQuery = {} as Query // every parameter is optional
  const watched = { address: baseUrl + operation.path, own, check: operation.check }
  const methods: List<Query, Page, Item> = {
    list: (query = noQuery, options = {}) =>
      fromCaller([methods, 'list'], async () => {
        const { value } = await operation.read(givenOf(query), validate(callChecks, options, invalidCallOption))
        return value
      }),
    pages: (query = noQuery, options = {}) =>
      fromCallerSync([methods, 'pages'], () => pages(operation, givenOf(query), options)),
    iterate: (query = noQuery, options = {}) =>
      fromCallerSync([methods, 'iterate'], () => iterate(operation, givenOf(query), options)),
    watch: (filters = noQuery, options = {}) =>
      fromCallerSync([methods, 'watch'], () => watch(watchable, givenOf(filters), options, watched)),
  }
  return methods
}
