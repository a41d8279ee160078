/** Which call goes first when several wait: `interactive` (somebody waits for it) before `background` (a long export). */
export type Priority = 'interactive' | 'background'

/** How the request of a permit ended. It decides when the slot of the permit comes free. */
export type Outcome =
  | {
      /** The headers of a response were seen. A 502 or 504 counts as `aborted`: the service may still get the request. */
      readonly kind: 'completed'
      /** HTTP status of the response. */
      readonly status: number
      /** Milliseconds that the service asked to wait (`Retry-After`). */
      readonly retryAfterMs?: number | undefined
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
   * Reports how the request ended. Call it once, as soon as that is known. After `aborted` it may be called once more,
   * with `completed` or `failed`, if the request turns out to have ended: its slot comes free sooner then.
   *
   * A permit that is dropped without it keeps its slot until the garbage collector finds it and 10 seconds longer
   * (`stats.lost`), or until `attemptTimeoutMs` of `acquire` and 11 seconds have passed.
   *
   * @throws {ConfigurationError} It is no outcome. The permit can still be released.
   */
  release(outcome: Outcome): void
}

/** How a call waits for its permit. */
export interface AcquireOptions {
  /** Ends the wait; the promise rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined
  /** @default 'interactive' */
  readonly priority?: Priority | undefined
  /** Longest wait, in milliseconds; rejects with a `TimeoutError`, at once if a pause lasts longer. @default Infinity */
  readonly timeoutMs?: number | undefined
  /** Time, in milliseconds, after which the caller gives the request up, counted from the grant. @default 10000 */
  readonly attemptTimeoutMs?: number | undefined
}

/** Stands before every request and lets it pass when the rate limit allows it. Spec: Limits. */
export interface Throttle {
  /**
   * Waits for the right to send one request.
   *
   * @throws {ThrottleError} Too many interactive calls wait already, or the store of a shared throttle is unavailable.
   * @throws {TimeoutError} No permit within `timeoutMs`.
   */
  acquire(options?: AcquireOptions): Promise<Permit>
  /** Lets nothing pass for `ms` milliseconds from now. A shorter pause does not end a longer one. */
  pause(ms: number): void
  /** Ends a pause and returns to the first pace, as if no 429 had come. Slots stay held. */
  reset(): void
  /** Figures of this moment, for people and dashboards. */
  readonly stats: ThrottleStats
}

/**
 * How requests are spaced. A throttle starts with `arrival` or `adaptive` and takes the next step whenever the service
 * responds with 429 all the same. After 10 minutes without a 429 it takes a step back, and waits twice as long (up to a
 * day) where a 429 follows soon.
 *
 * - `adaptive`: as `arrival`, less what even the fastest round trip takes
 * - `arrival`: ten slots, each held until a second after the response
 * - `spaced`: nine slots, and 112 ms between two requests
 * - `sequential`: one request at a time, 100 ms after the previous response; 200 and 400 ms if 429s go on
 */
export type Pace = 'adaptive' | 'arrival' | 'spaced' | 'sequential'

/** A throttle became more careful, or less. */
export interface PaceChange {
  /** The pace before. */
  readonly from: Pace
  /** The pace from now on. */
  readonly to: Pace
  /** `rate-limited`: the service responded with 429. `quiet`: none came for long enough. `reset`: `reset()` was called. */
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
  /** Responses with status 429 so far. */
  readonly rateLimited: number
  /** Permits that were dropped without `release` so far. */
  readonly lost: number
  /** Milliseconds for which nothing passes, because of `pause` or `Retry-After`; 0 if anything may. */
  readonly pausedForMs: number
  /** How requests are spaced now. */
  readonly pace: Pace
}
