import { createRandom, startRedis } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'
import { connectInVirtualTime, sharedThrottle, type RedisNetwork } from './redis-simulation.ts'
import { simulateClient, type Scenario } from './transport-simulation.ts'

const harsh: Scenario = {
  seed: 1,
  calls: process.env.CI ? 2000 : 400,
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
const networks: Record<string, RedisNetwork> = {
  'a Redis close by': { latencyMs: 1, failures: 0 },
  'a Redis that responds after up to 1.5 s': { latencyMs: 750, failures: 0 },
  'a Redis whose connections fail': { latencyMs: 5, failures: 0.1 },
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
  { timeout: 60_000 },
  async (_name, network) => {
    const run = await simulate(harsh, network)

    expect(run.most).toBeLessThanOrEqual(10)
    expect(run.arrivals).toBeGreaterThan(harsh.calls / 10)
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
