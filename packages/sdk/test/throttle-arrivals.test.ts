import * as fc from 'fast-check'
import { cases } from '@guild-ledger/test-kit'
import { describe, expect, it } from 'vitest'
import type { Throttle } from '@guild-ledger/sdk'
import type { AcquireOptions, Clock, Outcome, Permit } from '@guild-ledger/sdk/throttle'
import { simulate, type Network, type ThrottleUse } from './throttle-simulation.ts'

const constant = (ms: number) => () => ms
const uniform = (least: number, most: number) => (_i: number, random: () => number) => least + random() * (most - least)
const pareto = (least: number, scale: number) => (_i: number, random: () => number) =>
  least + scale * (Math.max(random(), 1e-9) ** (-1 / 1.5) - 1)

/** What clocks and timers may do anywhere: 500 ppm too fast, 20 ms early. */
const on = (inbound: Network['inbound'], outbound: Network['outbound'], more: Partial<Network> = {}): Network => ({
  inbound,
  outbound,
  clockDrift: 0.0005,
  earlyMs: 20,
  ...more,
})

const networks: Record<string, Network> = {
  'no delay at all': on(constant(0), constant(0)),
  'uniform jitter, 200 ms each way': on(uniform(0, 200), uniform(0, 200)),
  'Pareto delays with a heavy tail': on(pareto(5, 20), pareto(5, 20)),
  'delays that alternate between 0 and 500 ms': on(
    (i) => (i % 2) * 500,
    (i) => ((i + 1) % 2) * 500,
  ),
  'a delay that falls from 900 ms to nothing, again and again': on((i) => 900 - (i % 100) * 9, constant(10)),
  'a cold start every 200 requests': on((i) => (i % 200 < 10 ? 400 : 20), constant(20)),
  'an event loop that stalls for 800 ms': on(uniform(5, 15), uniform(5, 15), { stallMs: 800 }),
  'requests that arrive although they were given up': on(pareto(20, 60), constant(10), {
    giveUp: { afterMs: 300, longest: 3000 },
  }),
  '503 responses, each retried': on(uniform(0, 50), uniform(0, 50), { failing: 0.3 }),
}

/** A throttle whose permits are replaced. */
const withPermits = (exchange: (permit: Permit) => Permit) => (throttle: Throttle) => ({
  ...throttle,
  acquire: async (options?: AcquireOptions) => exchange(await throttle.acquire(options)),
})

/** Permits that report something else in place of an abort. */
const forAborts = (instead: Outcome) =>
  withPermits((permit) => ({ release: (outcome) => permit.release(outcome.kind === 'aborted' ? instead : outcome) }))

/** A clock that, when a timer fires, gives the time for which the timer was set. */
const trustingItsTimers = (clock: Clock): Clock => {
  let woken: number | undefined
  return {
    now: () => Math.max(woken ?? 0, clock.now()),
    setTimeout: (callback, ms) => {
      const due = clock.now() + ms
      return clock.setTimeout(() => {
        woken = due
        callback()
        woken = undefined
      }, ms)
    },
    clearTimeout: (timer) => clock.clearTimeout(timer),
  }
}

const [none, jitter] = ['no delay at all', 'uniform jitter, 200 ms each way']
const [givenUp, unavailable] = ['requests that arrive although they were given up', '503 responses, each retried']
const freedAtOnce = withPermits((permit) => {
  permit.release({ kind: 'completed', status: 200 })
  return { release: () => {} }
})
/** Careless uses, and a network that shows each. */
const mutants: [string, network: string, ThrottleUse][] = [
  ['the slot is freed a second after the send', jitter, { wrapThrottle: freedAtOnce }],
  ['the timer is trusted', none, { wrapClock: trustingItsTimers }],
  ['the slot is freed at the abort', givenUp, { wrapThrottle: forAborts({ kind: 'notSent' }) }],
  ['the slot is freed a second after the abort', givenUp, { wrapThrottle: forAborts({ kind: 'failed' }) }],
  ['a retry is not counted', unavailable, { retriesFreely: true }],
  ['there is no margin for a fast clock', none, { options: { marginMs: 0 } }],
  ['there are eleven slots', none, { options: { requestsPerSecond: 11 } }],
]

// Ninety thousand in all in CI; elsewhere enough to see each of the mistakes above.
const perNetwork = cases(10_000, 600)

describe('the throttle', () => {
  it.each(Object.entries(networks))(
    'never lets eleven requests arrive in a second with %s',
    { timeout: 240_000 },
    async (_name, network) => {
      const run = await simulate(network, {}, perNetwork, 1)

      expect(run).toMatchObject({ over: 0, most: 10 })
      expect(run.arrivals).toBeGreaterThanOrEqual(perNetwork)
    },
  )

  it('never lets eleven requests arrive in a second, whatever the delays', { timeout: 240_000 }, async () => {
    const delays = fc.array(fc.double({ min: 0, max: 1500, noNaN: true }), { minLength: 1, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          inbound: delays,
          outbound: delays,
          stallMs: fc.nat(900),
          earlyMs: fc.nat(50),
          failing: fc.double({ min: 0, max: 0.9, noNaN: true }),
          giveUpAfterMs: fc.option(fc.nat(800)),
          clockDrift: fc.double({ min: -0.001, max: 0.001, noNaN: true }),
          seed: fc.integer(),
        }),
        async ({ inbound, outbound, giveUpAfterMs, seed, ...machine_ }) => {
          const network: Network = {
            inbound: (i) => inbound[i % inbound.length] ?? 0,
            outbound: (i) => outbound[i % outbound.length] ?? 0,
            ...machine_,
            ...(giveUpAfterMs === null ? {} : { giveUp: { afterMs: giveUpAfterMs, longest: 2500 } }),
          }
          const { over } = await simulate(network, {}, 200, seed)
          expect(over).toBe(0)
        },
      ),
      { numRuns: cases(100, 15) },
    )
  })

  it.each(mutants)('lets an eleventh request arrive in a second when %s, with %s', async (_, network, mutant) => {
    const { over } = await simulate(networks[network] as Network, mutant, 2000, 1)

    expect(over).toBeGreaterThan(0)
  })
})
