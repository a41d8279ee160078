import { defaults } from '../defaults.ts'
import { ConfigurationError } from '../errors/index.ts'
import { createAttempt } from './attempt.ts'
import { createAuthentication } from './auth.ts'
import { deadline } from './deadline.ts'
import { decodeBody, parseJson, type Decoder } from './decode.ts'
import { createLingeringRequests } from './lingering.ts'
import type { CallOptions, TransportSettings } from './options.ts'
import { parsingTurn } from './parsing-turn.ts'
import { withResponse } from './response-info.ts'
import { createRequestWithRetries } from './retry.ts'
import { createSharedRequests } from './shared-requests.ts'
import { toTimeoutError } from './to-error.ts'
import { traced, type RequestTrace } from './trace.ts'

/** Query parameters; those that are undefined are left out. */
export type QueryParameters = Readonly<Record<string, string | number | boolean | Date | undefined>>

/** Authenticated GET requests. */
export interface Transport {
  /** Retries of each call unless its options say otherwise. */
  readonly maxRetries: number
  /** Resolves with what `decode` makes of the response body. */
  get<T>(path: string, query: QueryParameters, decode: Decoder<T>, options?: CallOptions): Promise<T>
  /** The same, with the response for `responseOf`. */
  page<T>(path: string, query: QueryParameters, decode: Decoder<T>, options?: CallOptions): Promise<T>
  /** Ends requests that were given up and are still on the network; further calls fail. */
  close(): void
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
  const attempt = createAttempt(settings, createAuthentication(settings), lingering)
  const request = createSharedRequests(
    createRequestWithRetries(settings, attempt),
    deduplicate && throttle !== undefined,
  )
  let isClosed = false

  const call = async <T>(
    trace: RequestTrace,
    url: string,
    decode: Decoder<T>,
    options: CallOptions,
  ): Promise<[value: T, response: Response, length: number]> => {
    const { timeoutMs = settings.timeoutMs, attemptTimeoutMs = settings.attemptTimeoutMs } = options
    const { validation = settings.validation, maxRetries = settings.retry.maxRetries } = options
    const { signal: outer, priority = defaults.client.priority } = options
    const { endpoint } = trace
    if (isClosed) throw new ConfigurationError('close', 'the client was closed: make a new one for further calls')
    outer?.throwIfAborted()
    if (timeoutMs !== undefined && (throttle?.stats.pausedForMs ?? 0) > timeoutMs) {
      throw toTimeoutError(endpoint, 'queue', timeoutMs)
    }
    const isLimited = outer !== undefined || timeoutMs !== undefined
    const endsAt = timeoutMs === undefined ? Infinity : performance.now() + timeoutMs
    const timeLeftMs = () => endsAt - performance.now()
    const shared = request(url, endpoint, { attemptTimeoutMs, priority, maxRetries, timeLeftMs, isLimited })
    const toLate = () => toTimeoutError(endpoint, shared.isQueued() ? 'queue' : 'call', timeoutMs ?? Infinity)
    const limit = isLimited ? deadline(outer, timeoutMs, toLate) : undefined
    const work = async (): Promise<[T, Response, number]> => {
      const { response, text } = await shared.result
      await parsingTurn(text.length)
      return [await decodeBody(parseJson(text, endpoint), decode, validation, endpoint, log), response, text.length]
    }
    try {
      return await (limit ? limit.race(work()) : work())
    } finally {
      limit?.end()
      shared.leave()
      Object.assign(trace, shared.trace)
    }
  }

  const start = (path: string, query: QueryParameters): [trace: RequestTrace, url: string] => [
    { endpoint: `GET ${path}`, attempts: 0, queuedMs: 0 },
    baseUrl + path + searchOf(query),
  ]

  return {
    maxRetries: settings.retry.maxRetries,
    close() {
      isClosed = true
      lingering.end()
    },
    get: (path, query, decode, options = {}) => {
      const [trace, url] = start(path, query)
      return traced(trace, async () => (await call(trace, url, decode, options))[0])
    },
    page: (path, query, decode, options = {}) => {
      const [trace, url] = start(path, query)
      return traced(trace, async () => {
        const [value, { status, headers }, length] = await call(trace, url, decode, options)
        return withResponse(value, { status, headers, attempts: trace.attempts, queuedMs: trace.queuedMs }, length)
      })
    },
  }
}
