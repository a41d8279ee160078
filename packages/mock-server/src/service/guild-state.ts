import type { Subscription } from '../answer/key-error.ts'
import { createEffectiveAssumptions, type EffectiveAssumptions } from '../assumptions/effective.ts'
import type { Assumptions } from '../assumptions/values.ts'
import type { Recorder } from '../coverage/recorder.ts'
import { createFaults, type Faults } from '../faults/faults.ts'
import { createRateLimiter, type RateLimit, type RateLimiter, type Usages } from '../rate-limit/rate-limit.ts'
import { createRequestLog, type RequestLog } from '../request-log/request-log.ts'
import type { Faker } from '../seed/faker.ts'
import { seededTransactions, type SeedOptions } from '../seed/seed.ts'
import { createScheduledInserts, type ScheduledInserts } from '../store/scheduled-inserts.ts'
import { createTransactionStore, type TransactionStore } from '../store/transactions.ts'
import { createTrace, type Trace } from './trace.ts'

export interface GuildStart extends SeedOptions {
  readonly id: string
  readonly subscription: Subscription
  readonly rateLimit: RateLimit
  /** Whether somebody has set the rate limit: then it also applies to clients without a throttle. */
  readonly isLimitSet: boolean
  /** Its own values, over those of the mock. */
  readonly assumptions: Partial<Assumptions> | undefined
  readonly ofMock: EffectiveAssumptions
  readonly keepRequests: number
  readonly recorder: Recorder
  readonly loadFaker: () => Faker
  /** What addresses used in all guilds. */
  readonly byAddress: Usages
}

export interface GuildState extends Pick<GuildStart, 'id' | 'recorder'> {
  subscription: Subscription
  isLimitSet: boolean
  readonly effective: EffectiveAssumptions
  /** The current values of `effective`. */
  readonly assumptions: Assumptions
  readonly transactions: TransactionStore
  readonly faults: Faults
  readonly scheduled: ScheduledInserts
  readonly limiter: RateLimiter
  readonly log: RequestLog
  readonly trace: Trace
}

export const createGuildState = (start: GuildStart): GuildState => {
  const { id, subscription, rateLimit, isLimitSet, ofMock, byAddress, recorder } = start
  const effective = createEffectiveAssumptions(start.assumptions, ofMock)
  const transactions = createTransactionStore(() => seededTransactions(start, start.loadFaker))
  return {
    id,
    recorder,
    subscription,
    isLimitSet,
    effective,
    get assumptions() {
      return effective.current
    },
    transactions,
    faults: createFaults(start.seed, (fault) => recorder.note(() => [['happened', fault]])),
    scheduled: createScheduledInserts(transactions),
    limiter: createRateLimiter(rateLimit, () => effective.current, byAddress),
    log: createRequestLog(start.keepRequests),
    trace: createTrace(() => ({ ...ofMock.state(), ...effective.state() })),
  }
}
