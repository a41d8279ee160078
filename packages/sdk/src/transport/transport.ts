import { isDateObject } from '@guild-ledger/validation'
import { limits } from '../contract/index.ts'
import { defaults } from '../defaults.ts'
import { clientClosed, detailsOf, withDetails, type GuildLedgerError, type RequestDetails } from '../errors/index.ts'
import { timeNow, timersDieWithRequests } from '../throttle/index.ts'
import { createExpiryWarning } from './api-keys.ts'
import { createAuthentication, type Received } from './auth.ts'
import { abortReason, deadline, type Deadline } from './deadline.ts'
import type { ServiceHistory } from './connection-failures.ts'
import { decodeBody, type Decoder } from './decode.ts'
import { createRetryLog, logEnd } from './log.ts'
import type { CallOptions, TransportSettings } from './options.ts'
import { shownUrl } from './redaction.ts'
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

/**
 * What is made of a response body, with the response behind it, what an error says of the request, and the length of the
 * text.
 */
export type UseResponse<T, R> = (value: T, response: ResponseInfo, details: () => RequestDetails, size: number) => R

/**
 * What iterators follow. Not an `AbortSignal`: on Workers no event may look at one that another event has made. Not an
 * `EventTarget`: Node warns of more than ten listeners, and a client may have as many iterators.
 */
export interface Closed {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

type Read<T> = { readonly value: T; readonly response: Received }

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
  const logRetry = createRetryLog(log)
  const history: ServiceHistory = { hasResponded: false, hasServed: false }
  const request = createSharedRequests(
    createRequestWithRetries(settings, createSend(settings, auth, lingering, history), logRetry, history),
    // On Workers a call must not wait for the request of another: it would never end if the event of that one ends.
    deduplicate && throttle !== undefined && !timersDieWithRequests,
  )
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
  ): Promise<Read<T>> => {
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
      shared.leave()
      const { status, attempts, queuedMs, requests } = shared.trace
      Object.assign(trace, status !== undefined && { status }, { attempts, queuedMs, requests })
    }
  }

  return {
    /** How each call is retried unless its options say otherwise. */
    retry: settings.retry,
    /** Logs that a call of `endpoint` failed, after its retries, and is made again: for a page, else for a watch. */
    retryLog:
      (endpoint: string) =>
      (error: Error & Partial<RequestTrace & GuildLedgerError>, { retryInMs }: { readonly retryInMs: number }): void =>
        logRetry(
          `GET ${auth.redact(endpoint)}`,
          error,
          error,
          retryInMs,
          error.page === undefined ? 'watch' : `page ${error.page}`,
        ),
    log,
    /** Requests a second that the throttle lets pass now. */
    requestsPerSecond: (): number => throttle?.stats.requestsPerSecond ?? limits.requestsPerSecond,
    /** Fires when the client is closed: what iterates ends then. */
    closed: closed as Closed,
    /** Ends what iterates, rejects calls in progress and further ones, and ends requests on the network. */
    close(): void {
      closed.aborted = true
      for (const listener of onClose) listener()
      for (const limit of pending) limit.fire(clientClosed())
      lingering.end()
    },
    /** Resolves with what `use` makes of a response body, which is part of the call. */
    get<T, R>(
      { path, endpoint }: Target,
      query: QueryParameters,
      decode: Decoder<T>,
      options: CallOptions,
      use: UseResponse<T, R>,
    ): Promise<R> {
      warnOfExpiry()
      const startedAt = timeNow()
      const trace = startTrace(auth.redact(endpoint)) // somebody may have passed the key as a path
      const label = `GET ${trace.endpoint}`
      const search = searchOf(query)
      const details = () => detailsOf({ ...trace, url: auth.redact(shownUrl(baseUrl + endpoint + search)) })
      return traced(trace, async () => {
        try {
          const { value, response } = await read(baseUrl + path + search, label, trace, decode, options)
          const { status, headers } = response
          const { attempts, queuedMs, callId } = trace
          const result = use(value, { status, headers, attempts, queuedMs, callId }, details, response.text.length)
          logEnd(log, label, trace, startedAt)
          return result
        } catch (error) {
          const detailed = withDetails(error, details)
          warnOfRejection(detailed)
          logEnd(log, label, trace, startedAt, detailed)
          throw detailed
        }
      })
    },
  }
}

export type Transport = ReturnType<typeof createTransport>
