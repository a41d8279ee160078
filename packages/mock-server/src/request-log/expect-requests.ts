import { inWords, type Endpoint } from '@guild-ledger/sdk/contract'
import { isAimedAt, isQuery, type Aim } from '../aim.ts'
import { suggestion } from '../assumptions/index.ts'
import type { LoggedRequest } from './request-log.ts'

/** Which requests are meant: those that agree with every part. */
export interface RequestPattern extends Aim {
  /** Requests that were answered with this status. */
  readonly status?: number
}

const isText = (value: unknown) => typeof value === 'string'

const patternParts: Readonly<Record<string, readonly [allowed: string, fits: (value: unknown) => boolean]>> = {
  endpoint: ['guild or user', (value) => value === 'guild' || value === 'user'],
  platformId: ['text', isText],
  query: ["an object of texts and numbers such as { from: 'shop' }", isQuery],
  keyId: ['text', isText],
  status: ['a whole number', Number.isSafeInteger],
}

const checkPattern = (pattern: RequestPattern): void => {
  if (typeof pattern !== 'object' || pattern === null || Array.isArray(pattern)) {
    throw new TypeError(`Requests are described by an object such as { endpoint: 'guild' }, not ${inWords(pattern)}.`)
  }
  for (const [name, value] of Object.entries(pattern)) {
    const part = Object.hasOwn(patternParts, name) ? patternParts[name] : undefined
    if (!part) throw new TypeError(`Requests have no ${inWords(name)}: ${suggestion(name, Object.keys(patternParts))}`)
    const [allowed, fits] = part
    if (value !== undefined && !fits(value)) throw new TypeError(`${name} must be ${allowed}, not ${inWords(value)}.`)
  }
}

const operation = (endpoint: Endpoint, platformId?: string): string => {
  if (endpoint === 'guild') return 'list-all'
  return platformId === undefined ? 'one user' : `user ${platformId}`
}

const pairs = (query: Readonly<Record<string, unknown>>): string =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join('&')

const userInWords = ({ endpoint, platformId }: Aim): string => {
  if (platformId === undefined) return endpoint === undefined ? '' : ` to ${operation(endpoint)}`
  return endpoint === 'user' ? ` to user ${platformId}` : `${endpoint ? ' to list-all' : ''} for user ${platformId}`
}

const patternInWords = ({ query, keyId, status, ...aim }: RequestPattern): string =>
  [
    userInWords(aim),
    query && Object.keys(query).length > 0 ? ` with ${pairs(query)}` : '',
    keyId === undefined ? '' : ` by ${keyId}`,
    status === undefined ? '' : ` answered ${status}`,
  ].join('')

const line = ({ at, endpoint, platformId, query, keyId, status, message, faults, assumed }: LoggedRequest): string => {
  const search = Object.keys(query).length > 0 ? `?${pairs(query)}` : ''
  const told = message === undefined ? '' : ` ${message}`
  const by = assumed === undefined ? '' : ` (assumed: ${assumed})`
  const failed = faults ? ` (simulated: ${faults.join(', ')})` : ''
  return `  ${new Date(at).toISOString().slice(11)} ${operation(endpoint, platformId)}${search} (${keyId ?? 'no known key'}) → ${status}${told}${failed}${by}`
}

// Enough to see what happened, not enough to bury it.
const shownLines = 20

const lines = (requests: readonly LoggedRequest[]): string => {
  const left = requests.length - shownLines
  return [...requests.slice(0, shownLines).map(line), ...(left > 0 ? [`  … and ${left} more`] : [])].join('\n')
}

const plural = (count: number): string => `${count} request${count === 1 ? '' : 's'}`

/** Whether a request is one of those meant. */
const fits =
  ({ status, ...aim }: RequestPattern) =>
  (request: LoggedRequest): boolean =>
    (status ?? request.status) === request.status && isAimedAt(aim, request)

/**
 * Passes if so many requests are as described.
 *
 * @throws {Error} There are fewer or more; the message lists what was asked instead.
 * @throws {TypeError} `count` is not one, or nothing can be as described.
 */
export const expectRequests = (
  requests: readonly LoggedRequest[],
  count: number,
  pattern: RequestPattern = {},
): void => {
  if (!Number.isSafeInteger(count) || count < 0) {
    throw new TypeError(`The number of requests to expect must be a whole number of at least 0, not ${inWords(count)}.`)
  }
  checkPattern(pattern)
  const isMeant = fits(pattern)
  const found = requests.filter(isMeant)
  if (found.length === count) return
  const others = requests.filter((request) => !isMeant(request))
  const parts = [
    `expected ${plural(count)}${patternInWords(pattern)}, got ${found.length}${found.length > 0 ? ':' : ''}`,
    ...(found.length > 0 ? [lines(found)] : []),
    others.length > 0 ? `${plural(others.length)} of another kind:\n${lines(others)}` : 'nothing else was asked',
  ]
  throw new Error(parts.join('\n'))
}
