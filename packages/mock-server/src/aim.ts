import type { Endpoint } from '@guild-ledger/sdk/contract'

/** Which requests are meant, by all of its parts. Failures to script and requests to expect are aimed in the same words. */
export interface Aim {
  /** Requests to this operation; both unless given. */
  readonly endpoint?: Endpoint
  /** Requests for this user: in the path, or as the parameter of list-all. */
  readonly platformId?: string
  /** Requests that sent these parameters, with these values; others do not matter. */
  readonly query?: Readonly<Record<string, string | number>>
  /** Requests with the key that has this id. */
  readonly keyId?: string
}

/** A query as sent: a list where a parameter was repeated. */
export type Query = Readonly<Record<string, string | readonly string[]>>

/** A request, as far as one can be aimed at. */
export interface Target {
  readonly endpoint: Endpoint
  /** The user in the path. */
  readonly platformId?: string | undefined
  readonly query: Query
  readonly keyId: string | null
}

export const queryOf = (parameters: URLSearchParams): Query => {
  const query: Record<string, string | string[]> = {}
  for (const name of new Set(parameters.keys())) {
    const [first = '', ...more] = parameters.getAll(name)
    Object.defineProperty(query, name, {
      value: more.length > 0 ? [first, ...more] : first,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return query
}

/** Whether a parameter was sent with a value; where it was repeated, once with it. What every object has was not sent. */
const wasSent = (query: Query, name: string, value: string | number): boolean =>
  Object.hasOwn(query, name) && [query[name]].flat().includes(String(value))

const isFor = (platformId: string, { platformId: inPath, query }: Target): boolean =>
  inPath === undefined ? wasSent(query, 'platformId', platformId) : inPath === platformId

/** Whether a request is one of those that are meant. */
export const isAimedAt = ({ endpoint, platformId, query = {}, keyId }: Aim, target: Target): boolean =>
  (endpoint ?? target.endpoint) === target.endpoint &&
  (keyId ?? target.keyId) === target.keyId &&
  (platformId === undefined || isFor(platformId, target)) &&
  Object.entries(query).every(([name, value]) => wasSent(target.query, name, value))

/** Whether something is a query to aim with. */
export const isQuery = (value: unknown): value is NonNullable<Aim['query']> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((one) => typeof one === 'string' || typeof one === 'number')
