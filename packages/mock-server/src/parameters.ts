import { guildQuery, inWords, issuesOf, limits, userQuery, type Endpoint } from '@guild-ledger/sdk/contract'
import type { Assumptions } from './assumptions/index.ts'
import type { Sort, SortField } from './store/index.ts'

/** What a request asks for, with defaults filled in. Times are milliseconds since 1970. */
export interface Wanted {
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
  /** The value in the text; `undefined` if there is none in it. */
  readonly read: (text: string) => string | number | undefined
  /** Smallest and largest value, where there are such. */
  readonly bounds?: readonly [number, number]
  /** What is allowed, where the contract's own words are not for a query string. */
  readonly allowed?: string
}

const wholeNumber = (text: string) => (/^-?\d+$/.test(text) ? Number(text) : undefined)
const number = (text: string) => (/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined)
const asGiven = (text: string) => text
const date: Parameter = { read: asGiven, allowed: 'an ISO 8601 date-time with its offset such as 2026-01-31T00:00:00Z' }
const amount: Parameter = { read: number, bounds: [limits.minAmount, Number.MAX_VALUE] }

const parameters: Readonly<Record<string, Parameter>> = {
  page: { read: wholeNumber, bounds: [limits.minPage, Number.MAX_SAFE_INTEGER] },
  limit: { read: wholeNumber, bounds: [limits.minLimit, limits.maxLimit] },
  platformId: { read: asGiven },
  from: { read: asGiven },
  minAmount: amount,
  maxAmount: amount,
  startDate: date,
  endDate: date,
  sortBy: { read: asGiven },
  sortOrder: { read: asGiven },
} satisfies Record<keyof Wanted, Parameter>

const shapes = { guild: guildQuery.shape, user: userQuery.shape }

/** The value of a parameter, or what is wrong with it. */
const read = (endpoint: Endpoint, name: string, text: string, { maxPage, invalidParameter }: Assumptions) => {
  const { read: valueIn, bounds, allowed } = parameters[name] ?? { read: asGiven }
  const value = valueIn(text)
  const [issue] = issuesOf(shapes[endpoint][name as keyof typeof userQuery.shape], value ?? Number.NaN)
  const tooFar = name === 'page' && maxPage !== null && Number(value) > maxPage
  if (!issue && !tooFar) return { value: allowed && value !== undefined ? Date.parse(String(value)) : value }
  if (invalidParameter === 'clamp' && bounds && typeof value === 'number') {
    const [min, max] = bounds
    return { value: Math.max(min, Math.min(value, tooFar ? maxPage : max)) }
  }
  const expected = issue ? (allowed ?? issue.expected) : `a whole number from ${limits.minPage} to ${maxPage}`
  return { flaw: `${name} must be ${expected}, not ${inWords(text)}` }
}

const inverted = (wanted: Wanted): string[] => [
  ...((wanted.minAmount ?? 0) > (wanted.maxAmount ?? Infinity) ? ['minAmount must not be above maxAmount'] : []),
  ...((wanted.startDate ?? -Infinity) > (wanted.endDate ?? Infinity) ? ['startDate must not be after endDate'] : []),
]

const defaultsOf = (endpoint: Endpoint, { userLimit, userSortBy, userSortOrder }: Assumptions): Wanted =>
  endpoint === 'guild'
    ? { page: 1, limit: limits.defaultLimit, sortBy: 'createdAt', sortOrder: 'desc' }
    : { page: 1, limit: userLimit, sortBy: userSortBy, sortOrder: userSortOrder }

/** Reads the query string of an operation: what it asks for, and everything that speaks against it. */
export const readParameters = (
  endpoint: Endpoint,
  given: URLSearchParams,
  assumptions: Assumptions,
): { wanted: Wanted; flaws: readonly string[] } => {
  const { invalidParameter, invertedRange, repeatedParameter, unlistedParameter } = assumptions
  const values: Record<string, unknown> = {}
  const flaws: string[] = []
  for (const name of new Set(given.keys())) {
    const texts = given.getAll(name)
    if (!Object.hasOwn(shapes[endpoint], name)) {
      if (unlistedParameter === 'reject') flaws.push(`${inWords(name)} is not a parameter of this endpoint`)
      continue
    }
    if (texts.length > 1 && repeatedParameter === 'reject')
      flaws.push(`${name} must be given once, not ${texts.length} times`)
    const text = texts.at(repeatedParameter === 'last' ? -1 : 0) ?? ''
    const { value, flaw } = read(endpoint, name, text, assumptions)
    if (flaw && invalidParameter === 'reject') flaws.push(flaw)
    if (value !== undefined) values[name] = value
  }
  const wanted: Wanted = { ...defaultsOf(endpoint, assumptions), ...values }
  if (invertedRange === 'reject') flaws.push(...inverted(wanted))
  return { wanted, flaws }
}
