import { describeRange, isDateObject } from '@guild-ledger/validation'
import * as z from 'zod/mini'
import { limits } from './limits.ts'
import { oneOf, string as text } from './schemas.ts'

/** A query parameter. Spec: Endpoints, 1 and 2. */
export interface Parameter {
  /** What its text in a URL means. */
  readonly type: 'integer' | 'number' | 'string' | 'date-time'
  /** Smallest value, where there is one. */
  readonly min?: number
  /** Largest value, where there is one. */
  readonly max?: number
  /** Its default on list-all. One user's list has no documented defaults. */
  readonly default?: number | string
  /** The parameter whose value must not be below this one's. */
  readonly upTo?: string
  /** Whether its value names a person. */
  readonly namesPerson?: true
}

// The message of each schema completes the sentence "`page` must be …".
const range = (kind: 'a number' | 'an integer', min: number, max = Infinity) => {
  const expected = describeRange(kind, min, max)
  const isOfKind = kind === 'a number' ? Number.isFinite : Number.isSafeInteger
  const isInRange = (value: number) => isOfKind(value) && value >= min && value <= max
  return z.optional(z.number(expected).check(z.refine(isInRange, expected)))
}

const isWellFormed = (value: string) => !/\p{Surrogate}/u.test(value)
const string = text.check(z.refine(isWellFormed, 'a string without lone surrogates'))

const dateTime =
  /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/
const isDateTime = (value: string) => {
  const day = dateTime.exec(value)?.[1]
  return day !== undefined && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}
/** Whether a value is a date as queries accept it: a `Date` of a year with four digits, or an ISO 8601 string. */
export const isDate = (value: unknown): value is Date | string =>
  isDateObject(value)
    ? !Number.isNaN(value.getTime()) && isDateTime(value.toISOString())
    : typeof value === 'string' && isDateTime(value)
export const dateExpected = 'a valid Date, or an ISO 8601 date-time with its offset such as 2026-01-31T00:00:00Z'
const date = z.optional(z.custom<Date | string>(isDate, dateExpected))

const amount = range('a number', limits.minAmount)

const userIdExpected = 'a user identifier: not empty, not "." or ".."'

export const platformId = string.check(z.refine((id) => id !== '' && id !== '.' && id !== '..', userIdExpected))

const page = range('an integer', limits.minPage)
const limit = range('an integer', limits.minLimit, limits.maxLimit)
const from = z.optional(string)
const sortOrder = z.optional(oneOf(['asc', 'desc']))
const sortFields = ['amount', 'quantity', 'total', 'createdAt'] as const

/** What both operations take. @internal */
interface SharedQuery {
  /**
   * Page number, counted from 1. Unspecified: the largest page number; on list-all, whether transactions or user groups are counted.
   *
   * @default 1 on list-all, unspecified for one user
   */
  page?: number | undefined
  /**
   * Results per page, 1 to 100. Unspecified: on list-all, whether transactions or user groups are counted.
   *
   * @default 20 on list-all, unspecified for one user; 100 in paginators
   */
  limit?: number | undefined
  /** Only transactions with this `source`. Unspecified: the matching rule; the allowed values. @default all sources */
  from?: string | undefined
  /**
   * Only transactions with at least this amount, 0 or more. Unspecified: the response if it is above `maxAmount`.
   *
   * @default no minimum
   */
  minAmount?: number | undefined
  /** Only transactions with at most this amount, 0 or more. @default no maximum */
  maxAmount?: number | undefined
}

export const guildQuery = z.strictObject(
  {
    page,
    limit,
    platformId: z.optional(platformId),
    from,
    minAmount: amount,
    maxAmount: amount,
    startDate: date,
    endDate: date,
    sortBy: z.optional(oneOf([...sortFields, 'name'])),
    sortOrder,
  },
  'an object with parameters',
)
/** Query of list-all, `GET /guild/ledger/transactions`: page, filters and order, all optional. Spec: Endpoints, 1. */
export interface GuildQuery extends SharedQuery {
  /**
   * Only this user, by the identifier on the game platform. Unspecified: the format of the identifier.
   *
   * @default all users
   */
  platformId?: string | undefined
  /**
   * Start of the date range: an ISO 8601 date-time with its offset, or a `Date`. Unspecified: whether the bound is inclusive.
   *
   * @default no start
   */
  startDate?: Date | string | undefined
  /**
   * End of the date range: an ISO 8601 date-time with its offset, or a `Date`. Unspecified: whether the bound is inclusive.
   *
   * @default no end
   */
  endDate?: Date | string | undefined
  /**
   * Field to sort by. Unspecified: the order of equal values; the order of upper and lower case in names.
   *
   * @default 'createdAt'
   */
  sortBy?: 'amount' | 'quantity' | 'total' | 'createdAt' | 'name' | undefined
  /** Sort direction: ascending or descending. @default 'desc' */
  sortOrder?: 'asc' | 'desc' | undefined
}

export const userQuery = z.strictObject(
  { page, limit, from, minAmount: amount, maxAmount: amount, sortBy: z.optional(oneOf(sortFields)), sortOrder },
  'an object with parameters',
)
/**
 * Query of one user's list, `GET /guild/ledger/{platformId}/transactions`, all optional. It has no dates and no sorting by
 * `name`; its defaults are unspecified. Spec: Endpoints, 2.
 */
export interface UserQuery extends SharedQuery {
  /** Field to sort by. Unspecified: the order of equal values. @default unspecified */
  sortBy?: 'amount' | 'quantity' | 'total' | 'createdAt' | undefined
  /** Sort direction: ascending or descending. @default unspecified */
  sortOrder?: 'asc' | 'desc' | undefined
}

/**
 * Every query parameter: what the SDK checks, the mock parses and OpenAPI describes, with the comments of `GuildQuery` and
 * `UserQuery`. The query of an operation says which of them it takes. Spec: Endpoints, 1 and 2.
 */
export const parameters: { readonly [Name in keyof (GuildQuery & UserQuery)]-?: Parameter } = {
  page: { type: 'integer', min: limits.minPage, default: 1 },
  limit: { type: 'integer', min: limits.minLimit, max: limits.maxLimit, default: limits.defaultLimit },
  platformId: { type: 'string', namesPerson: true },
  from: { type: 'string' },
  minAmount: { type: 'number', min: limits.minAmount, upTo: 'maxAmount' },
  maxAmount: { type: 'number', min: limits.minAmount },
  startDate: { type: 'date-time', upTo: 'endDate' },
  endDate: { type: 'date-time' },
  sortBy: { type: 'string', default: 'createdAt' },
  sortOrder: { type: 'string', default: 'desc' },
}
