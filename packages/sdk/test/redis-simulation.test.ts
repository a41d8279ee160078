import { randomUUID } from 'node:crypto'
import { createRandom, startRedis } from '@guild-ledger/test-kit'
import { createRedisThrottle } from '@guild-ledger/sdk/redis'
import { expect, it } from 'vitest'
import { connectInVirtualTime, type RedisNetwork } from './redis-simulation.ts'
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

it.each(Object.entries(networks))(
  'no second has an eleventh arrival from five processes that abort, time out and meet a gateway, with %s',
  { timeout: 60_000 },
  async (_name, network) => {
    await using server = await startRedis()
    await using redis = await connectInVirtualTime(server.port)
    const random = createRandom(2)
    const key = randomUUID()

    const run = await simulateClient({
      ...harsh,
      settle: redis.settle,
      throttle: (time, attemptTimeoutMs) =>
        createRedisThrottle({
          client: redis.connect(time, network, random),
          key,
          attemptTimeoutMs,
          clock: time.clock,
          onUnavailable: 'fail',
        }),
    })

    expect(run.most).toBeLessThanOrEqual(10)
    expect(run.arrivals).toBeGreaterThan(harsh.calls / 10)
  },
)
