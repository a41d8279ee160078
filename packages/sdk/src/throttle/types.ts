/**
 * The types of throttles, for those who use one without a client or write one of their own.
 *
 * @module @guild-ledger/sdk/throttle
 */

/** Which call goes first when several wait: `interactive` (somebody waits for it) before `background` (a long export). */
export type Priority = 'interactive' | 'background'

/** How the request of a permit ended. It decides when the slot of the permit comes free. */
export type Outcome =
  | {
      /** The headers of a response were seen. A 502, 504, 520, 522 or 524 counts as `aborted`: the service may still get the request. */
      readonly kind: 'completed'
      /** HTTP status of the response. */
      readonly status: number
      /** Milliseconds that the service asked to wait (`Retry-After`). */
      readonly retryAfterMs?: number | undefined
      /** The message names a rate limit, or the response is not of the service after good ones. It may be a rate limit, as a 503 may. */
      readonly isRefusal?: boolean | undefined
    }
  | {
      /** The connection failed: the request will not arrive any more. */
      readonly kind: 'failed'
    }
  | {
      /** The caller gave up, by signal or time limit: the request may still arrive within 10 seconds. */
      readonly kind: 'aborted'
    }
  | {
      /** Nothing was handed to `fetch`. */
      readonly kind: 'notSent'
    }

/** The right to send one request. */
export interface Permit {
  /**
   * Reports how the request ended. Call it once, as soon as that is known: until then the permit keeps its slot. After
   * `aborted` it may be called once more, with `completed` or `failed`, if the request turns out to have ended: its slot
   * comes free sooner then.
   *
   * Returns whether the response is a rate limit: a 429, or a 503, 508, 509 or 529 or a response with `isRefusal` while other
   * requests are answered. A throttle of your own may return nothing: then only a 429 is.
   *
   * @throws {ConfigurationError} It is no outcome. The permit can still be released.
   */
  release(outcome: Outcome): boolean | void
}

/** How a call waits for its permit. */
export interface AcquireOptions {
  /** Ends the wait; the promise rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined
  /** @default 'interactive' */
  readonly priority?: Priority | undefined
  /**
   * Time, in milliseconds, after which the caller gives the request up, counted from the grant. It matters on Cloudflare
   * Workers only, where a request may end without a word.
   *
   * @default 10000
   */
  readonly attemptTimeoutMs?: number | undefined
}

/** Stands before every request and lets it pass when the rate limit allows it. Spec: Limits. */
export interface Throttle {
  /**
   * Waits for the right to send one request.
   *
   * @throws {ThrottleError} Too many interactive calls wait already, or the store of a shared throttle is unavailable.
   */
  acquire(options?: AcquireOptions): Promise<Permit>
  /** Lets nothing pass for `ms` milliseconds from now. A shorter pause does not end a longer one. */
  pause(ms: number): void
  /** Ends a pause and returns to the first pace, as if no 429 had come. Slots stay held. */
  reset(): void
  /**
   * Milliseconds that a call made now would wait for its slot, as far as this process can tell: requests in flight are
   * expected to take as long as earlier ones, and those that were given up the full 10 seconds.
   */
  estimateMs(options?: { readonly priority?: Priority | undefined }): number
  /** Figures of this moment, for people and dashboards. */
  readonly stats: ThrottleStats
}

/**
 * How requests are spaced. A throttle starts with `arrival` and takes the next step whenever the service limits the rate
 * all the same: by a 429, or by a 503 while other requests are answered. After 10 minutes without one it takes a step back
 * (half a minute after a first 503, which may have been a short outage), and waits twice as long (up to a day) where
 * another one follows soon.
 *
 * - `arrival`: ten slots, each held until a second after the response
 * - `spaced`: nine slots, and 112 ms between two requests
 * - `sequential`: one request at a time, 100 ms after the previous response; up to 1.6 s if 429s go on
 */
export type Pace = 'arrival' | 'spaced' | 'sequential'

/** A throttle became more careful, or less. */
export interface PaceChange {
  /** The pace before. */
  readonly from: Pace
  /** The pace from now on. */
  readonly to: Pace
  /** `rate-limited`: the service limited the rate. `quiet`: none came for long enough. `reset`: `reset()` was called. */
  readonly reason: 'rate-limited' | 'quiet' | 'reset'
}

/** Figures about a throttle. */
export interface ThrottleStats {
  /** Calls waiting for a permit. */
  readonly waiting: number
  /** Slots held: by requests in flight, by those given up, and by those whose second is not over. */
  readonly held: number
  /** Slots held by requests in flight. */
  readonly inFlight: number
  /** Slots held by requests that were given up and may still arrive. */
  readonly givenUp: number
  /** Permits granted so far. */
  readonly acquired: number
  /** Rate limits so far: responses with status 429, and with 503 while other requests were answered. */
  readonly rateLimited: number
  /** Milliseconds for which nothing passes, because of `pause` or `Retry-After`; 0 if anything may. */
  readonly pausedForMs: number
  /** How requests are spaced now. */
  readonly pace: Pace
  /** Requests that may arrive in a second at this pace. */
  readonly requestsPerSecond: number
}

/** Where a throttle takes its time from. Milliseconds; `now` must never go back. */
export interface Clock {
  /** Milliseconds since some fixed moment. */
  now(): number
  /** Calls `callback` once, `ms` milliseconds from now; what it returns goes to `clearTimeout`. */
  setTimeout(callback: () => void, ms: number): unknown
  /** Calls a timer off. */
  clearTimeout(timer: unknown): void
}
