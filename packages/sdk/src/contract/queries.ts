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
  /** Page number, counted from 1. The largest is unspecified. */
  page: integer(limits.minPage),
  /** Results per page, 1 to 100. Whether it counts transactions or user groups on list-all is unspecified. */
  limit: integer(limits.minLimit, limits.maxLimit),
  /** Only transactions from this source. How it is matched is unspecified. */
  from: z.optional(string),
  /** Only transactions with at least this amount. */
  minAmount: amount,
  /** Only transactions with at most this amount. */
  maxAmount: amount,
}

/** Schema of `GuildQuery`. */
export const guildQuery = z.strictObject(
  {
    ...shared,
    /** Only this user. */
    platformId: z.optional(platformId),
    /** Start of the date range. Whether it is part of the range is unspecified. */
    startDate: date,
    /** End of the date range. Whether it is part of the range is unspecified. */
    endDate: date,
    /** Field to sort by. @default 'createdAt' */
    sortBy: oneOf([...sortFields, 'name']),
    /** Sort direction. @default 'desc' */
    sortOrder: oneOf(sortOrders),
  },
  'an object with parameters',
)
/**
 * Query of list-all, `GET /guild/ledger/transactions`: page, filters and order, all optional. Spec: Endpoints, 1.
 *
 * @interface
 */
export type GuildQuery = z.infer<typeof guildQuery>

/** Schema of `UserQuery`. */
export const userQuery = z.strictObject(
  {
    ...shared,
    /** Field to sort by. */
    sortBy: oneOf(sortFields),
    /** Sort direction. */
    sortOrder: oneOf(sortOrders),
  },
  'an object with parameters',
)
/**
 * Query of one user's list, `GET /guild/ledger/{platformId}/transactions`, all optional. It has no dates and no sorting by
 * `name`; its defaults are unspecified. Spec: Endpoints, 2.
 *
 * @interface
 */
export type UserQuery = z.infer<typeof userQuery>
