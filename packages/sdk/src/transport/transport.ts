import { TimeoutError } from '../errors/index.ts'
import { createAttempt, type Call, type Reply } from './attempt.ts'
import { deadline } from './deadline.ts'
import { createExchange } from './exchange.ts'
import { holdKey, type KeyHolder } from './key.ts'
import { readBody, type Read } from './read.ts'
import type { CallOptions, Settings } from './settings.ts'
import { traced, type RequestTrace } from './trace.ts'

/** Parameters of a query; what is undefined is left out. */
export type Query = Readonly<Record<string, string | number | boolean | Date | undefined>>

/** How a reply came about. */
export interface ResponseInfo {
  readonly status: number
  readonly headers: Headers
  /** Attempts made, the first one counted. */
  readonly attempts: number
  /** Milliseconds spent waiting for the throttle, over all attempts. */
  readonly queuedMs: number
}

/** One authenticated GET, for the floors above. */
export interface Transport {
  get<T>(path: string, query: Query, read: Read<T>, options?: CallOptions): Promise<T>
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
  readonly #redact: KeyHolder['redactHeaders']
  readonly status: number
  readonly attempts: number
  readonly queuedMs: number

  constructor({ status, headers }: Reply, { attempts, queuedMs }: RequestTrace, redact: KeyHolder['redactHeaders']) {
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

/** Sets what is not part of the body where `JSON.stringify` and `Object.keys` do not see it. */
const withResponse = <T>(value: T, response: ResponseInfo): T =>
  typeof value === 'object' && value !== null && Object.isExtensible(value)
    ? Object.defineProperty(value, 'response', { value: response, configurable: true })
    : value

const timedOut = (endpoint: string, timeoutMs = 0) =>
  new TimeoutError(
    `No reply in time: ${endpoint}: not done within ${timeoutMs} ms, waits for the throttle and retries counted. ` +
      'Try again, or allow more with timeoutMs.',
    timeoutMs,
    'call',
  )

/** Binds settings to `get`. */
export const createTransport = (settings: Settings): Transport => {
  const { baseUrl, log } = settings
  const key = holdKey(settings.apiKey, baseUrl, settings.fetch)
  const exchange = createExchange(settings, createAttempt(settings, key))

  const get = async <T>(trace: RequestTrace, url: string, read: Read<T>, options: CallOptions): Promise<T> => {
    const { endpoint } = trace
    const { timeoutMs = settings.timeoutMs, validation = settings.validation, ...rest } = options
    const limited = options.signal !== undefined || timeoutMs !== undefined
    const limit = limited ? deadline(options.signal, timeoutMs, () => timedOut(endpoint, timeoutMs)) : undefined
    const { attemptTimeoutMs = settings.attemptTimeoutMs, maxRetries = settings.retry.maxRetries } = rest
    const { priority = 'interactive' } = rest
    const call: Call = { trace, signal: limit?.signal, timeoutMs, attemptTimeoutMs, priority }
    try {
      const exchanged = exchange(url, call, maxRetries)
      const reply = await (limit ? limit.race(exchanged) : exchanged)
      const value = await readBody(reply.body, read, validation, endpoint, log)
      return withResponse(value, new ReplyInfo(reply, trace, key.redactHeaders))
    } finally {
      limit?.end()
    }
  }

  return {
    get: (path, query, read, options = {}) => {
      const trace: RequestTrace = { endpoint: `GET ${path}`, attempts: 0, queuedMs: 0 }
      return traced(trace, () => get(trace, baseUrl + path + searchOf(query), read, options))
    },
  }
}
