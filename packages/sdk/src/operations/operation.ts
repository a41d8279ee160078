import type { OperationFacts } from '../contract/operations.ts'
import type { ApiError } from '../errors/index.ts'
import {
  checkedBy,
  withResponse,
  type CallOptions,
  type Context,
  type GetResult,
  type QueryParameters,
  type ResponseInfo,
  type Target,
  type Transport,
} from '../transport/index.ts'
import { checkQuery, checkUser } from './check-query.ts'

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

/** An operation that lists items in pages, bound to a client: what paginators and the client use. */
export interface Operation<Query extends object, Page, Item> extends Target, Items<Query, Page, Item> {
  readonly context: Context
  readonly read: (query: Query, options: CallOptions) => Promise<GetResult<Page>>
  /** @throws {InvalidParameterError} The query violates the contract. */
  readonly check: (query: Query) => void
}

/** An operation of the contract, for the transport of any client. `platformId`: the user that its path names. */
export const defineOperation = <Query extends object, Page extends ResponseProperty, Item>(
  { path: endpoint, query: schema, response }: Pick<OperationFacts, 'path' | 'query' | 'response'>,
  items: Items<Query, Page, Item>,
): ((transport: Transport, platformId?: string) => Operation<Query, Page, Item>) => {
  const decode = checkedBy<Page>(response)
  const isOneUser = endpoint.includes('{platformId}')
  const check = (query: Query) => checkQuery(schema, query, isOneUser)
  return (transport, platformId) => {
    if (isOneUser) checkUser(platformId)
    const path = endpoint.replace('{platformId}', () => encodeURIComponent(platformId ?? ''))
    const read = async (query: Query, options: CallOptions) => {
      check(query)
      const result = await transport.get({ path, endpoint, query: query as QueryParameters, decode, options })
      return { ...result, value: withResponse(result.value, result.response) }
    }
    return { ...items, path, endpoint, context: transport.context, check, read }
  }
}
