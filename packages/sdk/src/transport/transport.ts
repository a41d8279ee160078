import { defaults } from '../defaults.ts'
import { ConfigurationError, withDetails, type GuildLedgerError, type RequestDetails } from '../errors/index.ts'
import { timersDieWithRequests } from '../throttle/index.ts'
import { createAttempt } from './attempt.ts'
import { createAuthentication } from './auth.ts'
import { logEnd } from './call-log.ts'
import { deadline } from './deadline.ts'
import { decodeBody, parseJson, type Decoder } from './decode.ts'
import { createExpiryWarning } from './key-expiry.ts'
import { createLingeringRequests } from './lingering.ts'
import type { CallOptions, TransportSettings } from './options.ts'
import { parsingTurn } from './parsing-turn.ts'
import { withResponse } from './response-info.ts'
import { createRetryLog } from './retry-log.ts'
import { createRequestWithRetries } from './retry.ts'
import { createSharedRequests } from './shared-requests.ts'
import { shownUrl } from './shown-url.ts'
import { toTimeoutError } from './to-error.ts'
import { startTrace, traced, type RequestTrace } from './trace.ts'

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

/** Authenticated GET requests. */
export interface Transport {
  /** How each call is retried unless its options say otherwise. */
  readonly retry: TransportSettings['retry']
  /** Logs that a call for `path` failed, after its retries, and is made again: for a page, else for a watch. */
  logRetry(path: string, error: Error, waitMs: number): void
  /** Writes to the log of the client. */
  readonly log: TransportSettings['log']
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
  /** Ends requests that were given up and are still on the network; further calls fail. */
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
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.append(name, value instanceof Date ? value.toISOString() : String(value))
  }
  return parameters.size > 0 ? `?${parameters}` : ''
}

/** Binds settings to requests. */
export const createTransport = (settings: TransportSettings): Transport => {
  const { baseUrl, log, throttle, deduplicate } = settings
  const lingering = createLingeringRequests()
  const auth = createAuthentication(settings)
  const attempt = createAttempt(settings, auth, lingering)
  const logRetry = createRetryLog(log)
  const request = createSharedRequests(
    createRequestWithRetries(settings, attempt, logRetry),
    // On Workers a call must not wait for the request of another: it would never end if the event of that one ends.
    deduplicate && throttle !== undefined && !timersDieWithRequests,
  )
  const warnOfExpiry = createExpiryWarning(settings)
  // Somebody may have passed the key as an id or in a path.
  const labelOf = (path: string) => `GET ${auth.redact(path)}`
  let isClosed = false

  const call = async <T>(
    { trace, label, url }: Started,
    decode: Decoder<T>,
    options: CallOptions,
  ): Promise<[value: T, response: Response, length: number]> => {
    const { timeoutMs = settings.timeoutMs, attemptTimeoutMs = settings.attemptTimeoutMs } = options
    const { validation = settings.validation, maxRetries = settings.retry.maxRetries } = options
    const { signal: outer, priority = defaults.client.priority } = options
    if (isClosed) throw new ConfigurationError('close', 'the client was closed: make a new one for further calls')
    outer?.throwIfAborted()
    if (timeoutMs !== undefined && (throttle?.stats.pausedForMs ?? 0) > timeoutMs) {
      throw toTimeoutError(label, 'queue', timeoutMs)
    }
    const isLimited = outer !== undefined || timeoutMs !== undefined
    const endsAt = timeoutMs === undefined ? Infinity : performance.now() + timeoutMs
    const timeLeftMs = () => endsAt - performance.now()
    const shared = request(url, label, trace, { attemptTimeoutMs, priority, maxRetries, timeLeftMs, isLimited })
    const phase = () => (shared.isQueued() ? 'queue' : shared.trace.attempts > 0 ? 'call' : 'start')
    const toLate = () => toTimeoutError(label, phase(), timeoutMs ?? Infinity)
    const limit = isLimited ? deadline(outer, timeoutMs, toLate) : undefined
    const work = async (): Promise<[T, Response, number]> => {
      const { response, text } = await shared.result
      await parsingTurn(text.length)
      if (limit?.fired) throw limit.fired.reason
      const body = parseJson(text, label, settings.maxResponseBytes)
      return [await decodeBody(body, decode, validation, label, log), response, text.length]
    }
    try {
      return await (limit ? limit.race(work()) : work())
    } finally {
      limit?.end()
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
    const url = baseUrl + path + searchOf(query)
    const details = () => {
      const { method, attempts, callId } = trace
      return { method, endpoint: auth.redact(endpoint), url: auth.redact(shownUrl(url)), attempts, callId }
    }
    const label = labelOf(path)
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
    logRetry(path, error: Error & Partial<RequestTrace & GuildLedgerError>, waitMs) {
      logRetry(labelOf(path), error, error, waitMs, error.page === undefined ? 'watch' : `page ${error.page}`)
    },
    log,
    close() {
      isClosed = true
      lingering.end()
    },
    get: (target, query, decode, options = {}) =>
      start(target, query, async (started) => (await call(started, decode, options))[0]),
    page: (target, query, decode, options = {}, use) =>
      start(target, query, async (started) => {
        const [value, { status, headers }, length] = await call(started, decode, options)
        const { attempts, queuedMs, callId } = started.trace
        return use(withResponse(value, { status, headers, attempts, queuedMs, callId }, length), started.details)
      }),
  }
}
