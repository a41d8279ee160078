import * as fc from 'fast-check'
import { createThrottle, type Throttle } from '@guild-ledger/sdk'
import type { Outcome } from '@guild-ledger/sdk/throttle'
import { cases } from '@guild-ledger/test-kit'
import { expect, it, vi } from 'vitest'
import { simulateClient, type Scenario } from './transport-simulation.ts'

const calm: Scenario = {
  seed: 1,
  calls: 400,
  callers: 15,
  inboundMs: 50,
  outboundMs: 50,
  stalls: 0,
  gatewayErrors: 0,
  failures: 0,
  aborts: 0,
  attemptTimeoutMs: 10_000,
  timeoutMs: undefined,
}

const scenarios: Record<string, Scenario> = {
  'attempts of 500 ms while the service stalls': { ...calm, stalls: 0.7, inboundMs: 3000, attemptTimeoutMs: 500 },
  'calls of 2.5 s while the service stalls': { ...calm, stalls: 0.7, inboundMs: 3000, timeoutMs: 2500 },
  'a gateway that responds before the request arrives': { ...calm, callers: 40, inboundMs: 3000, gatewayErrors: 0.9 },
  'a gateway that responds with 502': { ...calm, callers: 40, inboundMs: 3000, gatewayErrors: 0.9, gatewayStatus: 502 },
  'a gateway that responds with 504': { ...calm, callers: 40, inboundMs: 3000, gatewayErrors: 0.9, gatewayStatus: 504 },
  'callers that abort': { ...calm, inboundMs: 3000, aborts: 0.8 },
  'connections that fail': { ...calm, failures: 0.5 },
}

it.each(Object.entries(scenarios))(
  'no second has an eleventh arrival with %s',
  { timeout: 240_000 },
  async (_name, scenario) => {
    const run = await simulateClient({ ...scenario, calls: cases(300, 300) })

    expect(run.most).toBeLessThanOrEqual(10)
    expect(run.arrivals).toBeGreaterThan(40)
  },
)

it(
  'no second has an eleventh arrival, whatever callers, network, gateway and service do',
  { timeout: 240_000 },
  async () => {
    const share = fc.double({ min: 0, max: 0.6, noNaN: true })
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          seed: fc.integer(),
          calls: fc.constant(60),
          callers: fc.integer({ min: 1, max: 30 }),
          inboundMs: fc.integer({ min: 0, max: 10_000 }),
          outboundMs: fc.integer({ min: 0, max: 2000 }),
          stalls: share,
          gatewayErrors: share,
          failures: share,
          aborts: share,
          attemptTimeoutMs: fc.integer({ min: 100, max: 30_000 }),
          timeoutMs: fc.option(fc.integer({ min: 100, max: 30_000 }), { nil: undefined }),
        }),
        async (scenario) => {
          expect((await simulateClient(scenario)).most).toBeLessThanOrEqual(10)
        },
      ),
      { numRuns: cases(25, 10) },
    )
  },
)

it('no second has an eleventh arrival while the clock of the computer is set forward and back', async () => {
  let reads = 0
  using _ = vi.spyOn(Date, 'now').mockImplementation(() => 1_800_000_000_000 + (reads++ % 2) * 3_600_000)
  const scenario = { ...calm, inboundMs: 3000, aborts: 0.5, gatewayErrors: 0.2 }

  const run = await simulateClient({ ...scenario, throttle: () => createThrottle() })

  expect(run.most).toBeLessThanOrEqual(10)
  expect(run.arrivals).toBeGreaterThan(40)
})

/** Frees the slot of a request that was given up after its time limit, at most ten seconds, and a second. */
const freedByTimeLimit: Scenario['throttle'] = (time, attemptTimeoutMs): Throttle => {
  const throttle = createThrottle({ clock: time.clock })
  return {
    ...throttle,
    acquire: async (options) => {
      const permit = await throttle.acquire(options)
      const release = (outcome: Outcome): void => {
        if (outcome.kind === 'aborted') {
          time.at(time.now() + Math.min(attemptTimeoutMs, 10_000), () => permit.release({ kind: 'failed' }))
        } else permit.release(outcome.kind === 'completed' ? { ...outcome, status: 200 } : outcome)
      }
      return { release }
    },
  }
}

it.each(['attempts of 500 ms while the service stalls', 'a gateway that responds before the request arrives'])(
  'an eleventh arrival is seen where slots come free sooner: %s',
  { timeout: 240_000 },
  async (name) => {
    const scenario = { ...calm, ...scenarios[name], calls: cases(600, 500) }

    const run = await simulateClient({ ...scenario, throttle: freedByTimeLimit })

    expect(run.most).toBeGreaterThan(10)
  },
)
