import type { Cluster, Redis } from 'ioredis'
import type { Cluster as Cluster5, Redis as Redis5 } from 'ioredis-5'
import type { createClient, createCluster, createSentinel } from 'redis'
import type { createClient as createClient5, createCluster as createCluster5 } from 'redis-5'
import { describe, expectTypeOf, it } from 'vitest'
import type { RedisClient } from '@guild-ledger/sdk/redis'

describe('RedisClient', () => {
  it('may be any client of ioredis', () => {
    expectTypeOf<Redis | Cluster | Redis5 | Cluster5>().toExtend<RedisClient>()
  })

  it('may be any client of node-redis', () => {
    type Create = typeof createClient | typeof createCluster | typeof createSentinel
    expectTypeOf<ReturnType<Create | typeof createClient5 | typeof createCluster5>>().toExtend<RedisClient>()
  })

  it('may be nothing else', () => {
    expectTypeOf<string>().not.toExtend<RedisClient>()
    expectTypeOf<{ get(name: string): Promise<string> }>().not.toExtend<RedisClient>()
  })
})
