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
  readonly parse: (text: string) => string | number | undefined
  /** Smallest and largest value, where there are such. */
  readonly bounds?: readonly [number, number]
  /** What is allowed, where the words of the contract do not fit a query string. */
  readonly expected?: string
}

const toInteger = (text: string) => (/^-?\d+$/.test(text) ? Number(text) : undefined)
const toNumber = (text: string) => (/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined)
const asSent = (text: string) => text
const dateTimeParameter: Parameter = {
  parse: asSent,
  expected: 'an ISO 8601 date-time with its offset such as 2026-01-31T00:00:00Z',
}
const amountBound: Parameter = { parse: toNumber, bounds: [limits.minAmount, Number.MAX_VALUE] }

const parameters: Readonly<Record<string, Parameter>> = {
  page: { parse: toInteger, bounds: [limits.minPage, Number.MAX_SAFE_INTEGER] },
  limit: { parse: toInteger, bounds: [limits.minLimit, limits.maxLimit] },
  platformId: { parse: asSent },
  from: { parse: asSent },
  minAmount: amountBound,
  maxAmount: amountBound,
  startDate: dateTimeParameter,
  endDate: dateTimeParameter,
  sortBy: { parse: asSent },
  sortOrder: { parse: asSent },
} satisfies Record<keyof ParsedQuery, Parameter>

const shapes = { guild: guildQuery.shape, user: userQuery.shape }

/** The value of a parameter, or what is wrong with it. */
const parseParameter = (endpoint: Endpoint, name: string, text: string, assumptions: Assumptions) => {
  const { maxPage, invalidParameter } = assumptions
  const { parse, bounds, expected } = parameters[name] ?? { parse: asSent }
  const value = parse(text)
  const [issue] = issuesOf(shapes[endpoint][name as keyof typeof userQuery.shape], value ?? Number.NaN)
  const isBeyond = name === 'page' && maxPage !== null && Number(value) > maxPage
  if (!issue && !isBeyond) return { value: expected && value !== undefined ? Date.parse(String(value)) : value }
  if (invalidParameter === 'clamp' && bounds && typeof value === 'number') {
    const [min, max] = bounds
    return { value: Math.max(min, Math.min(value, isBeyond ? maxPage : max)) }
  }
  const allowed = issue ? (expected ?? issue.expected) : describeRange('an integer', limits.minPage, Number(maxPage))
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
