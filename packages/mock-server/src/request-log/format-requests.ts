import { paths, type Endpoint } from '@guild-ledger/sdk/contract'
import { formatAssumptions } from '../assumptions/alternatives.ts'
import type { RequestMatch } from '../request-matcher.ts'
import type { LoggedRequest } from './request-log.ts'

/**
 * Which requests are meant: those that agree with every field. Without `path`, only requests to the two endpoints are
 * meant: a request to a mistyped path is never one of them.
 */
export interface RequestMatcher extends RequestMatch {
  /** Requests to exactly this path as sent, such as that of a stub. */
  readonly path?: string
  /** Requests that got this status; `null` for those that got no complete response. */
  readonly status?: number | null
}

const unprintable = /[\p{C}\p{Zl}\p{Zp}]/gu

const printable = (text: string): string =>
  text.replaceAll(unprintable, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)

/** Percent-encoded as in a URL, so that an `&` in a value does not look like the next parameter. */
const encoded = (text: string): string =>
  encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD'))
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')

const operationName = (endpoint: Endpoint, platformId?: string): string =>
  platformId === undefined ? endpoint : `${endpoint} ${encoded(platformId)}`

const formatQuery = (query: Readonly<Record<string, unknown>>): string =>
  Object.entries(query)
    .flatMap(([name, value]) => [value].flat().map((one) => `${encoded(name)}=${encoded(String(one))}`))
    .join('&')

const formatUser = ({ endpoint, platformId }: RequestMatch): string => {
  const isInPath = endpoint !== undefined && paths[endpoint].includes('{platformId}')
  const operation = endpoint === undefined ? '' : ` to ${operationName(endpoint, isInPath ? platformId : undefined)}`
  return platformId === undefined || isInPath ? operation : `${operation} for user ${encoded(platformId)}`
}

const formatStatus = (status: number | null): string => (status === null ? 'no response' : `status ${status}`)

const printablePath = (path: string): string => path.replaceAll(/[^\x21-\x7e]/gu, encoded)

/** A matcher as part of a sentence: ` to guild with from=shop`. */
export const formatMatcher = ({ path, query, keyId, status, ...match }: RequestMatcher): string =>
  [
    path === undefined ? '' : ` to ${printablePath(path)}`,
    formatUser(match),
    query && Object.keys(query).length > 0 ? ` with ${formatQuery(query)}` : '',
    keyId === undefined ? '' : ` by ${printable(keyId)}`,
    status === undefined ? '' : ` with ${formatStatus(status)}`,
  ].join('')

const targetOf = ({ method, path, endpoint, platformId }: LoggedRequest): string => {
  if (endpoint !== null && (method === 'GET' || method === 'HEAD')) return operationName(endpoint, platformId)
  return `${printable(method)} ${printablePath(path)}`
}

const formatRequest = (request: LoggedRequest): string => {
  const { at, query, keyId, status, message, faults, assumptions } = request
  const search = Object.keys(query).length > 0 ? `?${formatQuery(query)}` : ''
  const time = new Date(at).toISOString().slice(11)
  return [
    `  ${time} ${targetOf(request)}${search} (${keyId ?? 'unknown key'}) → ${status ?? 'no response'}`,
    ...(message === undefined ? [] : [printable(message)]),
    ...(faults ? [`(faults: ${faults.join(', ')})`] : []),
    ...(assumptions ? [`(assumptions: ${formatAssumptions(assumptions, ', ')})`] : []),
  ].join(' ')
}

// Enough to see what happened, few enough to read.
const maxLines = 20

/** A line for each request, as many as one can read. */
export const formatRequests = (requests: readonly LoggedRequest[]): string => {
  const left = requests.length - maxLines
  return [...requests.slice(0, maxLines).map(formatRequest), ...(left > 0 ? [`  … and ${left} more`] : [])].join('\n')
}

/** How a list is sorted, where it has more than one line. */
export const sortedBy = (requests: readonly LoggedRequest[], order: string): string =>
  requests.length > 1 ? `, ${order} first:` : ':'

/** `1 request`, `2 requests`. */
export const countRequests = (count: number, noun = 'request'): string => `${count} ${noun}${count === 1 ? '' : 's'}`
