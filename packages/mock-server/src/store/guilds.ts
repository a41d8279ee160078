import type { Assumptions, Readings } from '../assumptions/index.ts'
import type { Faults } from '../faults/index.ts'
import type { RateLimiter } from '../rate-limit/index.ts'
import type { RequestLog } from '../request-log/index.ts'
import type { Arrivals } from './arrivals.ts'
import type { Rows } from './rows.ts'

/** A plan of the guild; keys work with an active Developer or Enterprise one. Spec: Authentication, 2. */
export type Subscription = 'developer' | 'enterprise' | 'none'

/** Everything the service knows about one guild. */
export interface GuildState {
  readonly id: string
  subscription: Subscription
  readonly readings: Readings
  /** Those of `readings` that are in force at the moment. */
  readonly assumptions: Assumptions
  readonly rows: Rows
  readonly faults: Faults
  readonly arrivals: Arrivals
  readonly limiter: RateLimiter
  readonly log: RequestLog
}

/** The guilds of a mock, by their id. */
export type Guilds = ReadonlyMap<string, GuildState>
