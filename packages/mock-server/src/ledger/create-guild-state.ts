import { limits } from '@guild-ledger/sdk/contract'
import { createEffectiveAssumptions, type EffectiveAssumptions } from '../assumptions/index.ts'
import { createFaults } from '../faults/index.ts'
import { createRateLimiter, type AddressUsages, type RateLimit } from '../rate-limit/index.ts'
import { createRequestLog } from '../request-log/index.ts'
import type { Faker } from '../seed/faker.ts'
import { seededTransactions } from '../seed/seed.ts'
import type { GuildState } from '../service/guild-state.ts'
import { createTrace } from '../service/trace.ts'
import { createScheduledInserts, createTransactionStore } from '../store/index.ts'
import type { GuildOptions } from './options.ts'

/** What a new guild takes from its mock where its own options do not say. */
export interface Inherited {
  readonly seed: number
  /** That of the mock, if one was set. */
  readonly rateLimit: RateLimit | undefined
  readonly effective: EffectiveAssumptions
  readonly keepRequests: number
  readonly loadFaker: () => Faker
  /** What addresses used in all guilds. */
  readonly byAddress: AddressUsages
}

/**
 * A new guild, as the service sees it.
 *
 * @throws {TypeError} An assumption is unknown or its value is not allowed.
 */
export const createGuildState = (id: string, options: GuildOptions, inherited: Inherited): GuildState => {
  const { loadFaker, keepRequests, byAddress } = inherited
  const {
    users = 20,
    transactions: count = 0,
    rateLimit = inherited.rateLimit ?? limits.requestsPerSecond,
    subscription = 'developer',
    seed = inherited.seed,
  } = options
  const effective = createEffectiveAssumptions(options.assumptions, inherited.effective)
  const trace = createTrace(() => ({ ...inherited.effective.state(), ...effective.state() }))
  const transactions = createTransactionStore(() => seededTransactions({ seed, users, transactions: count }, loadFaker))
  return {
    id,
    subscription,
    effective,
    get assumptions() {
      return effective.current
    },
    transactions,
    faults: createFaults(seed),
    scheduled: createScheduledInserts(transactions),
    limiter: createRateLimiter(rateLimit, () => effective.current, byAddress),
    isLimitSet: (options.rateLimit ?? inherited.rateLimit) !== undefined,
    log: createRequestLog(keepRequests),
    trace,
  }
}
