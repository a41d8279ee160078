/** Which call goes first when several wait: `interactive` (somebody waits for it) before `background` (a long walk). */
export type Priority = 'interactive' | 'background'

/** How the request that a permit was for went: it decides when its slot comes free. */
export type Outcome =
  /** A reply's headers were seen. */
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfterMs?: number | undefined }
  /** The connection failed: nothing will arrive any more. */
  | { readonly kind: 'failed' }
  /** Given up while under way: it may still arrive for up to `mayArriveForMs` milliseconds. */
  | { readonly kind: 'abandoned'; readonly mayArriveForMs: number }
  /** Nothing was handed to `fetch`. */
  | { readonly kind: 'unsent' }

/** The right to send one request. */
export interface Permit {
  /** Tells how the request went. To be called once, as soon as it is known; later calls change nothing. */
  release(outcome: Outcome): void
}

/** How a call waits for its permit. */
export interface AcquireOptions {
  /** Ends the wait; the promise rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined
  /** @default 'interactive' */
  readonly priority?: Priority | undefined
}

/** Stands before every request and lets it pass when the rate limit allows it. Spec: Limits. */
export interface Throttle {
  /**
   * Waits for the right to send one request.
   *
   * @throws {ThrottleError} Too many calls wait already, or the store of a shared throttle cannot be reached.
   */
  acquire(options?: AcquireOptions): Promise<Permit>
  /** Lets nothing pass for `ms` milliseconds from now. */
  pause(ms: number): void
  /** Figures of this moment, for people and dashboards. */
  readonly stats: ThrottleStats
}

/** Figures about a throttle. */
export interface ThrottleStats {
  /** Calls waiting for a permit. */
  readonly waiting: number
  /** Slots held: requests under way and those whose second is not over. */
  readonly held: number
  /** Permits given so far. */
  readonly acquired: number
}
