import type { AssumptionKey, ModelRequest } from '@guild-ledger/mock-server/assumptions'
import { operations, parameters, paths, type Parameter } from '@guild-ledger/sdk/contract'
import { issuesOf } from '@guild-ledger/validation'

/** A kind of input that a service may treat in its own way, in the words of the report. No value describes it. */
export type Kind = `input: ${string}`
/** What can be given up: an assumption, or what the service does with a kind of input. */
export type Subject = AssumptionKey | Kind
export type Subjects = ReadonlySet<Subject>

const prefix = 'input: '
const kind = (name: string): Kind => `${prefix}${name}`
export const isKind = (subject: Subject): subject is Kind => subject.startsWith(prefix)
export const nameOf = (subject: Subject): string => (isKind(subject) ? subject.slice(prefix.length) : subject)

const names = new Set(['amount', 'quantity', 'total', 'createdat', 'name', 'asc', 'desc'])
const day = /^\d{4}-\d\d-\d\d/
const isDay = (text: string): boolean => {
  const time = day.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** Whether the spec allows all values of a request, as far as its kinds tell. */
export const isValid = (kinds: readonly Kind[]): boolean => !kinds.some((one) => one.includes('an invalid value for'))

/** Whether a kind of input changes only the order, and so what is on a page. */
export const isOfOrder = (subject: Kind): boolean => /: a (sort by|list-all without sort)/.test(subject)

type Form = readonly [name: string, test: (text: string, parameter: Parameter) => boolean]
const number = /^[+-]?\d+(\.\d+)?$/
const empty: Form = ['an empty value', (text) => text === '']
const other: Form = ['text', () => true]
/** The forms of values that the spec does not allow; the first that applies counts. */
const invalidForms: Readonly<Record<Parameter['type'], readonly Form[]>> = {
  integer: [
    empty,
    ['a number below the minimum', (text, { min = -Infinity }) => number.test(text) && Number(text) < min],
    ['a number above the maximum', (text, { max = Infinity }) => number.test(text) && Number(text) > max],
    ['a fraction', (text) => number.test(text)],
    ['a number with text', (text) => /^[+-]?\d/.test(text)],
    other,
  ],
  number: [
    empty,
    ['a number below the minimum', (text) => number.test(text)],
    ['a number with text', (text) => /^[+-]?\d/.test(text)],
    other,
  ],
  'date-time': [
    empty,
    ['a number instead of a date', (text) => number.test(text)],
    ['a date without a time', (text) => isDay(text)],
    ['a time without an offset', (text) => /T[\d:.]+$/.test(text) && isDay(text.slice(0, 10))],
    ['a day that does not exist', (text) => day.test(text)],
    other,
  ],
  string: [empty, ['a name in another case', (text) => names.has(text.toLowerCase())], ['an unknown name', () => true]],
}
/** The forms of dates that the spec allows, and not every service takes. */
const validDates: readonly Form[] = [
  ['a time with an offset', (text) => /[+-]\d\d:\d\d$/.test(text)],
  ['a time without a fraction', (text) => !text.includes('.')],
]
const groups: Readonly<Record<string, string>> = {
  page: 'an invalid page or limit',
  limit: 'an invalid page or limit',
  minAmount: 'an invalid amount',
  maxAmount: 'an invalid amount',
  startDate: 'an invalid date',
  endDate: 'an invalid date',
  sortBy: 'an invalid sort',
  sortOrder: 'an invalid sort',
}

/** Parameters of list-all that have a documented default. */
const withDefault = ['limit', 'sortBy', 'sortOrder']

const smallLimit = `a limit below ${parameters.limit.max}`

const kindsOfValue = (name: string, parameter: Parameter, text: string, isAllowed: boolean): string[] => {
  const formOf = (forms: readonly Form[]) => forms.find(([, applies]) => applies(text, parameter))?.[0] ?? ''
  if (!isAllowed) {
    const form = formOf(invalidForms[parameter.type])
    return [`${form} (${name})`, form, `an invalid value (${name})`, groups[name] ?? 'an invalid value']
  }
  if (parameter.type === 'number') return ['a filter by amount']
  if (name === 'limit') return Number(text) === parameter.max ? [] : [smallLimit]
  const form = parameter.type === 'date-time' ? formOf(validDates) : ''
  if (form !== '') return [`${form} (${name})`, form]
  return name !== 'sortBy' || text === 'name' || text === 'createdAt' ? [] : [`a sort by ${text}`, 'a sort by a number']
}

/** The kinds of input of a request, from narrow to wide. */
export const kindsOf = ({ endpoint, query = {} }: ModelRequest): readonly Kind[] => {
  const found = Object.entries(query).flatMap(([name, value]) => {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name as keyof typeof parameters] : undefined
    const schema = operations[endpoint].query.shape[name]
    if (!parameter) return []
    if (!schema) return [`a parameter of the other operation (${name})`]
    if (typeof value !== 'string') return [`a repeated parameter (${name})`, ...(name === 'limit' ? [smallLimit] : [])]
    const isNumber = parameter.type === 'integer' || parameter.type === 'number'
    const parsed = isNumber && number.test(value) ? Number(value) : value
    const isAllowed = name === 'platformId' || issuesOf(schema, parsed).length === 0
    const { upTo = '' } = parameter
    const end = query[upTo]
    const isInverted =
      typeof end === 'string' && (isNumber ? Number(value) > Number(end) : Date.parse(value) > Date.parse(end))
    return [
      ...(isInverted ? [isNumber ? 'inverted amounts' : 'inverted dates'] : []),
      ...kindsOfValue(name, parameter, value, isAllowed),
    ]
  })
  const isInvalid = found.some((name) => name.startsWith('an invalid'))
  const missing = endpoint === 'guild' ? withDefault.filter((name) => query[name] === undefined) : []
  const wide = [
    ...(isInvalid ? [`an invalid value for ${paths[endpoint]}`] : []),
    ...missing.map((name) => `a list-all without ${name}`),
  ]
  return [...new Set([...found, ...wide])].map(kind)
}
