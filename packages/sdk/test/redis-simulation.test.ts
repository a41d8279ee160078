import { randomUUID } from 'node:crypto'
import type { Outcome, Permit } from '@guild-ledger/sdk/throttle'
import { cases, createRandom, createVirtualTime, startRedis } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'
import { connectInVirtualTime, sharedThrottle, type RedisNetwork } from './redis-simulation.ts'
import { simulateClient, type Scenario } from './transport-simulation.ts'

const harsh: Scenario = {
  seed: 1,
  calls: cases(600, 60),
  callers: 30,
  inboundMs: 3000,
  outboundMs: 500,
  stalls: 0.3,
  gatewayErrors: 0.2,
  failures: 0.2,
  aborts: 0.4,
  attemptTimeoutMs: 1000,
  timeoutMs: 30_000,
  clients: 5,
}

/** With the share of calls whose request arrives, at least: about half of what is usual, because aborts end the rest. */
const networks: Record<string, RedisNetwork & { readonly arrivals: number }> = {
  'a Redis close by': { latencyMs: 1, failures: 0, arrivals: 0.45 },
  'a Redis that responds after up to 1.5 s': { latencyMs: 750, failures: 0, arrivals: 0.05 },
  'a Redis whose connections fail': { latencyMs: 5, failures: 0.1, arrivals: 0.09 },
}

const simulate = async (scenario: Scenario, network: RedisNetwork) => {
  await using server = await startRedis()
  await using redis = await connectInVirtualTime(server.port)
  return await simulateClient({
    ...scenario,
    ...sharedThrottle(redis, network, createRandom(2), { onUnavailable: 'fail' }),
  })
}

it.each(Object.entries(networks))(
  'no second has an eleventh arrival from five processes that abort, time out and meet a gateway, with %s',
  { timeout: 240_000 },
  async (_name, network) => {
    const run = await simulate(harsh, network)

    expect(run.most).toBeLessThanOrEqual(10)
    expect(run.arrivals).toBeGreaterThan(harsh.calls * network.arrivals)
  },
)

/** A network that holds requests back for up to nine seconds and delivers them all at once. */
const delivery: Scenario = {
  ...harsh,
  calls: 60,
  inboundMs: 0,
  deliversEveryMs: 9000,
  outboundMs: 0,
  stalls: 0,
  gatewayErrors: 0,
  failures: 0,
  aborts: 0,
  attemptTimeoutMs: 10_000,
}

it.each([
  ['time out', { attemptTimeoutMs: 500 }],
  ['are aborted', { aborts: 1, calls: 300 }],
  ['get a 502 or 504 from a gateway', { gatewayErrors: 1 }],
])(
  'no second has an eleventh arrival from five processes whose requests %s, and arrive up to nine seconds later all at once',
  async (_title, givenUp) => {
    const run = await simulate({ ...delivery, ...givenUp }, { latencyMs: 1, failures: 0 })

    expect(run.most).toBeLessThanOrEqual(10)
    expect(run.arrivals).toBeGreaterThan(10)
  },
)

it.each([
  ['forward by 11 seconds every three seconds', (now: number) => Math.floor(now / 3000) * 11_000],
  ['back by an hour every three seconds', (now: number) => Math.floor(now / 3000) * -3_600_000],
])('no second has an eleventh arrival while the clock of Redis is set %s', async (_title, clockAheadMs) => {
  const run = await simulate({ ...delivery, timeoutMs: undefined }, { latencyMs: 1, failures: 0, clockAheadMs })

  expect(run.most).toBeLessThanOrEqual(10)
  expect(run.arrivals).toBe(60)
})

interface Start {
  readonly title: string
  /** Slots that the other process holds. @default 10 */
  readonly held?: number
  /** When they end, and how: not at all if the other process dies. */
  readonly end?: { readonly atMs: number; readonly kind: 'completed' | 'aborted' }
  /** How far the clock of Redis is set forward just before the start. @default 0 */
  readonly aheadMs?: number
  /** When the other process has no connection to Redis. @default never */
  readonly away?: readonly [fromMs: number, toMs: number]
  /** @default 3500 */
  readonly startMs?: number
  readonly slotAtMs: number
}

it.each<Start>([
  { title: 'when requests of another process have ended', end: { atMs: 5000, kind: 'completed' }, slotAtMs: 6002 },
  {
    title: 'when requests of another process have ended, though the clock of Redis was set forward just before',
    aheadMs: 60_000,
    end: { atMs: 5000, kind: 'completed' },
    slotAtMs: 6002,
  },
  {
    title:
      'when given-up requests of another process have ended, though the clock of Redis was set forward just before',
    aheadMs: 60_000,
    end: { atMs: 500, kind: 'aborted' },
    slotAtMs: 11_502,
  },
  {
    title: 'when requests of another process have ended that had no connection, though the clock was set forward',
    aheadMs: 60_000,
    end: { atMs: 8000, kind: 'completed' },
    away: [400, 3000],
    slotAtMs: 9002,
  },
  {
    title: 'at once, where another process has given up a request',
    held: 3,
    end: { atMs: 500, kind: 'aborted' },
    slotAtMs: 3500,
  },
  {
    title: 'at once, where a request that another process had given up has ended',
    held: 3,
    end: { atMs: 500, kind: 'aborted' },
    startMs: 14_000,
    slotAtMs: 14_000,
  },
  {
    title: '2.5 s after its start, where another process died with requests in flight',
    held: 3,
    away: [900, Infinity],
    slotAtMs: 6000,
  },
])('a process that starts gets a slot $title', async (start) => {
  const { held = 10, end, aheadMs = 0, away: [awayFrom, awayTo] = [0, 0], startMs = 3500, slotAtMs } = start
  await using server = await startRedis()
  await using redis = await connectInVirtualTime(server.port)
  const time = createVirtualTime((due) => due + 0.001, redis.settle) // late, as timers are
  const key = randomUUID()
  let stepAt = Infinity
  let isAway = false
  const clockAheadMs = (now: number) => (now < stepAt ? 0 : aheadMs)
  const connect = (random: () => number) =>
    sharedThrottle(redis, { latencyMs: 1, failures: 0.8, clockAheadMs }, random, {
      key,
      onUnavailable: 'fail',
    }).throttle(time, 10_000)
  const holder = connect(() => (isAway ? 0.6 : 0.9))
  const starting = connect(() => 0.9)
  const permits: Permit[] = []
  for (let i = 0; i < held; i++) void holder.acquire().then((permit) => permits.push(permit))
  while (permits.length === 0) await time.run(time.now() + 50)
  const begin = time.now()
  let slotAt = 0

  stepAt = begin + startMs
  time.at(begin + awayFrom, () => (isAway = awayFrom < awayTo))
  time.at(begin + awayTo, () => (isAway = false))
  if (end) {
    const outcome: Outcome = end.kind === 'aborted' ? { kind: 'aborted' } : { kind: 'completed', status: 200 }
    time.at(begin + end.atMs, () => {
      for (const permit of permits) permit.release(outcome)
    })
  }
  await time.run(stepAt)
  void starting.acquire().then(() => (slotAt = time.now() - begin))
  await time.run(begin + 20_000)

  expect(slotAt).toBeGreaterThanOrEqual(slotAtMs)
  expect(slotAt).toBeLessThan(slotAtMs + 1000)
})
