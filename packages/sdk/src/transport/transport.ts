import { isDateObject } from '@guild-ledger/validation'
import { limits } from '../contract/index.ts'
import { defaults } from '../defaults.ts'
import { clientClosed, detailsOf, withDetails, type RequestDetails } from '../errors/index.ts'
import { timeNow, timersDieWithRequests } from '../throttle/index.ts'
import { createExpiryWarning } from './api-keys.ts'
import { createAuthentication, type Received } from './auth.ts'
import { abortReason, deadline, type Deadline } from './deadline.ts'
import type { ServiceHistory } from './connection-failures.ts'
import { decodeBody, type Decoder } from './decode.ts'
import { logEnd, type Log } from './log.ts'
import type { CallOptions, TransportSettings } from './options.ts'
import { maskAddress } from './redaction.ts'
import { aheadOf } from './retry-after.ts'
import { createRequestWithRetries } from './retry.ts'
import { createLingeringRequests, createSend } from './send.ts'
import { createSharedRequests } from './shared-requests.ts'
import { toTimeoutError } from './to-error.ts'
import { startTrace, traced, type RequestTrace, type ResponseInfo } from './trace.ts'
import { createRejectionWarning, createResponseWarnings } from './warnings.ts'

/** Query parameters; those that are undefined or null are left out. */
export type QueryParameters = Readonly<Record<string, string | number | boolean | Date | null | undefined>>

/** What is requested: a path, and the same with the names of its parameters. */
export interface Target {
  readonly path: string
  readonly endpoint: string
}

/** A request for a path, which makes something of the body of the response. */
export interface GetRequest<T> extends Target {
  readonly query: QueryParameters
  readonly decode: Decoder<T>
  readonly options: CallOptions
}

/** What was made of the body, and the response behind it. */
export interface GetResult<T> {
  readonly value: T
  readonly response: ResponseInfo
  /** What an error says of the request. */
  readonly details: () => RequestDetails
  /** Length of the text of the body. */
  readonly size: number
}

/**
 * What iterators follow. Not an `AbortSignal`: on Workers no event may look at one that another event has made. Not an
 * `EventTarget`: Node warns of more than ten listeners, and a client may have as many iterators.
 */
export interface Closed {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** What iterators need of a client besides its requests. */
export interface Context {
  readonly log: Log
  /** How each call is retried unless its options say otherwise. */
  readonly retry: TransportSettings['retry']
  readonly closed: Closed
  /** By how much the service's clock was ahead of the one here at its last response, in milliseconds. */
  readonly serviceAheadMs: () => number
  /** Requests a second that the throttle lets pass now. */
  readonly pace: () => number
}

const searchOf = (query: QueryParameters): string => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null)
      search.append(name, isDateObject(value) ? value.toISOString() : String(value))
  }
  return search.size > 0 ? `?${search}` : ''
}

/** Makes authenticated GET requests of settings. */
export const createTransport = (settings: TransportSettings) => {
  const { baseUrl, log, throttle, deduplicate } = settings
  const lingering = createLingeringRequests()
  const auth = createAuthentication(settings)
  const history: ServiceHistory = { hasServed: false }
  const request = createSharedRequests(
    createRequestWithRetries(settings, createSend(settings, auth, lingering, history), history),
    // On Workers a call must not wait for the request of another: it would never end if the event of that one ends.
    deduplicate && throttle !== undefined && !timersDieWithRequests,
  )
  let last: { readonly headers?: Headers; readonly at: number } = { at: 0 }
  const serviceAheadMs = () => aheadOf(last.headers, timeNow() - last.at)
  const warnOfResponse = createResponseWarnings(log)
  const warnOfRejection = createRejectionWarning(log, settings.keys.current)
  const warnOfExpiry = createExpiryWarning(settings.keyExpiresAt, settings.keys, log)
  const onClose = new Set<() => void>()
  const closed = {
    aborted: false,
    addEventListener: (_: 'abort', listener: () => void) => void onClose.add(listener),
    removeEventListener: (_: 'abort', listener: () => void) => void onClose.delete(listener),
  }
  /** Calls in progress. */
  const pending = new Set<Deadline>()

  /** Requests the body and decodes it, within the time limit of the call. */
  const read = async <T>(
    url: string,
    label: string,
    trace: RequestTrace,
    decode: Decoder<T>,
    options: CallOptions,
  ): Promise<{ readonly value: T; readonly response: Received }> => {
    const { timeoutMs = settings.timeoutMs, attemptTimeoutMs = settings.attemptTimeoutMs } = options
    const { validation = settings.validation, maxRetries = settings.retry.maxRetries } = options
    const { signal: outer, priority = defaults.client.priority } = options
    if (closed.aborted) throw clientClosed()
    if (outer?.aborted) throw abortReason(outer)
    const limitMs = timeoutMs ?? Infinity
    const pausedForMs = () => throttle?.stats.pausedForMs ?? 0
    if (pausedForMs() > limitMs) throw toTimeoutError(label, 'queue', limitMs, pausedForMs())
    const endsAt = timeNow() + limitMs
    const timeLeftMs = () => endsAt - timeNow()
    const shared = request(url, label, trace, { attemptTimeoutMs, priority, maxRetries, timeLeftMs })
    const phase = () => (shared.isQueued() ? 'queue' : shared.trace.attempts > 0 ? 'call' : 'start')
    const limit = deadline(outer, timeoutMs, () => toTimeoutError(label, phase(), limitMs, pausedForMs()))
    pending.add(limit)
    const work = async () => {
      const response = await shared.result
      const body = response.takeBody()
      last = { headers: response.headers, at: timeNow() }
      warnOfResponse(response.headers, response.text, label)
      const value = await decodeBody(body, decode, validation, label, log, history)
      history.hasServed = true
      return { value, response }
    }
    try {
      return await limit.race(work())
    } finally {
      limit.end()
      pending.delete(limit)
      warnOfExpiry()
      shared.leave()
      const { status, attempts, queuedMs, requests } = shared.trace
      Object.assign(trace, status !== undefined && { status }, { attempts, queuedMs, requests })
    }
  }

  const get = async <T>({ path, endpoint, query, decode, options }: GetRequest<T>): Promise<GetResult<T>> => {
    const startedAt = timeNow()
    const trace = startTrace(auth.redact(endpoint)) // somebody may have passed the key as a path
    const label = `GET ${trace.endpoint}`
    const search = searchOf(query)
    const details = () => detailsOf({ ...trace, url: auth.redact(maskAddress(baseUrl + endpoint + search)) })
    return traced(trace, async () => {
      try {
        const { value, response } = await read(baseUrl + path + search, label, trace, decode, options)
        const { status, headers, text } = response
        const { attempts, queuedMs, callId } = trace
        logEnd(log, label, trace, startedAt)
        return { value, response: { status, headers, attempts, queuedMs, callId }, details, size: text.length }
      } catch (error) {
        const detailed = withDetails(error, details)
        warnOfRejection(detailed)
        logEnd(log, label, trace, startedAt, detailed)
        throw detailed
      }
    })
  }

  /** Ends what iterates, rejects calls in progress and further ones, and ends requests on the network. */
  const close = (): void => {
    closed.aborted = true
    for (const listener of onClose) listener()
    for (const limit of pending) limit.fire(clientClosed())
    lingering.end()
  }
  const pace = () => throttle?.stats.requestsPerSecond ?? limits.requestsPerSecond
  return { get, close, context: { log, retry: settings.retry, closed, pace, serviceAheadMs } }
}

export type Transport = ReturnType<typeof createTransport>
