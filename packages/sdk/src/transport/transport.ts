import { TimeoutError } from '../errors/index.ts'
import { createAttempt, type Reply } from './attempt.ts'
import { deadline } from './deadline.ts'
import { createExchange } from './exchange.ts'
import { holdKey } from './key.ts'
import { readBody, type Read } from './read.ts'
import type { Redact } from './redact.ts'
import type { Call } from './send.ts'
import type { CallOptions, Settings } from './settings.ts'
import { traced, type RequestTrace } from './trace.ts'

/** Parameters of a query; what is undefined is left out. */
export type Query = Readonly<Record<string, string | number | boolean | Date | undefined>>

/** How a reply came about. */
export interface ResponseInfo {
  /** HTTP status. */
  readonly status: number
  /** Headers of the reply. */
  readonly headers: Headers
  /** Attempts made, the first one counted. */
  readonly attempts: number
  /** Milliseconds spent waiting for the throttle, over all attempts. */
  readonly queuedMs: number
}

/** Authenticated GETs, for the floors above. */
export interface Transport {
  /** What `read` makes of a reply body. */
  get<T>(path: string, query: Query, read: Read<T>, options?: CallOptions): Promise<T>
  /** The same, with how the reply came about as `response` beside the body's own fields. */
  page<T>(path: string, query: Query, read: Read<T>, options?: CallOptions): Promise<T>
}

const searchOf = (query: Query): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.append(name, value instanceof Date ? value.toISOString() : String(value))
  }
  return parameters.size > 0 ? `?${parameters}` : ''
}

class ReplyInfo implements ResponseInfo {
  readonly #headers: Headers
  readonly #redact: Redact['headers']
  readonly status: number
  readonly attempts: number
  readonly queuedMs: number

  constructor({ status, headers }: Reply, { attempts, queuedMs }: RequestTrace, redact: Redact['headers']) {
    this.#headers = headers
    this.#redact = redact
    this.status = status
    this.attempts = attempts
    this.queuedMs = queuedMs
  }

  /** Read on demand: few ask for them. */
  get headers(): Headers {
    return this.#redact(this.#headers)
  }
}

/** Sets what is not part of a body where `JSON.stringify` and `Object.keys` do not see it; a field of its own stays. */
const withResponse = <T>(value: T, response: ResponseInfo): T =>
  typeof value === 'object' && value !== null && !Object.hasOwn(value, 'response')
    ? Object.defineProperty(value, 'response', { value: response })
    : value

const timedOut = (endpoint: string, timeoutMs = 0) =>
  new TimeoutError(
    `No reply in time: ${endpoint}: not done within ${timeoutMs} ms, waits for the throttle and retries counted. ` +
      'Try again, or allow more with timeoutMs.',
    timeoutMs,
    'call',
  )

/** The throttle knows neither what waits nor all the time it was given. */
const inTermsOfCall = (error: unknown, endpoint: string, timeoutMs: number | undefined): unknown =>
  error instanceof TimeoutError && error.phase === 'queue' && timeoutMs !== undefined
    ? new TimeoutError(
        `No slot of the throttle in time: ${endpoint}: none free within ${timeoutMs} ms. ` +
          'Start fewer calls at once, or allow more with timeoutMs.',
        timeoutMs,
        'queue',
      )
    : error

/** Binds settings to requests. */
export const createTransport = (settings: Settings): Transport => {
  const { baseUrl, log } = settings
  const key = holdKey(settings.apiKey, baseUrl, settings.fetch)
  const exchange = createExchange(settings, createAttempt(settings, key))

  const ask = async <T>(trace: RequestTrace, url: string, read: Read<T>, options: CallOptions): Promise<[T, Reply]> => {
    const { timeoutMs = settings.timeoutMs, attemptTimeoutMs = settings.attemptTimeoutMs } = options
    const { validation = settings.validation, maxRetries = settings.retry.maxRetries } = options
    const { signal: outer, priority = 'interactive' } = options
    const limited = outer !== undefined || timeoutMs !== undefined
    const limit = limited ? deadline(outer, timeoutMs, () => timedOut(trace.endpoint, timeoutMs)) : undefined
    const endsAt = timeoutMs === undefined ? Infinity : performance.now() + timeoutMs
    const timeLeftMs = () => endsAt - performance.now()
    const call: Call = { trace, signal: limit?.signal, timeLeftMs, attemptTimeoutMs, priority }

    const answer = async (): Promise<[T, Reply]> => {
      const reply = await exchange(url, call, maxRetries)
      return [await readBody(reply.body, read, validation, trace.endpoint, log), reply]
    }
    try {
      return await (limit ? limit.race(answer()) : answer())
    } catch (error) {
      throw inTermsOfCall(error, trace.endpoint, timeoutMs)
    } finally {
      limit?.end()
    }
  }

  const call = <T>(
    path: string,
    query: Query,
    read: Read<T>,
    options: CallOptions = {},
    finish: (value: T, reply: Reply, trace: RequestTrace) => T = (value) => value,
  ): Promise<T> => {
    const trace: RequestTrace = { endpoint: `GET ${path}`, attempts: 0, queuedMs: 0 }
    const url = baseUrl + path + searchOf(query)
    return traced(trace, async () => finish(...(await ask(trace, url, read, options)), trace))
  }

  return {
    get: (path, query, read, options) => call(path, query, read, options),
    page: (path, query, read, options) =>
      call(path, query, read, options, (value, reply, trace) =>
        withResponse(value, new ReplyInfo(reply, trace, key.redact.headers)),
      ),
  }
}
