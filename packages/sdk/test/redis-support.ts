import { randomUUID } from 'node:crypto'
import type { Outcome, Permit } from '@guild-ledger/sdk/throttle'
import {
  createRedisThrottle,
  type IoredisLike,
  type NodeRedisLike,
  type RedisClient,
  type RedisThrottle,
  type RedisThrottleOptions,
} from '@guild-ledger/sdk/redis'
import { startRedis, type RedisServer } from '@guild-ledger/test-kit'
import { Redis } from 'ioredis'
import { Redis as Redis5 } from 'ioredis-5'
import { createClient } from 'redis'
import { createClient as createClient5 } from 'redis-5'

export const ok: Outcome = { kind: 'completed', status: 200 }

export interface RedisWithClients extends AsyncDisposable {
  readonly server: RedisServer
  readonly ioredis: Redis
  readonly ioredis5: IoredisLike
  readonly nodeRedis: NodeRedisLike
  readonly nodeRedis5: NodeRedisLike
}

/** A server and clients of it: of both libraries, the present versions and those before. They end with the test. */
export const startRedisWithClients = async (settings?: readonly string[]): Promise<RedisWithClients> => {
  const server = await startRedis(settings)
  const ioredis = new Redis(server.port, '127.0.0.1').on('error', () => {})
  const ioredis5 = new Redis5({ port: server.port, host: '127.0.0.1', lazyConnect: true }).on('error', () => {})
  const url = `redis://127.0.0.1:${server.port}`
  const nodeRedis = createClient({ url }).on('error', () => {})
  const nodeRedis5 = createClient5({ url }).on('error', () => {})
  await Promise.all([nodeRedis.connect(), nodeRedis5.connect()])
  return {
    server,
    ioredis,
    ioredis5,
    nodeRedis,
    nodeRedis5,
    async [Symbol.asyncDispose]() {
      for (const client of [ioredis, ioredis5]) client.disconnect()
      for (const client of [nodeRedis, nodeRedis5]) client.destroy()
      await server.stop()
    },
  }
}

export const throttleOn = (client: RedisClient, options: Partial<RedisThrottleOptions> = {}): RedisThrottle =>
  createRedisThrottle({ client, key: randomUUID(), ...options })

/** Waits out the pause that follows an empty Redis, and gives the slot back. */
export const settled = async (throttle: RedisThrottle): Promise<RedisThrottle> => {
  const permit = await throttle.acquire()
  permit.release({ kind: 'notSent' })
  return throttle
}

export const take = async (throttle: RedisThrottle, count: number): Promise<Permit[]> =>
  Promise.all(Array.from({ length: count }, () => throttle.acquire()))

export const timed = async <T>(work: Promise<T>): Promise<{ ms: number; value: T }> => {
  const from = performance.now()
  const value = await work
  return { ms: performance.now() - from, value }
}
