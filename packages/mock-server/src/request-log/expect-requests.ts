import type { Endpoint } from '@guild-ledger/sdk/contract'
import { integer } from '@guild-ledger/validation'
import { matchChecks, matches, type RequestMatch } from '../request-matcher.ts'
import { checkedFields, checkedValue } from '../type-error.ts'
import type { LoggedRequest } from './request-log.ts'

/** Which requests are meant: those that agree with every field. */
export interface RequestMatcher extends RequestMatch {
  /** Requests that got this status. */
  readonly status?: number
}

const matcherChecks = { ...matchChecks, status: integer(100, 599) }
const matcherNaming = { noun: 'field', label: 'matcher', expected: "an object such as { endpoint: 'guild' }" }

const operationName = (endpoint: Endpoint, platformId?: string): string => {
  if (endpoint === 'guild') return 'list-all'
  return platformId === undefined ? 'one user' : `user ${platformId}`
}

const formatQuery = (query: Readonly<Record<string, unknown>>): string =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join('&')

const formatUser = ({ endpoint, platformId }: RequestMatch): string => {
  if (platformId === undefined) return endpoint === undefined ? '' : ` to ${operationName(endpoint)}`
  return endpoint === 'user' ? ` to user ${platformId}` : `${endpoint ? ' to list-all' : ''} for user ${platformId}`
}

const formatMatcher = ({ query, keyId, status, ...match }: RequestMatcher): string =>
  [
    formatUser(match),
    query && Object.keys(query).length > 0 ? ` with ${formatQuery(query)}` : '',
    keyId === undefined ? '' : ` by ${keyId}`,
    status === undefined ? '' : ` with status ${status}`,
  ].join('')

const formatRequest = (request: LoggedRequest): string => {
  const { at, endpoint, platformId, query, keyId, status, message, faults, assumptions } = request
  const search = Object.keys(query).length > 0 ? `?${formatQuery(query)}` : ''
  const time = new Date(at).toISOString().slice(11)
  return [
    `  ${time} ${operationName(endpoint, platformId)}${search} (${keyId ?? 'unknown key'}) → ${status}`,
    ...(message === undefined ? [] : [message]),
    ...(faults ? [`(faults: ${faults.join(', ')})`] : []),
    ...(assumptions ? [`(assumptions: ${formatQuery(assumptions).replaceAll('&', ', ')})`] : []),
  ].join(' ')
}

// Enough to see what happened, few enough to read.
const maxLines = 20

/** One line for each request, as messages show them. */
export const formatRequests = (requests: readonly LoggedRequest[]): string => {
  const left = requests.length - maxLines
  return [...requests.slice(0, maxLines).map(formatRequest), ...(left > 0 ? [`  … and ${left} more`] : [])].join('\n')
}

const countOf = (count: number): string => `${count} request${count === 1 ? '' : 's'}`

/**
 * Passes if `count` requests match.
 *
 * @throws {Error} There are fewer or more; the message lists the requests there were.
 * @throws {TypeError} `count` is not an integer ≥ 0, or the matcher is not valid.
 */
export const expectRequests = (
  requests: readonly LoggedRequest[],
  count: number,
  matcher: RequestMatcher = {},
): void => {
  checkedValue(integer(0), 'count', count)
  const { status, ...match } = checkedFields(matcherChecks, matcher, matcherNaming)
  const isMeant = (request: LoggedRequest) => (status ?? request.status) === request.status && matches(match, request)
  const found = requests.filter(isMeant)
  if (found.length === count) return
  const others = requests.filter((request) => !isMeant(request))
  const parts = [
    `expected ${countOf(count)}${formatMatcher(matcher)}, got ${found.length}${found.length > 0 ? ':' : ''}`,
    ...(found.length > 0 ? [formatRequests(found)] : []),
    others.length > 0 ? `${countOf(others.length)} of another kind:\n${formatRequests(others)}` : 'no other requests',
  ]
  throw new Error(parts.join('\n'))
}
