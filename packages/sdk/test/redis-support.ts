import { randomUUID } from 'node:crypto'
import type { Outcome, Permit } from '@guild-ledger/sdk'
import {
  createRedisThrottle,
  type NodeRedisLike,
  type RedisClient,
  type RedisThrottle,
  type RedisThrottleOptions,
} from '@guild-ledger/sdk/redis'
import { Redis } from 'ioredis'
import { createClient } from 'redis'

export const ok: Outcome = { kind: 'completed', status: 200 }

interface Clients extends Disposable {
  readonly ioredis: Redis
  readonly nodeRedis: NodeRedisLike
}

/** Clients of both libraries for a server, closed with the test. */
export const connect = async (port: number): Promise<Clients> => {
  const ioredis = new Redis(port, '127.0.0.1').on('error', () => {})
  const nodeRedis = await createClient({ url: `redis://127.0.0.1:${port}` })
    .on('error', () => {})
    .connect()
  return {
    ioredis,
    nodeRedis,
    [Symbol.dispose]() {
      ioredis.disconnect()
      nodeRedis.destroy()
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
