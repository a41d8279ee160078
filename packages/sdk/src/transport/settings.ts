import type { Priority, Throttle } from '../throttle/index.ts'
import type { Log } from './log.ts'

/** What happens to a 200 reply that breaks the contract: an error, a warning in the log, or nothing. */
export type Validation = 'strict' | 'warn' | 'off'

/** How often and how soon a failed request is asked again. */
export interface RetryOptions {
  /**
   * Attempts after the first one.
   *
   * @default 2
   */
  readonly maxRetries?: number | undefined
  /**
   * Longest wait before the first retry, in milliseconds; it doubles with each further one. The wait itself is drawn
   * at random between 0 and that, so that many clients do not come back together.
   *
   * @default 300
   */
  readonly baseDelayMs?: number | undefined
  /**
   * No wait before a retry is longer than this, in milliseconds. A service that asks for more (`Retry-After`) is not
   * asked again: the error tells how long it wanted.
   *
   * @default 20000
   */
  readonly maxDelayMs?: number | undefined
}

/**
 * Wraps each attempt: gets the request without the API key, passes it on with `next`, returns the reply. It may read
 * or replace either; a request for another origin is refused.
 */
export type Middleware = (request: Request, next: (request: Request) => Promise<Response>) => Promise<Response>

/** The `fetch` a request goes out by. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Options of one call, each overriding the client's. */
export interface CallOptions {
  /** Ends the call wherever it is; it rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined
  /** Time for the whole call, in milliseconds: queue, attempts, waits between them. */
  readonly timeoutMs?: number | undefined
  /** Time for one attempt with its body, in milliseconds, counted from the moment its slot is granted. */
  readonly attemptTimeoutMs?: number | undefined
  /** Attempts after the first one. */
  readonly maxRetries?: number | undefined
  /** What happens to a reply that breaks the contract. */
  readonly validation?: Validation | undefined
  /** Who goes first when several calls wait for the throttle: `interactive` unless given; walks are `background`. */
  readonly priority?: Priority | undefined
}

/** All options of a client, checked and filled in. Frozen. */
export interface Settings {
  readonly apiKey: string
  /** Without a slash at its end. */
  readonly baseUrl: string
  readonly timeoutMs: number | undefined
  readonly attemptTimeoutMs: number
  readonly retry: Readonly<Record<keyof RetryOptions, number>>
  readonly throttle: Throttle | undefined
  readonly validation: Validation
  readonly fetch: Fetch
  readonly middleware: readonly Middleware[]
  readonly log: Log
}
