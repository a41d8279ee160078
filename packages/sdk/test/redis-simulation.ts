import { randomUUID } from 'node:crypto'
import type { Throttle } from '@guild-ledger/sdk'
import {
  createRedisThrottle,
  type IoredisLike,
  type RedisThrottle,
  type RedisThrottleOptions,
} from '@guild-ledger/sdk/redis'
import { createVirtualTime, startRedis, type VirtualTime } from '@guild-ledger/test-kit'
import { Redis } from 'ioredis'
import { afterAll } from 'vitest'
import type { SyncRequest } from '../src/throttle/redis/sync.ts'
import { fireLate, macrotask } from './transport-simulation.ts'

/** The network between a process and Redis. */
export interface RedisNetwork {
  /** From sending a script to its run, and from there to the sight of the result, in milliseconds at most. @default 1 */
  readonly latencyMs?: number
  /** Share of scripts that fail, half of them after they have run. @default 0 */
  readonly failures?: number
  /** @default always 0.9 */
  readonly random?: () => number
  /** How far the clock of Redis is ahead at a time, in milliseconds. @default 0 */
  readonly clockAheadMs?: (now: number) => number
  /** Whether no script reaches Redis at a time. @default never */
  readonly isAway?: (now: number) => boolean
  /** When the process sees a response that comes at a time. @default at once */
  readonly seenAt?: (at: number) => number
  /** Receives what the process sends. */
  readonly onRequest?: (request: Pick<SyncRequest, 'leases'>) => void
}

/** In a script, the time of Redis is in two more keys. */
const withGivenTime = (script: string): string => {
  const replaced = script.replace("redis.call('TIME')", '{ KEYS[5], KEYS[6] }')
  if (replaced === script) throw new Error('the script does not read the time of Redis')
  return replaced
}

/** The Redis of all simulations of a file, each with a key of its own. */
const shared: { server?: ReturnType<typeof startRedis> } = {}
afterAll(async () => (await shared.server)?.stop())

/** A real Redis whose clock shows virtual time. */
export const startVirtualRedis = async (firesAt: (due: number) => number = fireLate) => {
  const server = await (shared.server ??= startRedis())
  const redis = new Redis(server.port, '127.0.0.1')
  const key = randomUUID()
  let loaded: Promise<unknown> | undefined
  /** Scripts that run, and throttles about to send their first one: these hash names on another thread. */
  const running = { count: 0 }
  let throttles = 0

  const run = async (script: string, keysAndArguments: readonly string[], now: number): Promise<unknown> => {
    running.count++
    try {
      const sha = String(await (loaded ??= redis.script('LOAD', withGivenTime(script))))
      const microseconds = Math.floor(now * 1000)
      const seconds = [1_700_000_000 + Math.floor(microseconds / 1e6), microseconds % 1e6].map(String)
      return await redis.evalsha(sha, 6, ...keysAndArguments.slice(0, 4), ...seconds, ...keysAndArguments.slice(4))
    } finally {
      running.count--
    }
  }

  /** Waits for promises that are settled and for what is running: virtual time does not wait for them. */
  const settle = async (): Promise<void> => {
    do await macrotask()
    while (running.count > 0)
  }
  const time = createVirtualTime(firesAt, settle)

  /** A throttle of a process with a connection and a clock of its own. All share one key. */
  const connect = (
    options: Partial<RedisThrottleOptions> = {},
    { latencyMs = 1, failures = 0, random = () => 0.9, isAway = () => false, ...network }: RedisNetwork = {},
    realTime: VirtualTime = time,
  ): RedisThrottle => {
    let isFirstScript = true
    const pass = async (seenAt = (at: number) => at) =>
      new Promise<void>((resolve) => {
        realTime.at(seenAt(realTime.now() + random() * latencyMs), resolve)
      })
    const client: IoredisLike = {
      evalsha: () => Promise.reject(new Error('NOSCRIPT')),
      async eval(script, _keyCount, ...keysAndArguments) {
        if (isFirstScript) running.count--
        isFirstScript = false
        network.onRequest?.(JSON.parse(keysAndArguments[4] ?? '') as SyncRequest)
        const isLost = isAway(realTime.now())
        const fails = isLost || random() < failures
        const runs = !fails || (!isLost && random() < 0.5)
        await pass()
        const now = realTime.now()
        const result = runs ? await run(script, keysAndArguments, now + (network.clockAheadMs?.(now) ?? 0)) : undefined
        await pass(network.seenAt)
        if (fails) throw new Error('Connection is closed.')
        return result
      },
    }
    const aheadMs = ++throttles * 1e6
    const clock = { ...realTime.clock, now: () => realTime.now() + aheadMs }
    const throttle = createRedisThrottle({ client, key, clock, ...options })
    let isUsed = false
    const acquire: Throttle['acquire'] = (how) => {
      if (!isUsed) running.count++
      isUsed = true
      return throttle.acquire(how)
    }
    return Object.create(throttle, { acquire: { value: acquire } }) as RedisThrottle
  }

  return {
    time,
    settle,
    connect,
    /** Makes Redis lose all data. */
    flush: async () => redis.flushall(),
    async [Symbol.asyncDispose]() {
      await redis.quit()
    },
  }
}
