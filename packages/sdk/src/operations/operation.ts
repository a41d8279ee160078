import type { OperationFacts } from '../contract/operations.ts'
import type { ApiError, RequestDetails } from '../errors/index.ts'
import {
  withResponse,
  type CallOptions,
  type Decoder,
  type QueryParameters,
  type ResponseInfo,
  type Target,
  type Transport,
} from '../transport/index.ts'
import { checkQuery } from './check-query.ts'

/** What a page has besides the fields of the response body. It is neither enumerable nor serialised. */
export interface ResponseProperty {
  /**
   * The response behind the page. A field of this name in the body comes first: `responseOf(page)` always works. A copy
   * such as `{ ...page }` has none, although its type says so.
   */
  readonly response: ResponseInfo
}

/** What pagination has to know of the pages and items of an operation. */
export interface Items<Query, Page, Item> {
  /** The items of a page in the groups that the response has, or in one; undefined if the body has another form. */
  readonly groupsOf: (page: Page) => readonly (readonly Item[])[] | undefined
  /** Makes one sequence of the groups of a page, in the order that a query asks for. */
  readonly orderOf: (query: Query) => (groups: readonly (readonly Item[])[]) => Item[]
  /** What makes an item the same as another one. */
  readonly identityOf: (item: Item) => string
  /** Whether an error response says that there is nothing to list. */
  readonly isNothingFound: (error: ApiError) => boolean
}

/** An operation that lists items in pages, bound to a transport: what paginators and the client use. */
export interface Operation<Query extends object, Page, Item> extends Target, Items<Query, Page, Item> {
  readonly transport: Transport
  /** Requests a page, and resolves with what `use` makes of it: that fails as the request would, with its details. */
  readonly read: <R>(
    query: Query,
    options: CallOptions,
    use: (page: Page, details: () => RequestDetails, size?: number) => R,
  ) => Promise<R>
  /** @throws {InvalidParameterError} The query violates the contract. */
  readonly check: (query: Query) => void
}

/** What the client makes of an operation of the contract. */
export interface Definition<Query, Page, Item> extends Items<Query, Page, Item> {
  readonly decode: Decoder<Page>
}

/** Binds an operation of the contract to a transport. `platformId`: the user that its path names. */
export const bindOperation = <Query extends object, Page extends ResponseProperty, Item>(
  transport: Transport,
  { path: endpoint, query: schema }: Pick<OperationFacts, 'path' | 'query'>,
  { decode, ...items }: Definition<Query, Page, Item>,
  platformId = '',
): Operation<Query, Page, Item> => {
  const path = endpoint.replace('{platformId}', () => encodeURIComponent(platformId))
  const check = (query: Query) => checkQuery(schema, query, path !== endpoint)
  return {
    ...items,
    path,
    endpoint,
    transport,
    check,
    read: (query, options, use) => {
      check(query)
      return transport.get({ path, endpoint }, query as QueryParameters, decode, options, (page, info, details, size) =>
        use(withResponse(page, info), details, size),
      )
    },
  }
}
