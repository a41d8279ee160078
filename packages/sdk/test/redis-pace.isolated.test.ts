/** The pace that processes share: each changes it, and Redis keeps one. */
import type { Outcome, Permit, Throttle } from '@guild-ledger/sdk/throttle'
import { expect, it } from 'vitest'
import { startVirtualRedis, type RedisNetwork } from './redis-simulation.ts'

const ok: Outcome = { kind: 'completed', status: 200 }
const limited: Outcome = { kind: 'completed', status: 429 }

/** Two processes that know what Redis has. The network is that of the second one. */
const setUp = async (network: RedisNetwork = {}) => {
  const redis = await startVirtualRedis()
  const { time } = redis
  const one = redis.connect({ processes: 5 })
  const other = redis.connect({ processes: 5 }, network)
  const pass = async (ms: number) => time.run(time.now() + ms)
  const acquire = (throttle: Throttle, calls: number): Permit[] => {
    const permits: Permit[] = []
    for (let i = 0; i < calls; i++) void throttle.acquire().then((permit) => permits.push(permit))
    return permits
  }
  /** A request of each of them. */
  const send = async (outcome: Outcome, throttles: readonly Throttle[] = [one, other]): Promise<void> => {
    const granted = throttles.map((throttle) => acquire(throttle, 1))
    await pass(6000)
    for (const [permit] of granted) permit?.release(outcome)
    await pass(6000)
  }
  const paces = () => [one, other].map(({ stats }) => `${stats.pace} ${stats.requestsPerSecond}`)
  await send(ok)
  return { redis, time, one, other, pass, acquire, send, paces, [Symbol.asyncDispose]: redis[Symbol.asyncDispose] }
}

it('becomes slower by one step where two processes get a 429 at once', async () => {
  await using both = await setUp()

  await both.send(limited)
  await both.send(ok)
  expect(both.paces()).toEqual(['spaced 9', 'spaced 9'])

  await both.send(limited)
  await both.send(limited)
  await both.send(ok)
  expect(both.paces()).toEqual(['sequential 5', 'sequential 5'])
})

it('holds at once for a process that has not heard of it', async () => {
  await using both = await setUp()
  await both.send(limited, [both.one])
  expect(both.paces()).toEqual(['spaced 9', 'arrival 10'])

  const granted = both.acquire(both.other, 10)
  await both.pass(500)

  expect(granted.length).toBeGreaterThan(2)
  expect(granted.length).toBeLessThan(6)
  expect(both.paces()).toEqual(['spaced 9', 'spaced 9'])
})

it('has no more slots for a process that starts than the strictest one allows', async () => {
  await using both = await setUp()
  const strict = both.redis.connect({ requestsPerSecond: 3 })
  await both.send(ok, [strict])

  const granted = both.acquire(both.redis.connect(), 10)
  await both.pass(500)

  expect(granted).toHaveLength(3)
})

it('is known again after Redis has lost it, from the process that was most careful', async () => {
  await using both = await setUp()
  await both.send(limited, [both.one])

  await both.redis.flush()
  await both.send(ok, [both.other])
  expect(both.paces()).toEqual(['spaced 9', 'arrival 10'])
  await both.send(ok, [both.one])
  await both.send(ok)

  expect(both.paces()).toEqual(['spaced 9', 'spaced 9'])
})

it('counts for all if it became slower while a process had no connection', async () => {
  let isAway = false
  await using both = await setUp({ isAway: () => isAway })
  isAway = true
  await both.send(ok, [both.other])
  await both.send(limited, [both.other])
  expect(both.paces()).toEqual(['arrival 10', 'spaced 9'])

  isAway = false
  await both.pass(3000)
  await both.send(ok)

  expect(both.paces()).toEqual(['spaced 9', 'spaced 9'])
})

it('is reset by a process that has not heard of the last change', async () => {
  await using both = await setUp()
  await both.send(limited, [both.one])
  await both.send(limited, [both.one])
  expect(both.paces()).toEqual(['sequential 10', 'arrival 10'])

  both.other.reset()
  for (let i = 0; i < 2; i++) await both.send(ok, [both.other])
  await both.send(ok)

  expect(both.paces()).toEqual(['arrival 10', 'arrival 10'])
})

it('becomes faster again for all, ten minutes after the 429', async () => {
  await using both = await setUp()
  await both.send(limited)
  await both.pass(570_000)
  const late = both.redis.connect()
  await both.send(ok, [both.one, late])
  expect(both.paces()).toEqual(['spaced 9', 'spaced 9'])
  expect(late.stats.pace).toBe('spaced')

  await both.pass(20_000)
  await both.send(ok, [late])
  expect(late.stats.pace).toBe('arrival')
  await both.send(ok)
  expect(both.paces()).toEqual(['arrival 10', 'arrival 10'])
})
