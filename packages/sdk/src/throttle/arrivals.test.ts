import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Clock } from './clock.ts'
import type { Outcome, Permit, Throttle } from './throttle.ts'
import { judge, simulate, type Client, type World } from './testing/simulation.ts'

const constant = (ms: number) => () => ms
const uniform = (least: number, most: number) => (_i: number, random: () => number) => least + random() * (most - least)
const pareto = (least: number, scale: number) => (_i: number, random: () => number) =>
  least + scale * (Math.max(random(), 1e-9) ** (-1 / 1.5) - 1)

/** What clocks and timers may do to us anywhere: 500 ppm too fast, 20 ms early. */
const machine = { clockDrift: 0.0005, earlyMs: 20 }

const worlds: Record<string, World> = {
  'no delay at all': { inbound: constant(0), outbound: constant(0), ...machine },
  'uniform jitter, 200 ms each way': { inbound: uniform(0, 200), outbound: uniform(0, 200), ...machine },
  'Pareto delays with a heavy tail': { inbound: pareto(5, 20), outbound: pareto(5, 20), ...machine },
  'delays that alternate between 0 and 500 ms': {
    inbound: (i) => (i % 2) * 500,
    outbound: (i) => ((i + 1) % 2) * 500,
    ...machine,
  },
  'a way that falls from 900 ms to nothing, again and again': {
    inbound: (i) => 900 - (i % 100) * 9,
    outbound: constant(10),
    ...machine,
  },
  'a cold start every 200 requests': {
    inbound: (i) => (i % 200 < 10 ? 400 : 20),
    outbound: constant(20),
    ...machine,
  },
  'an event loop that stalls for 800 ms': {
    inbound: uniform(5, 15),
    outbound: uniform(5, 15),
    stallMs: 800,
    ...machine,
  },
  'requests given up that arrive all the same': {
    inbound: pareto(20, 60),
    outbound: constant(10),
    giveUp: { afterMs: 300, longest: 3000 },
    ...machine,
  },
  'replies 503, each sent again': { inbound: uniform(0, 50), outbound: uniform(0, 50), failing: 0.3, ...machine },
}

/** A throttle whose permits are exchanged for others. */
const withPermits = (exchange: (permit: Permit) => Permit) => (throttle: Throttle) => ({
  ...throttle,
  acquire: async () => exchange(await throttle.acquire()),
})

/** Permits that take an abort for something else. */
const forAborts = (instead: Outcome) =>
  withPermits((permit) => ({
    release: (outcome) => permit.release(outcome.kind === 'abandoned' ? instead : outcome),
  }))

/** A clock that, on a wake, takes the time the timer was set for to be the time it is. */
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

const mutants: Record<string, Client> = {
  'the slot is freed a second after the send': {
    wrapThrottle: withPermits((permit) => {
      permit.release({ kind: 'answered', status: 200 })
      return { release: () => {} }
    }),
  },
  'the timer is trusted': { wrapClock: trustingItsTimers },
  'the slot is freed at the abort': { wrapThrottle: forAborts({ kind: 'unsent' }) },
  'the slot is freed a second after the abort': { wrapThrottle: forAborts({ kind: 'failed' }) },
  'a retry is not counted': { retriesFreely: true },
  'there is no margin for a fast clock': { options: { marginMs: 0 } },
  'there are eleven slots': { options: { requestsPerSecond: 11 } },
}

// A million together in CI; elsewhere enough to see a mistake.
const perWorld = process.env.CI ? 112_000 : 20_000

describe('arrivals at the service', () => {
  it.each(Object.entries(worlds))('are never eleven in a second with %s', { timeout: 60_000 }, async (_name, world) => {
    const run = await simulate(world, {}, perWorld, 1)

    expect(run).toMatchObject({ over: 0, most: 10 })
    expect(run.arrivals).toBeGreaterThanOrEqual(perWorld)
  })

  it('are more than a million in these tests together, in CI', () => {
    expect(Object.keys(worlds).length * perWorld).toBeGreaterThan(process.env.CI ? 1_000_000 : 100_000)
  })

  it('are never eleven in a second, whatever the delays', { timeout: 60_000 }, async () => {
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
          const world: World = {
            inbound: (i) => inbound[i % inbound.length] ?? 0,
            outbound: (i) => outbound[i % outbound.length] ?? 0,
            ...machine_,
            ...(giveUpAfterMs === null ? {} : { giveUp: { afterMs: giveUpAfterMs, longest: 2500 } }),
          }
          const { over } = await simulate(world, {}, 200, seed)
          expect(over).toBe(0)
        },
      ),
      { numRuns: 300 },
    )
  })

  it.each(Object.entries(mutants))('show it when %s', { timeout: 60_000 }, async (_name, mutant) => {
    const runs = await Promise.all(Object.values(worlds).map((world) => simulate(world, mutant, 2000, 1)))

    expect(runs.reduce((sum, { over }) => sum + over, 0)).toBeGreaterThan(0)
  })
})

describe('the adaptive promise', () => {
  const longWay: World = { inbound: constant(200), outbound: constant(200), ...machine }

  it('is kept on a long steady way, at ten a second where the other makes seven', async () => {
    const adaptive = await simulate(longWay, { options: { guarantee: 'adaptive' } }, 20_000, 1)
    const arrival = await simulate(longWay, {}, 20_000, 1)

    expect(adaptive).toMatchObject({ over: 0, most: 10 })
    expect(adaptive.perSecond).toBeGreaterThan(9.9)
    expect(arrival.perSecond).toBeCloseTo(7.13, 1)
  })

  it.each(['uniform jitter, 200 ms each way', 'Pareto delays with a heavy tail', 'a cold start every 200 requests'])(
    'is kept with %s',
    async (name) => {
      const run = await simulate(worlds[name] ?? longWay, { options: { guarantee: 'adaptive' } }, 20_000, 1)

      expect(run.over).toBe(0)
    },
  )

  it('leans on the way never being shorter than ever before, as the docs say', async () => {
    const shortened: World = { inbound: (i) => (i < 500 ? 200 : 5), outbound: constant(10), ...machine }

    const run = await simulate(shortened, { options: { guarantee: 'adaptive' } }, 1000, 1)

    expect(run.over).toBeGreaterThan(0)
  })
})

describe('judge', () => {
  it('counts the eleventh in a half-open second, to the last digit', () => {
    const ten = Array.from({ length: 10 }, (_, i) => i * 10)

    expect(judge([...ten, 1000]).over).toBe(0)
    expect(judge([...ten, 999.999])).toMatchObject({ over: 1, most: 11 })
  })
})
