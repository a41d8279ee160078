import { endpoints, parameters, type Endpoint } from '@guild-ledger/sdk/contract'
import {
  any,
  check,
  describeValue,
  formatUnknownName,
  hinted,
  isObject,
  nonEmptyString,
  oneOf,
  type Checks,
} from '@guild-ledger/validation'
import { checkedFields } from './type-error.ts'

/** Which requests are meant: those that agree with every field. Faults and expected requests use the same fields. */
export interface RequestMatch {
  /** Requests to this endpoint. @default both */
  readonly endpoint?: Endpoint
  /** Requests for this user, in the path or as the parameter of list-all. */
  readonly platformId?: string
  /** Requests that sent these parameters with these values; other parameters do not matter. */
  readonly query?: Readonly<Record<string, string | number>>
  /** Requests with the key that has this id. */
  readonly keyId?: string
}

/** A query as sent: an array where a parameter was repeated. */
export type SentQuery = Readonly<Record<string, string | readonly string[]>>

/** As much of a request as a matcher looks at. */
export interface MatchTarget {
  /** Which operation; `null` for a path that is neither, or whose user cannot be read. */
  readonly endpoint: Endpoint | null
  /** The user in the path, on the one-user endpoint. */
  readonly platformId?: string | undefined
  /** The query as sent, without defaults; an array where a parameter was repeated. */
  readonly query: SentQuery
  /** Id of the API key; `null` for an unknown key. */
  readonly keyId: string | null
}

const emptyQuery: SentQuery = Object.freeze({})

/** Parses a query string. */
export const queryOf = (search: string): SentQuery => {
  if (search === '') return emptyQuery
  const values = new Map<string, string | string[]>()
  for (const [name, value] of new URLSearchParams(search)) {
    const before = values.get(name)
    if (before === undefined) values.set(name, value)
    else if (typeof before === 'string') values.set(name, [before, value])
    else before.push(value)
  }
  return Object.freeze(Object.fromEntries(values))
}

/** The values of a parameter, in the order sent. What every object inherits was not sent. */
export const valuesIn = (query: SentQuery, name: string): readonly string[] =>
  Object.hasOwn(query, name) ? [query[name] ?? []].flat() : []

const matchesValue = (query: SentQuery, name: string, value: string | number): boolean =>
  valuesIn(query, name).includes(String(value))

const isForUser = (platformId: string, { platformId: inPath, query }: MatchTarget): boolean =>
  inPath === undefined ? matchesValue(query, 'platformId', platformId) : inPath === platformId

/** Whether a request is one of those that are meant. */
export const matches = ({ endpoint, platformId, query = {}, keyId }: RequestMatch, target: MatchTarget): boolean =>
  (endpoint ?? target.endpoint) === target.endpoint &&
  (keyId ?? target.keyId) === target.keyId &&
  (platformId === undefined || isForUser(platformId, target)) &&
  Object.entries(query).every(([name, value]) => matchesValue(target.query, name, value))

const wrongParameter = (query: object): [name: string, value: unknown] | undefined =>
  Object.entries(query).find(([, value]) => typeof value !== 'string' && typeof value !== 'number')

const isQuery = (value: unknown): boolean => isObject(value) && wrongParameter(value) === undefined

const hintOf = (query: unknown): string | undefined => {
  const [name, value] = (isObject(query) && wrongParameter(query)) || []
  return name && `\`query.${name}\` is ${describeValue(value)}`
}

/** What each field of a matcher takes. */
export const matchChecks = {
  endpoint: oneOf(...endpoints),
  platformId: nonEmptyString,
  query: hinted(check(isQuery, "an object of strings and numbers such as { from: 'shop' }"), hintOf),
  keyId: nonEmptyString,
} as const satisfies Checks & { readonly [Name in keyof RequestMatch]-?: unknown }

const anyParameter = Object.fromEntries(Object.keys(parameters).map((name) => [name, any]))

/** Passes a match that some request can agree with. `keyIds` are those of all keys that can have sent it. */
export const checkCanMatch = ({ query, keyId }: RequestMatch, keyIds: readonly string[]): void => {
  if (query) checkedFields(anyParameter, query, { noun: 'parameter', path: 'query' })
  if (keyId !== undefined && !keyIds.includes(keyId)) throw new TypeError(formatUnknownName('keyId', keyId, keyIds))
}
