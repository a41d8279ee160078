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
  readonly keepRequests: number
  readonly loadFaker: () => Faker
}

const rowsOf = ({ users = 20, transactions = 0 }: GuildOptions, seed: number, loadFaker: () => Faker): Rows => {
  checkedCount('users', users)
  checkedCount('transactions', transactions)
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
  // What is null is wrong, not left out.
  const { rateLimit = inherited.rateLimit, subscription = 'developer', seed = inherited.seed } = options
  checkedRateLimit(rateLimit)
  checkedSubscription(subscription)
  checkedCount('seed', seed)
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
    log: createRequestLog(inherited.keepRequests),
  }
}
