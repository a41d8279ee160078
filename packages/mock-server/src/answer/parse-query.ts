import {
  limits,
  operations,
  parameters,
  type Endpoint,
  type GuildQuery,
  type Parameter,
  type StandardSchema,
} from '@guild-ledger/sdk/contract'
import { describeRange, describeValue, formatIssue, issuesOf } from '@guild-ledger/validation'
import type { Assumptions } from '../assumptions/values.ts'
import { valuesIn, type SentQuery } from '../request-matcher.ts'

type Parsed<Value> = Date extends Value ? number : Exclude<Value, undefined>

type Defaulted = { readonly [Name in 'page' | 'limit' | 'sortBy' | 'sortOrder']: Parsed<GuildQuery[Name]> }

/** The values of parameters that were not sent. Each assumption is read only where it can matter: reads are recorded. */
export type Defaults = { readonly [Name in keyof Defaulted]: (assumptions: Assumptions) => Defaulted[Name] }

/** The parameters of a request, with defaults filled in. Times are milliseconds since 1970. */
export type ParsedQuery = Defaulted & { readonly [Name in keyof GuildQuery]?: Parsed<GuildQuery[Name]> }

// No number holds a page as large as a text can: one that large is far behind the last.
const toInteger = (text: string) => (/^-?\d+$/.test(text) ? Math.min(Number(text), Number.MAX_VALUE) : undefined)
const toNumber = (text: string) => (/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined)

const withoutOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/
const dateAlone = /^\d{4}-\d\d-\d\d$/
const toDateTime = (text: string, assumptions: Assumptions): string => {
  if (withoutOffset.test(text)) return assumptions.dateTimeForms === 'offset' ? text : `${text}Z`
  return dateAlone.test(text) && assumptions.dateTimeForms === 'date' ? `${text}T00:00Z` : text
}
const expectedDateTimes: Record<Assumptions['dateTimeForms'], string> = {
  offset: 'an ISO 8601 date-time with its offset such as 2026-01-31T00:00:00Z',
  'no-offset': 'an ISO 8601 date-time such as 2026-01-31T00:00:00',
  date: 'an ISO 8601 date or date-time such as 2026-01-31',
}

/** The value that a text holds; `undefined` where it holds none. */
const readers: Record<Parameter['type'], (text: string, assumptions: Assumptions) => string | number | undefined> = {
  integer: toInteger,
  number: toNumber,
  string: (text) => text,
  'date-time': toDateTime,
}

const accepted: Readonly<Record<string, (value: unknown) => boolean>> = {
  // The spec has no largest page.
  page: (value) => Number(value) > 0,
  // As a filter any string is allowed; only in a path do some not arrive.
  platformId: () => true,
}

const nearestIn = ({ min, max = Infinity }: Parameter, text: string, largest: number): number | undefined => {
  const number = toNumber(text)
  if (min === undefined || number === undefined) return undefined
  return Math.max(min, Math.min(Math.round(number), max, largest, Number.MAX_VALUE))
}

type ParameterName = keyof typeof parameters
const parseParameter = (name: ParameterName, schema: StandardSchema, text: string, assumptions: Assumptions) => {
  const parameter: Parameter = parameters[name]
  const maxPage = name === 'page' ? assumptions.maxPage : null
  const isDate = parameter.type === 'date-time'
  const value = readers[parameter.type](text, assumptions)
  const [issue] = accepted[name]?.(value) ? [] : issuesOf(schema, value ?? Number.NaN)
  const isBeyond = maxPage !== null && Number(value) > maxPage
  if (!issue && !isBeyond) return { value: isDate ? Date.parse(String(value)) : value }
  if (assumptions.invalidParameter === 'clamp') return { value: nearestIn(parameter, text, maxPage ?? Infinity) }
  const expected = isDate ? expectedDateTimes[assumptions.dateTimeForms] : issue?.expected
  const allowed = expected ?? describeRange('an integer', limits.minPage, Number(maxPage))
  return { violation: formatIssue({ path: name, expected: allowed, received: describeValue(text) }) }
}

const invertedRanges = (parsed: ParsedQuery): string[] =>
  Object.entries<Parameter>(parameters).flatMap(([name, { type, upTo }]) => {
    const [low, high] = [parsed[name as keyof ParsedQuery], parsed[upTo as keyof ParsedQuery]]
    if (low === undefined || high === undefined || low <= high) return []
    return [`\`${name}\` must not be ${type === 'date-time' ? 'after' : 'above'} \`${upTo}\``]
  })

const textOf: Record<Assumptions['repeatedParameter'], (sent: readonly string[]) => string | undefined> = {
  first: (sent) => sent[0],
  last: (sent) => sent.at(-1),
  joined: (sent) => sent.join(','),
  reject: (sent) => sent[0],
}

/** Parses the query of an operation: its parameters, and everything that is wrong with them. */
export const parseQuery = (
  endpoint: Endpoint,
  defaults: Defaults,
  query: SentQuery,
  assumptions: Assumptions,
): { parsed: ParsedQuery; violations: readonly string[] } => {
  const { shape } = operations[endpoint].query
  const values: Partial<Record<string, unknown>> = {}
  const violations: string[] = []
  for (const name of Object.keys(query)) {
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined
    if (!schema) {
      if (assumptions.unlistedParameter === 'reject') violations.push(`\`${name}\` is not a parameter of this endpoint`)
      continue
    }
    const sent = valuesIn(query, name)
    if (sent.length > 1 && assumptions.repeatedParameter === 'reject') {
      violations.push(`\`${name}\` must be given once, got it ${sent.length} times`)
    }
    const text = sent.length > 1 ? textOf[assumptions.repeatedParameter](sent) : sent[0]
    const { value, violation } = parseParameter(name as ParameterName, schema, text ?? '', assumptions)
    if (violation && assumptions.invalidParameter === 'reject') violations.push(violation)
    values[name] = value
  }
  for (const [name, valueOf] of Object.entries(defaults)) values[name] ??= valueOf(assumptions)
  const requested = values as ParsedQuery
  const parsed = { ...requested, limit: Math.min(requested.limit, assumptions.maxLimit) }
  const inverted = invertedRanges(parsed)
  if (inverted.length > 0 && assumptions.invertedRange === 'reject') violations.push(...inverted)
  return { parsed, violations }
}
