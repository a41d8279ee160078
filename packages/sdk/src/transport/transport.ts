import { limits } from '../contract/index.ts'
import { defaults } from '../defaults.ts'
import { clientClosed, withDetails, type GuildLedgerError, type RequestDetails } from '../errors/index.ts'
import { timersDieWithRequests } from '../throttle/index.ts'
import { createExpiryWarning } from './api-keys.ts'
import { createAuthentication } from './auth.ts'
import { deadline, type Deadline } from './deadline.ts'
import { parseJson } from './body.ts'
import { decodeBody, type Decoder } from './decode.ts'
import { createRetryLog, logEnd } from './log.ts'
import type { CallOptions, TransportSettings } from './options.ts'
import { shownUrl } from './redaction.ts'
import { createAttempt, createRequestWithRetries } from './retry.ts'
import { createLingeringRequests, createSend } from './send.ts'
import { createSharedRequests } from './shared-requests.ts'
import { toTimeoutError } from './to-error.ts'
import { startTrace, traced, withResponse, type RequestTrace } from './trace.ts'

/** Query parameters; those that are undefined are left out. */
export type QueryParameters = Readonly<Record<string, string | number | boolean | Date | undefined>>

/** What is requested: a path, and the same with the names of its parameters. */
export interface Target {
  /** Path with its parameters. */
  readonly path: string
  /** Path with the names of its parameters. */
  readonly endpoint: string
}

/** What is made of a page, with what an error says of its request. Errors of a request get its details. */
export type UsePage<Page, R> = (page: Page, details: () => RequestDetails) => R

/** Not an `AbortSignal`: on Workers no event may look at one that another event has made. */
export type Closed = Pick<AbortSignal, 'aborted' | 'addEventListener' | 'removeEventListener'>

/** Authenticated GET requests. */
export interface Transport {
  /** How each call is retried unless its options say otherwise. */
  readonly retry: TransportSettings['retry']
  /** Logs that a call of `endpoint` failed, after its retries, and is made again: for a page, else for a watch. */
  logRetry(endpoint: string, error: Error, waitMs: number): void
  /** Writes to the log of the client. */
  readonly log: TransportSettings['log']
  /** Requests a second that the throttle lets pass now. */
  readonly requestsPerSecond: () => number
  /** Resolves with what `decode` makes of the response body. */
  get<T>(target: Target, query: QueryParameters, decode: Decoder<T>, options?: CallOptions): Promise<T>
  /** The same, with the response for `responseOf`. Resolves with what `use` makes of it, which is part of the call. */
  page<T, R>(
    target: Target,
    query: QueryParameters,
    decode: Decoder<T>,
    options: CallOptions | undefined,
    use: UsePage<T, R>,
  ): Promise<R>
  /** Fires when the client is closed: what iterates ends then. */
  readonly closed: Closed
  /** Ends what iterates, rejects calls in progress and further ones, and ends requests on the network. */
  close(): void
}

/** A call that has begun. */
interface Started {
  readonly trace: RequestTrace
  /** Method and path, for messages. */
  readonly label: string
  readonly url: string
  readonly details: () => RequestDetails
}

const searchOf = (query: QueryParameters): string => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.append(name, value instanceof Date ? value.toISOString() : String(value))
  }
  return search.size > 0 ? `?${search}` : ''
}

/** Binds settings to requests. */
export const createTransport = (settings: TransportSettings): Transport => {
  const { baseUrl, log, throttle, deduplicate } = settings
  const lingering = createLingeringRequests()
  const auth = createAuthentication(settings)
  const attempt = createAttempt(settings.middleware, createSend(settings, auth, lingering))
  const logRetry = createRetryLog(log)
  const request = createSharedRequests(
    createRequestWithRetries(settings, attempt, logRetry),
    // On Workers a call must not wait for the request of another: it would never end if the event of that one ends.
    deduplicate && throttle !== undefined && !timersDieWithRequests,
  )
  const warnOfExpiry = createExpiryWarning(settings.keyExpiresAt, settings.keys, log)
  // Somebody may have passed the key as a path. Identifiers of users stay out of messages.
  const labelOf = (endpoint: string) => `GET ${auth.redact(endpoint)}`
  const closed = Object.assign(new EventTarget(), { aborted: false })
  /** Calls in progress. */
  const pending = new Set<Deadline>()

  const call = async <T>(
    { trace, label, url }: Started,
    decode: Decoder<T>,
    options: CallOptions,
  ): Promise<[value: T, response: Response]> => {
    const { timeoutMs = settings.timeoutMs, attemptTimeoutMs = settings.attemptTimeoutMs } = options
    const { validation = settings.validation, maxRetries = settings.retry.maxRetries } = options
    const { signal: outer, priority = defaults.client.priority } = options
    if (closed.aborted) throw clientClosed()
    outer?.throwIfAborted()
    if (timeoutMs !== undefined && (throttle?.stats.pausedForMs ?? 0) > timeoutMs) {
      throw toTimeoutError(label, 'queue', timeoutMs)
    }
    const endsAt = timeoutMs === undefined ? Infinity : performance.now() + timeoutMs
    const timeLeftMs = () => endsAt - performance.now()
    const shared = request(url, label, trace, { attemptTimeoutMs, priority, maxRetries, timeLeftMs })
    const phase = () => (shared.isQueued() ? 'queue' : shared.trace.attempts > 0 ? 'call' : 'start')
    const toLate = () => toTimeoutError(label, phase(), timeoutMs ?? Infinity)
    const limit = deadline(outer, timeoutMs, toLate)
    pending.add(limit)
    const work = async (): Promise<[T, Response]> => {
      const { response, text } = await shared.result
      return [await decodeBody(parseJson(text, label), decode, validation, label, log), response]
    }
    try {
      return await limit.race(work())
    } finally {
      limit.end()
      pending.delete(limit)
      shared.leave()
      const { status, attempts, queuedMs } = shared.trace
      if (status !== undefined) trace.status = status
      trace.attempts = attempts
      trace.queuedMs = queuedMs
    }
  }

  const start = <T>(
    { path, endpoint }: Target,
    query: QueryParameters,
    work: (started: Started) => Promise<T>,
  ): Promise<T> => {
    warnOfExpiry()
    const trace = startTrace(auth.redact(endpoint))
    const search = searchOf(query)
    const url = baseUrl + path + search
    const details = () => {
      const { method, attempts, callId } = trace
      return {
        method,
        endpoint: auth.redact(endpoint),
        url: auth.redact(shownUrl(baseUrl + endpoint + search)),
        attempts,
        callId,
      }
    }
    const label = labelOf(endpoint)
    const startedAt = performance.now()
    return traced(trace, async () => {
      try {
        const value = await work({ trace, label, url, details })
        logEnd(log, label, trace, startedAt)
        return value
      } catch (error) {
        const detailed = withDetails(error, details)
        logEnd(log, label, trace, startedAt, detailed)
        throw detailed
      }
    })
  }

  return {
    retry: settings.retry,
    logRetry(endpoint, error: Error & Partial<RequestTrace & GuildLedgerError>, waitMs) {
      logRetry(labelOf(endpoint), error, error, waitMs, error.page === undefined ? 'watch' : `page ${error.page}`)
    },
    log,
    requestsPerSecond: () => throttle?.stats.requestsPerSecond ?? limits.requestsPerSecond,
    closed,
    close() {
      closed.aborted = true
      closed.dispatchEvent(new Event('abort'))
      for (const limit of pending) limit.fire(clientClosed())
      lingering.end()
    },
    get: (target, query, decode, options = {}) =>
      start(target, query, async (started) => (await call(started, decode, options))[0]),
    page: (target, query, decode, options = {}, use) =>
      start(target, query, async (started) => {
        const [value, { status, headers }] = await call(started, decode, options)
        const { attempts, queuedMs, callId } = started.trace
        return use(withResponse(value, { status, headers, attempts, queuedMs, callId }), started.details)
      }),
  }
}
