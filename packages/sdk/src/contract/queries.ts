import { describeRange } from '@guild-ledger/validation'
import * as z from 'zod/mini'
import { limits } from './limits.ts'

// The message of each schema completes the sentence "`page` must be …".
const integer = (min: number, max = Number.MAX_SAFE_INTEGER) => {
  const expected = describeRange('an integer', min, max)
  return z.optional(z.int(expected).check(z.gte(min, expected), z.lte(max, expected)))
}

const isWellFormed = (value: string) => !/\p{Surrogate}/u.test(value)
const string = z.string('a string').check(z.refine(isWellFormed, 'a string without lone surrogates'))

const dateTime =
  /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/
const isDateTime = (value: string) => {
  const day = dateTime.exec(value)?.[1]
  return day !== undefined && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}
/** Whether a value is a date as queries accept it: a `Date` of a year with four digits, or an ISO 8601 string. */
export const isDate = (value: unknown): value is Date | string =>
  value instanceof Date
    ? !Number.isNaN(value.getTime()) && isDateTime(value.toISOString())
    : typeof value === 'string' && isDateTime(value)
const date = z.optional(
  z.custom<Date | string>(
    isDate,
    'a valid Date, or an ISO 8601 date-time with its offset such as 2026-01-31T00:00:00Z',
  ),
)

const amountExpected = describeRange('a number', limits.minAmount)
const amount = z.optional(z.number(amountExpected).check(z.gte(limits.minAmount, amountExpected)))

const sortFields = ['amount', 'quantity', 'total', 'createdAt'] as const
const sortOrders = ['asc', 'desc'] as const
const oneOf = <const T extends readonly string[]>(values: T) =>
  z.optional(z.enum(values, `one of ${values.join(', ')}`))

const userIdExpected = 'a user identifier: not empty, not "." or ".."'

/** Schema of the identifier of a user on the game platform. Its format is unspecified. Spec: What the service does. */
export const platformId = string.check(z.refine((id) => id !== '' && id !== '.' && id !== '..', userIdExpected))

const shared = {
  page: integer(limits.minPage),
  limit: integer(limits.minLimit, limits.maxLimit),
  from: z.optional(string),
  minAmount: amount,
  maxAmount: amount,
}

/**
 * What both operations take.
 *
 * @internal
 */
interface SharedQuery {
  /** Page number, counted from 1. The largest is unspecified. @default 1 on list-all, unspecified for one user */
  page?: number | undefined
  /**
   * Results per page, 1 to 100. Whether it counts transactions or user groups on list-all is unspecified.
   *
   * @default 20 on list-all, unspecified for one user; 100 in paginators
   */
  limit?: number | undefined
  /** Only transactions from this source. How it is matched is unspecified. @default all sources */
  from?: string | undefined
  /** Only transactions with at least this amount, 0 or more. @default no minimum */
  minAmount?: number | undefined
  /** Only transactions with at most this amount, 0 or more. @default no maximum */
  maxAmount?: number | undefined
}

/** Schema of `GuildQuery`. */
export const guildQuery = z.strictObject(
  {
    ...shared,
    platformId: z.optional(platformId),
    startDate: date,
    endDate: date,
    sortBy: oneOf([...sortFields, 'name']),
    sortOrder: oneOf(sortOrders),
  },
  'an object with parameters',
)
/** Query of list-all, `GET /guild/ledger/transactions`: page, filters and order, all optional. Spec: Endpoints, 1. */
export interface GuildQuery extends SharedQuery {
  /** Only this user, by the identifier on the game platform. @default all users */
  platformId?: string | undefined
  /**
   * Start of the date range: a `Date`, or an ISO 8601 date-time with its offset. Whether it is part of the range is
   * unspecified.
   *
   * @default no start
   */
  startDate?: Date | string | undefined
  /**
   * End of the date range: a `Date`, or an ISO 8601 date-time with its offset. Whether it is part of the range is
   * unspecified.
   *
   * @default no end
   */
  endDate?: Date | string | undefined
  /** Field to sort by. The order of equal values is unspecified. @default 'createdAt' */
  sortBy?: 'amount' | 'quantity' | 'total' | 'createdAt' | 'name' | undefined
  /** Sort direction: ascending or descending. @default 'desc' */
  sortOrder?: 'asc' | 'desc' | undefined
}

/** Schema of `UserQuery`. */
export const userQuery = z.strictObject(
  {
    ...shared,
    sortBy: oneOf(sortFields),
    sortOrder: oneOf(sortOrders),
  },
  'an object with parameters',
)
/**
 * Query of one user's list, `GET /guild/ledger/{platformId}/transactions`, all optional. It has no dates and no sorting by
 * `name`; its defaults are unspecified. Spec: Endpoints, 2.
 */
export interface UserQuery extends SharedQuery {
  /** Field to sort by. The order of equal values is unspecified. @default unspecified */
  sortBy?: 'amount' | 'quantity' | 'total' | 'createdAt' | undefined
  /** Sort direction: ascending or descending. @default unspecified */
  sortOrder?: 'asc' | 'desc' | undefined
}
