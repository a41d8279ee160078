/**
 * One throttle for many processes, by way of Redis: `import { createRedisThrottle } from '@guild-ledger/sdk/redis'`.
 *
 * @module @guild-ledger/sdk/redis
 */
export { createRedisThrottle, type RedisThrottle, type RedisThrottleStats } from './redis/throttle.ts'
export type { IoredisLike, NodeRedisLike, RedisClient } from './redis/client.ts'
export type { RedisThrottleOptions } from './redis/options.ts'
