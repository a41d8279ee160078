/** Which call goes first when several wait: `interactive` (somebody waits for it) before `background` (a long walk). */
export type Priority = 'interactive' | 'background'

/** How the request that a permit was for went: it decides when its slot comes free. */
export type Outcome =
  | {
      /** A reply's headers were seen. */
      readonly kind: 'answered'
      /** Status of the reply. */
      readonly status: number
      /** Milliseconds the service asked to wait. */
      readonly retryAfterMs?: number | undefined
    }
  | {
      /** The connection failed: nothing will arrive any more. */
      readonly kind: 'failed'
    }
  | {
      /** Given up while under way. */
      readonly kind: 'abandoned'
      /** Milliseconds for which it may still arrive. */
      readonly mayArriveForMs: number
    }
  | {
      /** Nothing was handed to `fetch`. */
      readonly kind: 'unsent'
    }

/** The right to send one request. */
export interface Permit {
  /**
   * Tells how the request went. To be called once, as soon as it is known; later calls change nothing. A permit that
   * is dropped without it keeps its slot until the garbage collector finds it and 10 seconds more (`stats.lost`).
   */
  release(outcome: Outcome): void
}

/** How a call waits for its permit. */
export interface AcquireOptions {
  /** Ends the wait; the promise rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined
  /** @default 'interactive' */
  readonly priority?: Priority | undefined
  /** Milliseconds to wait at most; rejects with a `TimeoutError`, at once if a pause lasts longer. @default Infinity */
  readonly timeoutMs?: number | undefined
}

/** Stands before every request and lets it pass when the rate limit allows it. Spec: Limits. */
export interface Throttle {
  /**
   * Waits for the right to send one request.
   *
   * @throws {ThrottleError} Too many calls wait already, or the store of a shared throttle cannot be reached.
   * @throws {TimeoutError} No permit within `timeoutMs`.
   */
  acquire(options?: AcquireOptions): Promise<Permit>
  /** Lets nothing pass for `ms` milliseconds from now. A shorter pause does not end a longer one. */
  pause(ms: number): void
  /** Figures of this moment, for people and dashboards. */
  readonly stats: ThrottleStats
}

/**
 * How requests are spaced. A throttle starts with `arrival` or `adaptive` and takes the next step whenever the service
 * answers 429 all the same; it never goes back.
 *
 * - `adaptive`: as `arrival`, less what the fastest way to the service always takes
 * - `arrival`: ten slots, each held until a second after the reply
 * - `spaced`: nine slots, and 112 ms between two requests
 * - `sequential`: one request at a time, 100 ms after the reply to the one before
 */
export type Pace = 'adaptive' | 'arrival' | 'spaced' | 'sequential'

/** Figures about a throttle. */
export interface ThrottleStats {
  /** Calls waiting for a permit. */
  readonly waiting: number
  /** Slots held: requests under way and those whose second is not over. */
  readonly held: number
  /** Of the slots held, those of requests under way. */
  readonly underWay: number
  /** Permits given so far. */
  readonly acquired: number
  /** Replies 429 so far. */
  readonly refused: number
  /** Permits that were dropped without `release` so far. */
  readonly lost: number
  /** Milliseconds for which nothing passes, because of `pause` or `Retry-After`; 0 if anything may. */
  readonly pausedForMs: number
  /** How requests are spaced now. */
  readonly pace: Pace
}
