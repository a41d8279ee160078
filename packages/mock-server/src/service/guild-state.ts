import type { Subscription } from '../answer/key-error.ts'
import type { Assumptions, EffectiveAssumptions } from '../assumptions/index.ts'
import type { Faults } from '../faults/index.ts'
import type { RateLimiter } from '../rate-limit/index.ts'
import type { RequestLog } from '../request-log/index.ts'
import type { ScheduledInserts, TransactionStore } from '../store/index.ts'
import type { Trace } from './trace.ts'

/** Everything the service knows about one guild. */
export interface GuildState {
  readonly id: string
  subscription: Subscription
  /** The guild's own assumption values over those of the mock. */
  readonly effective: EffectiveAssumptions
  /** The current values of `effective`. */
  readonly assumptions: Assumptions
  readonly transactions: TransactionStore
  readonly faults: Faults
  readonly scheduled: ScheduledInserts
  readonly limiter: RateLimiter
  /** Whether somebody has set the rate limit: then it also applies to clients without a throttle. */
  isLimitSet: boolean
  readonly log: RequestLog
  readonly trace: Trace
}
