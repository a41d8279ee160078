import { guildQuery, limits, userQuery, type Endpoint } from '@guild-ledger/sdk/contract'
import { describeRange, describeValue, formatIssue, issuesOf } from '@guild-ledger/validation'
import type { Assumptions } from '../assumptions/index.ts'
import { valuesIn, type SentQuery } from '../request-matcher.ts'
import type { Sort, SortField } from '../store/index.ts'

/** The parameters of a request, with defaults filled in. Times are milliseconds since 1970. */
export interface ParsedQuery {
  readonly page: number
  readonly limit: number
  readonly sortBy: SortField
  readonly sortOrder: Sort['order']
  readonly platformId?: string
  readonly from?: string
  readonly minAmount?: number
  readonly maxAmount?: number
  readonly startDate?: number
  readonly endDate?: number
}

interface Parameter {
  /** The value of the parameter; `undefined` where the string holds none. */
  readonly parse: (text: string, assumptions: Assumptions) => string | number | undefined
  /** Whether a value is allowed, where that is not for the contract to say. */
  readonly accepts?: (value: string | number | undefined) => boolean
  /** Smallest and largest value, where there are such. */
  readonly bounds?: readonly [number, number]
  /** Whether only integers are allowed. */
  readonly isInteger?: true
  /** What is allowed, where the words of the contract do not fit a query string. */
  readonly expected?: (assumptions: Assumptions) => string
}

const toInteger = (text: string) => (/^-?\d+$/.test(text) ? Number(text) : undefined)
const toNumber = (text: string) => (/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined)
const asSent = (text: string) => text

const withoutOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/
const dateAlone = /^\d{4}-\d\d-\d\d$/
const toDateTime = (text: string, { dateTimeForms }: Assumptions): string => {
  if (dateTimeForms !== 'offset' && withoutOffset.test(text)) return `${text}Z`
  return dateTimeForms === 'date' && dateAlone.test(text) ? `${text}T00:00Z` : text
}
const expectedDateTimes: Record<Assumptions['dateTimeForms'], string> = {
  offset: 'an ISO 8601 date-time with its offset such as 2026-01-31T00:00:00Z',
  'no-offset': 'an ISO 8601 date-time such as 2026-01-31T00:00:00',
  date: 'an ISO 8601 date or date-time such as 2026-01-31',
}
const dateTimeParameter: Parameter = {
  parse: toDateTime,
  expected: ({ dateTimeForms }) => expectedDateTimes[dateTimeForms],
}
const amountBound: Parameter = { parse: toNumber, bounds: [limits.minAmount, Number.MAX_VALUE] }

const parameters: Readonly<Record<string, Parameter>> = {
  page: {
    // The spec has no largest page: one that no number can hold exactly is far behind the last.
    parse: (text) => {
      const value = toInteger(text)
      return value === undefined ? undefined : Math.min(value, Number.MAX_VALUE)
    },
    accepts: (value) => Number(value) >= limits.minPage,
    bounds: [limits.minPage, Number.MAX_VALUE],
    isInteger: true,
  },
  limit: { parse: toInteger, bounds: [limits.minLimit, limits.maxLimit], isInteger: true },
  // As a filter any string is allowed; only in a path do some not arrive.
  platformId: { parse: asSent, accepts: () => true },
  from: { parse: asSent },
  minAmount: amountBound,
  maxAmount: amountBound,
  startDate: dateTimeParameter,
  endDate: dateTimeParameter,
  sortBy: { parse: asSent },
  sortOrder: { parse: asSent },
} satisfies Record<keyof ParsedQuery, Parameter>

const shapes = { guild: guildQuery.shape, user: userQuery.shape }

const nearestIn = ({ bounds, isInteger }: Parameter, text: string, largest: number): number | undefined => {
  const number = toNumber(text)
  if (!bounds || number === undefined) return undefined
  const [min, max] = bounds
  return Math.max(min, Math.min(isInteger ? Math.round(number) : number, max, largest))
}

/** The value of a parameter, or what is wrong with it. */
const parseParameter = (endpoint: Endpoint, name: string, text: string, assumptions: Assumptions) => {
  const { maxPage, invalidParameter } = assumptions
  const parameter = parameters[name] ?? { parse: asSent }
  const { parse, accepts, expected } = parameter
  const value = parse(text, assumptions)
  const isAccepted = value !== undefined && accepts?.(value) === true
  const shape = shapes[endpoint][name as keyof typeof userQuery.shape]
  const [issue] = isAccepted ? [] : issuesOf(shape, value ?? Number.NaN)
  const isBeyond = name === 'page' && maxPage !== null && Number(value) > maxPage
  if (!issue && !isBeyond) return { value: expected && value !== undefined ? Date.parse(String(value)) : value }
  const nearest = nearestIn(parameter, text, name === 'page' ? (maxPage ?? Infinity) : Infinity)
  if (invalidParameter === 'clamp' && nearest !== undefined) return { value: nearest }
  const allowed = issue
    ? (expected?.(assumptions) ?? issue.expected)
    : describeRange('an integer', limits.minPage, Number(maxPage))
  return { violation: formatIssue({ path: name, expected: allowed, received: describeValue(text) }) }
}

const invertedRanges = (parsed: ParsedQuery): string[] => [
  ...((parsed.minAmount ?? 0) > (parsed.maxAmount ?? Infinity) ? ['`minAmount` must not be above `maxAmount`'] : []),
  ...((parsed.startDate ?? -Infinity) > (parsed.endDate ?? Infinity)
    ? ['`startDate` must not be after `endDate`']
    : []),
]

const defaultsOf = (endpoint: Endpoint, { userLimit, userSortBy, userSortOrder }: Assumptions): ParsedQuery =>
  endpoint === 'guild'
    ? { page: 1, limit: limits.defaultLimit, sortBy: 'createdAt', sortOrder: 'desc' }
    : { page: 1, limit: userLimit, sortBy: userSortBy, sortOrder: userSortOrder }

/** Parses the query of an operation: its parameters, and everything that is wrong with them. */
export const parseQuery = (
  endpoint: Endpoint,
  query: SentQuery,
  assumptions: Assumptions,
): { parsed: ParsedQuery; violations: readonly string[] } => {
  const { invalidParameter, invertedRange, repeatedParameter, unlistedParameter } = assumptions
  const values: Record<string, unknown> = {}
  const violations: string[] = []
  for (const name of Object.keys(query)) {
    if (!Object.hasOwn(shapes[endpoint], name)) {
      if (unlistedParameter === 'reject') violations.push(`\`${name}\` is not a parameter of this endpoint`)
      continue
    }
    const sent = valuesIn(query, name)
    if (sent.length > 1 && repeatedParameter === 'reject') {
      violations.push(`\`${name}\` must be given once, got it ${sent.length} times`)
    }
    const text = sent.at(repeatedParameter === 'last' ? -1 : 0) ?? ''
    const { value, violation } = parseParameter(endpoint, name, text, assumptions)
    if (violation && invalidParameter === 'reject') violations.push(violation)
    if (value !== undefined) values[name] = value
  }
  const parsed: ParsedQuery = { ...defaultsOf(endpoint, assumptions), ...values }
  if (invertedRange === 'reject') violations.push(...invertedRanges(parsed))
  return { parsed, violations }
}
