import { randomUUID } from 'node:crypto'
import { createRedisThrottle, type IoredisLike, type RedisThrottleOptions } from '@guild-ledger/sdk/redis'
import type { VirtualTime } from '@guild-ledger/test-kit'
import { Redis } from 'ioredis'
import type { Scenario } from './transport-simulation.ts'

/** The network between a process and Redis. */
export interface RedisNetwork {
  /** From sending a script to its run, and from there to the sight of the result, in milliseconds at most. */
  readonly latencyMs: number
  /** Share of scripts that fail, half of them after they have run. */
  readonly failures: number
  /** How far the clock of Redis is ahead at a time, in milliseconds. @default 0 */
  readonly clockAheadMs?: (now: number) => number
}

export interface VirtualRedis extends AsyncDisposable {
  /** A connection for a throttle that lives in `time`; the clock of Redis follows that time, too. */
  readonly connect: (time: VirtualTime, network: RedisNetwork, random: () => number) => IoredisLike
  /** Gives promises that are settled and scripts that run the time to finish. */
  readonly settle: () => Promise<void>
  /** Waits until a throttle sends its next script: names are hashed on other threads, for which virtual time does not wait. */
  readonly untilSent: () => Promise<void>
}

const realImmediate = setImmediate
const macrotask = async (): Promise<void> => new Promise((resolve) => realImmediate(resolve))

/** In a script, the time of Redis is in two more keys. */
const withGivenTime = (script: string): string => {
  const replaced = script.replace("redis.call('TIME')", '{ KEYS[5], KEYS[6] }')
  if (replaced === script) throw new Error('the script does not read the time of Redis')
  return replaced
}

/** A real Redis whose clock shows virtual time. */
export const connectInVirtualTime = async (port: number): Promise<VirtualRedis> => {
  const redis = new Redis(port, '127.0.0.1')
  const shas = new Map<string, string>()
  const running = { scripts: 0 }
  const sent = { scripts: 0 }

  const run = async (script: string, keysAndArguments: readonly string[], now: number): Promise<unknown> => {
    running.scripts++
    try {
      let sha = shas.get(script)
      if (sha === undefined) {
        sha = String(await redis.script('LOAD', withGivenTime(script)))
        shas.set(script, sha)
      }
      const microseconds = Math.floor(now * 1000)
      const seconds = [1_700_000_000 + Math.floor(microseconds / 1e6), microseconds % 1e6].map(String)
      const [keys, values] = [keysAndArguments.slice(0, 4), keysAndArguments.slice(4)]
      return await redis.evalsha(sha, 6, ...keys, ...seconds, ...values)
    } finally {
      running.scripts--
    }
  }

  return {
    connect(time, { latencyMs, failures, clockAheadMs = () => 0 }, random) {
      const pass = async () =>
        new Promise<void>((resolve) => {
          time.at(time.now() + random() * latencyMs, resolve)
        })
      return {
        evalsha: () => Promise.reject(new Error('NOSCRIPT')),
        async eval(script, _keyCount, ...keysAndArguments) {
          sent.scripts++
          const fails = random() < failures
          const runs = !fails || random() < 0.5
          await pass()
          const result = runs ? await run(script, keysAndArguments, time.now() + clockAheadMs(time.now())) : undefined
          await pass()
          if (fails) throw new Error('Connection is closed.')
          return result
        },
      }
    },
    async settle() {
      do await macrotask()
      while (running.scripts > 0)
    },
    async untilSent() {
      const before = sent.scripts
      do await macrotask()
      while (sent.scripts === before)
    },
    async [Symbol.asyncDispose]() {
      await redis.quit()
    },
  }
}

/** What a scenario needs for clients that share a throttle in `redis`, each with a connection of its own. */
export const sharedThrottle = (
  redis: VirtualRedis,
  network: RedisNetwork,
  random: () => number,
  { key = randomUUID(), ...options }: Partial<Pick<RedisThrottleOptions, 'key' | 'onUnavailable' | 'processes'>>,
): Required<Pick<Scenario, 'settle' | 'throttle'>> => {
  return {
    settle: redis.settle,
    throttle: (time, attemptTimeoutMs) =>
      createRedisThrottle({
        client: redis.connect(time, network, random),
        key,
        attemptTimeoutMs,
        clock: time.clock,
        ...options,
      }),
  }
}
