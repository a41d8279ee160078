// A bot in several processes with one key: shards, workers, or two machines. Together they may send ten requests a
// second, so they share one throttle, in Redis. Run it in two terminals at once.
//
// GUILD_LEDGER_API_KEY=… GUILD_LEDGER_BASE_URL=… REDIS_URL=redis://127.0.0.1:6379 node one-key-many-processes.ts
import { GuildLedger, type GuildLedgerOptions } from '@guild-ledger/sdk'
import { createRedisThrottle, type RedisClient } from '@guild-ledger/sdk/redis'
import { createClient } from 'redis'
import { leaderboard } from './leaderboard.ts'

/** What all processes have in common, beside the options of a client. */
export interface Shared extends Omit<GuildLedgerOptions, 'throttle'> {
  readonly apiKey: string
  /** A connected client of node-redis or ioredis. */
  readonly redis: RedisClient
  /** How many processes there are at most: while Redis is away each goes on with its share of the ten. */
  readonly processes: number
}

/** A client that takes turns with those of other processes that have the same key and the same Redis. */
export const sharedLedger = ({ redis, processes, ...options }: Shared): GuildLedger => {
  const { apiKey, attemptTimeoutMs } = options
  // Redis sees a hash of the key. How long a request may be under way has to be the same on both sides.
  const throttle = createRedisThrottle({ client: redis, key: apiKey, processes, attemptTimeoutMs })
  return new GuildLedger({ ...options, throttle })
}

if (import.meta.main) {
  const redis = createClient({ url: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379' })
  // Without a listener, a Redis that goes away would end the process.
  redis.on('error', (error: Error) => console.error('redis:', error.message))
  await redis.connect()
  try {
    const ledger = sharedLedger({ redis, processes: 3, apiKey: process.env.GUILD_LEDGER_API_KEY ?? '' })
    const { transactions } = await leaderboard(ledger)
    console.log(`walked ${transactions} transactions`)
  } finally {
    // The throttle does not close what it did not open.
    await redis.close()
  }
}
