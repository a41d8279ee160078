import { ThrottleError } from '../../errors/index.ts'
import type { Throttle, ThrottleStats } from '../throttle.ts'

/** Figures about a throttle in Redis. `waiting`, `held`, `inFlight` and `acquired` are those of this process. */
export interface RedisThrottleStats extends ThrottleStats {
  /** Whether Redis responded last time. */
  readonly available: boolean
  /** Times that Redis became unavailable. */
  readonly outages: number
  /** Scripts run in Redis so far. */
  readonly roundTrips: number
}

/** A throttle that many processes share through Redis. */
export interface RedisThrottle extends Throttle {
  readonly stats: RedisThrottleStats
}

/** The error of waiting calls while Redis is away and there is no local share. */
export const unavailable = (cause: unknown): ThrottleError =>
  new ThrottleError(
    'throttle_unavailable',
    `The throttle cannot reach Redis (${cause instanceof Error ? cause.message : String(cause)}), nothing was sent: check the client, or pass processes to continue with a share of the rate`,
    { cause },
  )
