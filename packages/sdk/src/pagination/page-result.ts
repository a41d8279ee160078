import { isObject } from '@guild-ledger/validation'
import type { LedgerEntry, Pagination, Summary, UserGroup } from '../contract/index.ts'
import {
  ApiError,
  detailsOf,
  GuildLedgerError,
  ResponseValidationError,
  withPage,
  type RequestDetails,
} from '../errors/index.ts'
import type { Operation } from '../endpoints.ts'
import type { CallOptions } from '../transport/index.ts'
import type { Order } from './order.ts'
import type { ResultVersion } from './result-version.ts'

/** A response body that can be paginated over. */
export interface PaginatedPage {
  readonly pagination: Pagination
  readonly summary?: Summary
}

/** A page with what the response says about the whole result. */
export interface PageResult<Page> {
  readonly page: number
  /** Its number in pages of the size that the query asks for: what errors and `onDrift` report. */
  readonly number: number
  /** Undefined where there is no such page. */
  readonly response: Page | undefined
  /** The users on the page, without those that have no transactions. */
  readonly groups: readonly UserGroup[]
  /** Transactions on the page. */
  readonly count: number
  readonly limit: number
  /** Undefined where the response says nothing about the whole result. */
  readonly version: ResultVersion | undefined
  /** Transactions on the page, each with its user, in the requested order. */
  readonly entries: LedgerEntry[]
  /** Number of the last page according to this response; the larger number where `total` and `totalPages` differ. */
  readonly lastPage: number
  /** The smaller one. */
  readonly certainPages: number
  /** Number of the page that the service responded with, if it is another one. */
  readonly servedPage: number | undefined
  /** The service's "no transactions found", if that was the response. */
  readonly error: ApiError | undefined
  /** What an error says of the request for the page. */
  readonly details: () => RequestDetails
  /** Length of the text of the response. */
  readonly size: number
}

/** Completes an error that the paginator makes itself with the number of a page, and with the request for it. */
export const failedAt = <E extends GuildLedgerError>(
  { number, details }: Pick<PageResult<unknown>, 'number' | 'details'>,
  error: E,
): E => withPage(Object.assign(error, details()), number)

/** What pages count on a service. */
export type Unit = 'transaction' | 'group'

/** What a page counts, where it shows: not where each user has one transaction. */
export const unitOf = (page: PageResult<unknown>): Unit | undefined => {
  const { groups, count, limit, version } = page
  if (!version || count === groups.length) return undefined
  if (count > limit) return 'group'
  // A page of users before the last one has more; and were the first page the only one, it would have all transactions.
  const { uniqueUsers } = version.summary ?? { uniqueUsers: 0 }
  const isBeforeLast = page.page * limit < Math.min(version.total, uniqueUsers)
  const isFirstOfUsers = page.page === 1 && version.summary !== undefined && uniqueUsers <= limit
  return count === limit && (isBeforeLast || isFirstOfUsers) ? 'transaction' : undefined
}

/** A field as a string that distinguishes it: anything may be in it without strict validation. */
const toText = (value: unknown): string =>
  typeof value === 'string' && value[0] !== '[' ? value : JSON.stringify([value])

export type Identified = Pick<LedgerEntry, 'platformId' | 'transactionId'>

/** What makes a transaction the same as another one. The length tells where the user ends. */
export const identityOf = ({ platformId, transactionId }: Identified): string => {
  const user = toText(platformId)
  return `${user.length}:${user}:${toText(transactionId)}`
}

/** Whether all fields are finite numbers: with `validation` other than `'strict'` anything may be in a field. */
const hasNumbers = (value: unknown, names: readonly string[]) =>
  isObject(value) && names.every((name) => Number.isFinite(Reflect.get(value, name)))

const isPagination = (value: unknown) => hasNumbers(value, ['page', 'limit', 'total', 'totalPages'])
const isSummary = (value: unknown) => hasNumbers(value, ['totalTransactions', 'totalValue', 'uniqueUsers'])
const isGroup = (group: unknown) =>
  isObject(group) && 'transactions' in group && Array.isArray(group.transactions) && group.transactions.every(isObject)

/** The users on a page that have transactions. */
const groupsOf = <Page extends PaginatedPage>({ groups }: Operation<never, Page>, page: Page): readonly UserGroup[] => {
  const found: unknown = isObject(page) && isPagination(page.pagination) && groups(page)
  if (Array.isArray(found) && found.every(isGroup)) {
    return (found as UserGroup[]).filter(({ transactions }) => transactions.length > 0)
  }
  throw new ResponseValidationError(
    "Pagination cannot continue: the response lacks `pagination` or `data`. `validation: 'strict'` shows what is wrong.",
    [],
    page,
  )
}

/** Whether an error for a page beyond the last one says that there is no such page. */
export const saysNoSuchPage = (error: unknown) => error instanceof ApiError && [400, 404, 422].includes(error.status)

/** Whether an error is the service's "no transactions found", for the guild or for a user. */
const isNothingFound = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.code === 'no_guild_transactions' || error.code === 'no_user_transactions')

/** What there is of a page that does not exist. */
const absent = {
  response: undefined,
  groups: [],
  entries: [],
  count: 0,
  limit: 0,
  version: undefined,
  lastPage: 0,
  certainPages: 0,
  servedPage: undefined,
  error: undefined,
  size: 0,
}

/** Requests one page. An error carries its number in pages of the size that the query asks for. */
export const readPage = async <Query extends object, Page extends PaginatedPage>(
  operation: Operation<Query, Page>,
  query: Query & { readonly page: number },
  number: number,
  options: CallOptions,
  order: Order,
): Promise<PageResult<Page>> => {
  const { page } = query
  try {
    return await operation.read(query, options, (response, details, size = 0) => {
      const groups = groupsOf(operation, response)
      const { pagination, summary } = response
      const { total, totalPages, limit } = pagination
      const stated = [totalPages, Math.ceil(total / (limit || 1))]
      const result = {
        ...absent,
        page,
        number,
        details,
        size,
        version: { total, summary: isSummary(summary) ? summary : undefined },
        lastPage: Math.max(...stated),
        certainPages: Math.min(...stated),
      }
      // A service that responds with the last page to a request for one beyond it has no such page.
      if (pagination.page !== page) return { ...result, servedPage: pagination.page }
      const entries = order(groups)
      return { ...result, response, groups, entries, count: entries.length, limit }
    })
  } catch (error) {
    // The reason of an abort is no failure of this page, and other pages have the same one.
    if (GuildLedgerError.is(error) && error !== options.signal?.reason) withPage(error, number)
    if (isNothingFound(error)) return { ...absent, page, number, error, details: () => detailsOf(error) }
    throw error
  }
}
