import type { Cluster, Redis } from 'ioredis'
import type { createClient, createCluster, createSentinel } from 'redis'
import { describe, expectTypeOf, it } from 'vitest'
import type { RedisClient } from '@guild-ledger/sdk/redis'

describe('RedisClient', () => {
  it('may be any client of ioredis', () => {
    expectTypeOf<Redis>().toExtend<RedisClient>()
    expectTypeOf<Cluster>().toExtend<RedisClient>()
  })

  it('may be any client of node-redis', () => {
    expectTypeOf<ReturnType<typeof createClient>>().toExtend<RedisClient>()
    expectTypeOf<ReturnType<typeof createCluster>>().toExtend<RedisClient>()
    expectTypeOf<ReturnType<typeof createSentinel>>().toExtend<RedisClient>()
  })

  it('may be nothing else', () => {
    expectTypeOf<string>().not.toExtend<RedisClient>()
    expectTypeOf<{ get(name: string): Promise<string> }>().not.toExtend<RedisClient>()
  })
})
