// Several processes with one key: shards, workers, or two machines. The rate limit applies to all of them together, so
// they share one throttle in Redis. Run this file in two terminals at the same time.
//
// GUILD_LEDGER_API_KEY=… GUILD_LEDGER_BASE_URL=… REDIS_URL=redis://127.0.0.1:6379 node one-key-many-processes.ts
import { GuildLedger, type GuildLedgerOptions } from '@guild-ledger/sdk'
import { createRedisThrottle, type RedisClient } from '@guild-ledger/sdk/redis'
import { createClient } from 'redis'
import { leaderboard } from './leaderboard.ts'

/** Options of a client whose throttle is shared between processes. */
export interface SharedOptions extends Omit<GuildLedgerOptions, 'throttle'> {
  readonly apiKey: string
  /** A connected client of node-redis or ioredis. */
  readonly redis: RedisClient
  /** Maximum number of processes. While Redis is unavailable, each sends at its share of the rate. */
  readonly processes: number
}

/** Creates a client that shares its rate limit with other processes with the same key and the same Redis. */
export const createSharedLedger = ({ redis, processes, ...options }: SharedOptions): GuildLedger => {
  const { apiKey, attemptTimeoutMs } = options
  // Redis gets only a hash of the key. `attemptTimeoutMs` has to be the same for throttle and client.
  const throttle = createRedisThrottle({ client: redis, key: apiKey, processes, attemptTimeoutMs })
  return new GuildLedger({ ...options, throttle })
}

if (import.meta.main) {
  const redis = createClient({ url: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379' })
  // Without a listener, a lost connection would end the process.
  redis.on('error', (error: Error) => console.error('redis:', error.message))
  await redis.connect()
  try {
    const ledger = createSharedLedger({ redis, processes: 3, apiKey: process.env.GUILD_LEDGER_API_KEY ?? '' })
    const { transactions } = await leaderboard(ledger)
    console.log(`read ${transactions} transactions`)
  } finally {
    // The throttle does not close a connection that it did not open.
    await redis.close()
  }
}
