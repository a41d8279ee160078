import type { ProbeRequest } from './probe-request.ts'
import type { Value } from './variables.ts'

/** Reads the value of a variable. */
export type Read = (variable: string) => Value

/** The page that no service has: a response to it shows what happens above the largest page. */
export const hugePage = Number.MAX_SAFE_INTEGER

/** What the service makes of a request. */
export interface Parsed {
  readonly page: number
  /** Not given: the default of the endpoint, as for the next two. */
  readonly limit?: number
  readonly sortBy?: string
  readonly sortOrder?: string
  readonly platformId?: string
  /** Sources of which any may match. */
  readonly from?: readonly string[]
  readonly minAmount?: number
  readonly maxAmount?: number
  readonly startDate?: number
  readonly endDate?: number
}

/**
 * `rejected`: status 400. `error`: an error status that no value gives. `no-match`: as if nothing matched. `clamped`: some
 * other page than the requested one. `unknown`: anything.
 */
export type Outcome = Parsed | 'rejected' | 'error' | 'no-match' | 'clamped' | 'unknown'

const listed = {
  guild: [
    'page',
    'limit',
    'platformId',
    'from',
    'minAmount',
    'maxAmount',
    'startDate',
    'endDate',
    'sortBy',
    'sortOrder',
  ],
  user: ['page', 'limit', 'from', 'minAmount', 'maxAmount', 'sortBy', 'sortOrder'],
}
const sortFields = new Set(['amount', 'quantity', 'total', 'createdAt'])

type Part = string | number | readonly string[] | undefined
const stops = new Set<unknown>(['rejected', 'error', 'no-match', 'clamped', 'unknown'])

/** What becomes of an invalid value; `nearest` is the nearest valid one, where there is one. */
const invalid = (read: Read, kind: string, nearest?: number): Part => {
  const value = read(`invalidParameter.${kind}`)
  if (value === 'reject') return 'rejected'
  if (value === 'other-error') return 'error'
  if (value === 'no-match') return 'no-match'
  return value === 'clamp' ? nearest : undefined
}

const parsePage = (read: Read, page: number, known: number): Part => {
  if (Number.isNaN(page)) return invalid(read, 'number')
  if (page < 1) return invalid(read, 'pageBelow', 1)
  if (page <= known) return page
  const most = read('maxPage')
  if (most === null || (typeof most === 'number' && page <= most)) return page
  if (typeof most === 'number') return invalid(read, 'pageAbove', most)
  if (page <= 2) return page
  if (page < hugePage) return 'unknown'
  return read('invalidParameter.pageAbove') === 'clamp' ? 'clamped' : invalid(read, 'pageAbove')
}

const parseLimit = (read: Read, limit: number): Part => {
  if (Number.isNaN(limit)) return invalid(read, 'number')
  if (limit > 100) return invalid(read, 'limitAbove', 100)
  return limit < 1 ? invalid(read, 'limitBelow', 1) : limit
}

const dateForms = [
  { form: 'noOffset', pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/ },
  { form: 'date', pattern: /^\d{4}-\d\d-\d\d$/ },
  { form: 'offset', pattern: /T.*[+-]\d\d:\d\d$/ },
]

const dayMs = 86_400_000

const parseDate = (read: Read, name: string, text: string): Part => {
  const form = dateForms.find(({ pattern }) => pattern.test(text))?.form
  if (!form && Number.isNaN(Date.parse(text))) return invalid(read, 'date')
  let value = form ? read(`dateTimeForms.${form}`) : 'utc'
  // As the end, a date says nothing about a date as the start.
  if (form === 'date' && name === 'endDate') {
    value = value === 'utc' || value === 'other' ? read('dateTimeForms.endDate') : 'other'
  }
  if (value === 'other-error') return 'error'
  if (value === 'other') return 'unknown'
  if (value === 'invalid') return invalid(read, 'date')
  if (value === 'offset-ignored') return Date.parse(`${text.slice(0, -6)}Z`)
  return Date.parse(form === 'noOffset' ? `${text}Z` : text) + (value === 'end-of-day' ? dayMs - 1 : 0)
}

const integerIn = (text: string): number => (/^-?\d+$/.test(text) ? Number(text) : Number.NaN)

const parseAmount = (read: Read, amount: number): Part => {
  if (Number.isNaN(amount)) return invalid(read, 'amount')
  return amount < 0 ? invalid(read, 'amount', 0) : amount
}

const parseValue = (read: Read, name: string, text: string, isUser: boolean, known: number): Part => {
  if (name === 'page') return parsePage(read, integerIn(text), known)
  if (name === 'limit') return parseLimit(read, integerIn(text))
  if (name.endsWith('Amount')) return parseAmount(read, Number(text))
  if (name.endsWith('Date')) return parseDate(read, name, text)
  if (name === 'sortOrder') return text === 'asc' || text === 'desc' ? text : invalid(read, 'sortBy')
  return sortFields.has(text) || (text === 'name' && !isUser) ? text : invalid(read, 'sortBy')
}

/** The value that counts of those sent for one name. */
const parseRepeated = (read: Read, name: string, texts: readonly string[]): string | readonly string[] => {
  if (texts.length === 1) return texts[0] ?? ''
  const value = read(`repeatedParameter.${name === 'from' ? 'from' : 'limit'}`)
  if (value === 'reject') return 'rejected'
  if (value === 'other-error') return 'error'
  if (value === 'joined') return texts.join(',')
  if (value === 'any') return texts
  if (value === 'largest') return texts.toSorted((a, b) => Number(b) - Number(a))[0] ?? ''
  if (value === 'smallest') return texts.toSorted((a, b) => Number(a) - Number(b))[0] ?? ''
  return texts.at(value === 'last' ? -1 : 0) ?? ''
}

/** What becomes of a range whose minimum is above its maximum. */
const invertRange = (read: Read, values: Record<string, Part>, kind: string, low: string, high: string): Part => {
  const [min, max] = [values[low], values[high]]
  if (min === undefined || max === undefined || Number(min) <= Number(max)) return undefined
  const value = read(`invertedRange.${kind}`)
  if (value === 'reject') return 'rejected'
  if (value === 'other-error') return 'error'
  if (value === 'swap') Object.assign(values, { [low]: max, [high]: min })
  if (value === 'ignore') Object.assign(values, { [low]: undefined, [high]: undefined })
  return undefined
}

const sentIn = new WeakMap<ProbeRequest, readonly (readonly [name: string, texts: readonly string[]])[]>()

/** The texts sent for each name. */
const textsOf = (request: ProbeRequest) => {
  const known = sentIn.get(request)
  if (known) return known
  const names = [...new Set(request.parameters.map(([sent]) => sent))]
  const texts = names.map(
    (name) => [name, request.parameters.filter(([sent]) => sent === name).map(([, text]) => text)] as const,
  )
  sentIn.set(request, texts)
  return texts
}

/** Parses a request as a service with these values does. Pages up to `known` are valid in any case. */
export const parseRequest = (request: ProbeRequest, read: Read, known: number): Outcome => {
  const isUser = request.user !== null
  const endpoint = isUser ? 'user' : 'guild'
  const values: Record<string, Part> = {}
  for (const [name, texts] of textsOf(request)) {
    if (!listed[endpoint].includes(name)) {
      const value = read(`unlistedParameter.${endpoint}`)
      if (value === 'reject') return 'rejected'
      if (value === 'other-error') return 'error'
      if (value !== 'apply' || !listed.guild.includes(name)) continue
    }
    const counted = parseRepeated(read, name, texts)
    if (counted === 'rejected' || counted === 'error') return counted
    if (name === 'from' || name === 'platformId') {
      values[name] = name === 'from' && typeof counted === 'string' ? [counted] : counted
      continue
    }
    const value = parseValue(read, name, String(counted), isUser, known)
    if (stops.has(value)) return value as Exclude<Outcome, Parsed>
    values[name] = value
  }
  const stop =
    invertRange(read, values, 'amount', 'minAmount', 'maxAmount') ??
    invertRange(read, values, 'date', 'startDate', 'endDate')
  if (stop !== undefined) return stop as 'rejected'
  return { ...values, page: (values['page'] as number | undefined) ?? 1 }
}
