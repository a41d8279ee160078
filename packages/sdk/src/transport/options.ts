import { abortSignal, integer, milliseconds, oneOf, type Check } from '@guild-ledger/validation'
import type { Priority, Throttle } from '../throttle/index.ts'
import type { ApiKeys } from './api-keys.ts'
import type { Log } from './log.ts'

/** What happens when a success response violates the contract: an error, a warning in the log, or nothing. */
export type Validation = 'strict' | 'warn' | 'off'

/** How often and how soon a failed request is retried. */
export interface RetryOptions {
  /** Attempts after the first one, from 0 to 100. @default 2 */
  readonly maxRetries?: number | undefined
  /**
   * Further attempts after a 429, from 0 to 100, which do not count as `maxRetries`. They need a throttle, which slows all
   * calls down meanwhile; there are none where `maxRetries` is 0.
   *
   * @default 10
   */
  readonly maxRateLimitRetries?: number | undefined
  /**
   * Upper bound of the wait before the first retry, in milliseconds; it doubles with each further one. The wait is drawn
   * at random between 0 and that bound, so that many clients do not retry at the same moment.
   *
   * @default 300
   */
  readonly baseDelayMs?: number | undefined
  /**
   * No wait before a retry is longer than this, in milliseconds. If `Retry-After` is longer, the call fails instead, with
   * `retryAfterMs` on the error.
   *
   * @default 20000
   */
  readonly maxDelayMs?: number | undefined
}

/**
 * Wraps each attempt: receives the request without the API key, passes it on with `next`, returns the response. It may
 * read or replace either; a request to another origin is rejected. An attempt fails with a `TimeoutError` where middleware
 * takes longer than `attemptTimeoutMs` at a time, without the time that `next` takes.
 */
export type Middleware = (request: Request, next: (request: Request) => Promise<Response>) => Promise<Response>

/** What a `fetch` gets besides the URL. */
export interface FetchInit {
  /** HTTP method. */
  readonly method: 'GET'
  /** Headers, with the key. */
  readonly headers: Record<string, string>
  /** Redirects must not be followed: the key would be sent along. */
  readonly redirect: 'manual'
  /** Ends the request. */
  readonly signal: AbortSignal
}

/** What a `fetch` returns: a `Response`, also one of undici or node-fetch. */
export interface FetchResponse {
  /** HTTP status. */
  readonly status: number
  /** `opaqueredirect` in browsers, `error` for a network error. */
  readonly type: string
  /** Response headers. */
  readonly headers: Iterable<[string, string]> & {
    /** Value of one of them. */
    get(name: string): string | null
  }
  /** The body as a stream; null if there is none. */
  readonly body: unknown
  /** Reads the body. */
  text(): Promise<string>
}

/** The `fetch` that sends a request: the global one, that of undici, or one of your own. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>

/** Options of one call. Each overrides the client's. */
export interface CallOptions {
  /** Ends the call at any stage; it rejects with `signal.reason`. */
  readonly signal?: AbortSignal | null | undefined
  /**
   * Time limit of the whole call, in milliseconds: queue, attempts and the waits between them.
   *
   * @default the client's, which has no limit unless given
   */
  readonly timeoutMs?: number | undefined
  /**
   * Time limit of one attempt with its body, in milliseconds, counted from the moment its slot is granted.
   *
   * @default the client's, which is 10000 unless given
   */
  readonly attemptTimeoutMs?: number | undefined
  /** Attempts after the first one, from 0 to 100. @default the client's `retry.maxRetries` */
  readonly maxRetries?: number | undefined
  /**
   * What happens when a success response violates the contract: an error, a warning in the log, or nothing.
   *
   * @default the client's, which is 'strict' unless given
   */
  readonly validation?: Validation | undefined
  /**
   * Which call goes first when several wait for the throttle.
   *
   * @default 'interactive', and 'background' for paginators and watches
   */
  readonly priority?: Priority | undefined
}

/** Options that a client and each of its calls accept. */
export const sharedChecks = {
  timeoutMs: milliseconds(1),
  attemptTimeoutMs: milliseconds(1),
  validation: oneOf('strict', 'warn', 'off'),
}

export const maxRetries = integer(0, 100)

export const callChecks: Record<keyof CallOptions, Check> = {
  ...sharedChecks,
  maxRetries,
  signal: abortSignal,
  priority: oneOf('interactive', 'background'),
}

/** All options of a client, checked, with defaults filled in. */
export interface TransportSettings {
  /** In a closure, so that no inspection shows it. */
  readonly keys: ApiKeys
  /** The header `user-agent`, where the runtime lets it be set. */
  readonly userAgent: Readonly<Record<string, string>>
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly timeoutMs: number | undefined
  readonly attemptTimeoutMs: number
  readonly retry: Readonly<Record<keyof RetryOptions, number>>
  readonly throttle: Pick<Throttle, 'acquire' | 'estimateMs' | 'stats'> | undefined
  /** When the key expires, in milliseconds since 1970. */
  readonly keyExpiresAt: number | undefined
  /** Whether identical calls that wait for a slot share one request. */
  readonly deduplicate: boolean
  readonly validation: Validation
  readonly maxResponseBytes: number
  readonly fetch: Fetch
  readonly middleware: readonly Middleware[]
  readonly log: Log
}
