import { createReadings, type Readings } from '../assumptions/index.ts'
import { createFaults } from '../faults/index.ts'
import { checkedSubscription } from '../guild/index.ts'
import { createRateLimiter, checkedRateLimit, type RateLimit } from '../rate-limit/index.ts'
import { createRequestLog } from '../request-log/index.ts'
import { seededRows, type Faker } from '../seed.ts'
import { createArrivals, createRows, type GuildState, type Rows } from '../store/index.ts'
import { checkedCount, type GuildOptions } from './options.ts'

/** What a new guild takes from its mock where its own options are silent. */
export interface Inherited {
  readonly seed: number
  readonly rateLimit: RateLimit
  readonly readings: Readings
  readonly loadFaker: () => Faker
}

const rowsOf = (options: GuildOptions, seed: number, loadFaker: () => Faker): Rows => {
  const users = checkedCount('users', options.users ?? 20)
  const transactions = checkedCount('transactions', options.transactions ?? 0)
  if (transactions > 0 && users === 0) {
    throw new TypeError(`users must be at least 1 when there are transactions (${transactions}), not 0.`)
  }
  return createRows(() => seededRows({ seed, users, transactions }, loadFaker))
}

/**
 * A new guild, as the service knows it.
 *
 * @throws {TypeError} An option is wrong.
 */
export const createGuildState = (id: string, options: GuildOptions, inherited: Inherited): GuildState => {
  const readings = createReadings(options.assumptions, inherited.readings)
  const rateLimit = checkedRateLimit(options.rateLimit ?? inherited.rateLimit)
  const subscription = checkedSubscription(options.subscription ?? 'developer')
  const seed = checkedCount('seed', options.seed ?? inherited.seed)
  const rows = rowsOf(options, seed, inherited.loadFaker)
  return {
    id,
    subscription,
    readings,
    get assumptions() {
      return readings.inForce
    },
    rows,
    faults: createFaults(seed),
    arrivals: createArrivals(rows),
    limiter: createRateLimiter(rateLimit, () => readings.inForce),
    log: createRequestLog(),
  }
}
