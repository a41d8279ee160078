import { isObject } from '@guild-ledger/validation'
import type { Pagination, Summary } from '../contract/index.ts'
import {
  ApiError,
  detailsOf,
  GuildLedgerError,
  ResponseValidationError,
  withDetails,
  withPage,
  type RequestDetails,
} from '../errors/index.ts'
import type { Operation } from '../operations/index.ts'
import type { CallOptions } from '../transport/index.ts'
import type { ResultVersion } from './result-version.ts'

/** A response body that can be paginated over. */
export interface PaginatedPage {
  readonly pagination: Pagination
  readonly summary?: Summary
}

/** A page with what the response says about the whole result. */
export interface PageResult<Page = unknown, Item = unknown> {
  readonly page: number
  /** Its number in pages of the size that the query asks for: what errors and `onDrift` report. */
  readonly number: number
  /** Undefined where there is no such page. */
  readonly response: Page | undefined
  /** The items on the page in groups, without empty ones. */
  readonly groups: readonly (readonly Item[])[]
  /** How many items there are on the page. */
  readonly count: number
  readonly limit: number
  /** Undefined where the response says nothing about the whole result. */
  readonly version: ResultVersion | undefined
  /** The items on the page in the requested order. */
  readonly items: Item[]
  /** Number of the last page according to this response; the larger number where `total` and `totalPages` differ. */
  readonly lastPage: number
  /** The smaller one. */
  readonly certainPages: number
  /** Number of the page that the service responded with, if it is another one. */
  readonly servedPage: number | undefined
  /** The service's "nothing found", if that was the response. */
  readonly error: ApiError | undefined
  /** What an error says of the request for the page. */
  readonly details: () => RequestDetails
  /** Length of the text of the response. */
  readonly size: number
}

/** Completes an error that the paginator makes itself with the number of a page, and with the request for it. */
export const failedAt = <E extends GuildLedgerError>(
  { number, details }: Pick<PageResult, 'number' | 'details'>,
  error: E,
): E => withPage(Object.assign(error, details()), number)

/** What pages count on a service. */
export type Unit = 'item' | 'group'

/** What a page counts, where it shows: not where each group has one item. */
export const unitOf = (page: PageResult): Unit | undefined => {
  const { groups, count, limit, version } = page
  if (!version || count === groups.length) return undefined
  if (count > limit) return 'group'
  // A page of groups before the last one has more; and were the first page the only one, it would have all items.
  const { uniqueUsers } = version.summary ?? { uniqueUsers: 0 }
  const isBeforeLast = page.page * limit < Math.min(version.total, uniqueUsers)
  const isFirstOfGroups = page.page === 1 && version.summary !== undefined && uniqueUsers <= limit
  return count === limit && (isBeforeLast || isFirstOfGroups) ? 'item' : undefined
}

/** Whether all fields are finite numbers: with `validation` other than `'strict'` anything may be in a field. */
const hasNumbers = (value: unknown, names: readonly string[]) =>
  isObject(value) && names.every((name) => Number.isFinite(Reflect.get(value, name)))

const isPagination = (value: unknown) => hasNumbers(value, ['page', 'limit', 'total', 'totalPages'])
const isSummary = (value: unknown) => hasNumbers(value, ['totalTransactions', 'totalValue', 'uniqueUsers'])

/** The groups on a page that have items. */
const groupsOn = <Page extends PaginatedPage, Item>(
  page: Page,
  { groupsOf }: Pick<Operation<never, Page, Item>, 'groupsOf'>,
): readonly (readonly Item[])[] => {
  const found = isObject(page) && isPagination(page.pagination) ? groupsOf(page) : undefined
  if (found) return found.filter(({ length }) => length > 0)
  throw new ResponseValidationError(
    "Pagination cannot continue: the response lacks `pagination` or `data`. `validation: 'strict'` shows what is wrong.",
    [],
    page,
  )
}

/** Whether an error for a page beyond the last one says that there is no such page. */
export const saysNoSuchPage = (error: unknown) => error instanceof ApiError && [400, 404, 422].includes(error.status)

/** What there is of a page that does not exist. */
const absent = {
  response: undefined,
  groups: [],
  items: [],
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
export const readPage = async <Query extends object, Page extends PaginatedPage, Item>(
  operation: Operation<Query, Page, Item>,
  query: Query & { readonly page: number },
  number: number,
  options: CallOptions,
  order: (groups: readonly (readonly Item[])[]) => Item[],
): Promise<PageResult<Page, Item>> => {
  const { page } = query
  let details: (() => RequestDetails) | undefined
  try {
    const { value: response, size, ...got } = await operation.read(query, options)
    details = got.details
    const groups = groupsOn(response, operation)
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
    const items = order(groups)
    return { ...result, response, groups, items, count: items.length, limit }
  } catch (failure) {
    const error = details ? withDetails(failure, details) : failure
    // The reason of an abort is no failure of this page, and other pages have the same one.
    if (GuildLedgerError.is(error) && error !== options.signal?.reason) withPage(error, number)
    if (error instanceof ApiError && operation.isNothingFound(error))
      return { ...absent, page, number, error, details: () => detailsOf(error) }
    throw error
  }
}
