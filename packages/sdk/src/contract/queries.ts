import * as z from 'zod/mini'
import { limits } from './limits.ts'

// The message of each schema completes the sentence "page must be …".
const wholeNumber = (allowed: string, min: number, max: number) =>
  z.optional(z.int(allowed).check(z.gte(min, allowed), z.lte(max, allowed)))

const wellFormed = (text: string) => !/\p{Surrogate}/u.test(text)
const text = z.string('a string').check(z.refine(wellFormed, 'text without half characters (lone surrogates)'))

const dateTime =
  /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/
const isDateTime = (value: string) => {
  const day = dateTime.exec(value)?.[1]
  return day !== undefined && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}
/** Whether a value is a point in time as queries take it: a `Date` of a year with four digits, or such a text. */
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

const amountAllowed = `a number of at least ${limits.minAmount}`
const amount = z.optional(z.number(amountAllowed).check(z.gte(limits.minAmount, amountAllowed)))

const sortFields = ['amount', 'quantity', 'total', 'createdAt'] as const
const sortOrders = ['asc', 'desc'] as const
const oneOf = <const T extends readonly string[]>(values: T) =>
  z.optional(z.enum(values, `one of ${values.join(', ')}`))

const userIdAllowed = 'a user identifier: not empty, not "." or ".."'

/** Identifier of a user on the game platform. Its format is not shown. Spec: What the service does. */
export const platformId = text.check(z.refine((id) => id !== '' && id !== '.' && id !== '..', userIdAllowed))

const shared = {
  /** Page number, counted from 1. The largest is not shown. */
  page: wholeNumber(`a whole number of at least ${limits.minPage}`, limits.minPage, Number.MAX_SAFE_INTEGER),
  /** Results per page, 1 to 100. Whether it counts transactions or user groups on list-all is not shown. */
  limit: wholeNumber(`a whole number from ${limits.minLimit} to ${limits.maxLimit}`, limits.minLimit, limits.maxLimit),
  /** Only transactions from this source. How it is matched is not shown. */
  from: z.optional(text),
  /** Only amounts of at least this. */
  minAmount: amount,
  /** Only amounts of at most this. */
  maxAmount: amount,
}

/** Query of `GET /guild/ledger/transactions`, all optional. Spec: Endpoints, 1. */
export const guildQuery = z.strictObject(
  {
    ...shared,
    /** Only this user. */
    platformId: z.optional(platformId),
    /** Start of the date range. Whether it is part of the range is not shown. */
    startDate: date,
    /** End of the date range. Whether it is part of the range is not shown. */
    endDate: date,
    /** What to sort by; `createdAt` unless given. */
    sortBy: oneOf([...sortFields, 'name']),
    /** Sort direction; `desc` unless given. */
    sortOrder: oneOf(sortOrders),
  },
  'an object with parameters',
)
/**
 * What can be asked of list-all: page, filters and order, all optional. Spec: Endpoints, 1.
 *
 * @interface
 */
export type GuildQuery = z.infer<typeof guildQuery>

/**
 * Query of `GET /guild/ledger/{platformId}/transactions`, all optional. Spec: Endpoints, 2.
 *
 * No `platformId`, `startDate` or `endDate`, and no sorting by `name`. The defaults are not shown.
 */
export const userQuery = z.strictObject(
  {
    ...shared,
    /** What to sort by. */
    sortBy: oneOf(sortFields),
    /** Sort direction. */
    sortOrder: oneOf(sortOrders),
  },
  'an object with parameters',
)
/**
 * What can be asked of one user's list, all optional; its defaults are not shown. Spec: Endpoints, 2.
 *
 * @interface
 */
export type UserQuery = z.infer<typeof userQuery>
