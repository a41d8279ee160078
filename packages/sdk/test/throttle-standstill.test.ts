import * as fc from 'fast-check'
import { createThrottle } from '@guild-ledger/sdk'
import type { Permit } from '@guild-ledger/sdk/throttle'
import { cases, createRandom, createVirtualTime, judgeArrivals } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'

/** What happens to a process that sends as fast as it may. Times in milliseconds. */
interface Scenario {
  readonly seed: number
  /** From `fetch` to an open connection, when the process writes the request, if it runs. */
  readonly connectingMs: number
  readonly inboundMs: number
  /** The network delivers requests together, at multiples of this time. */
  readonly deliversEveryMs: number
  readonly outboundMs: number
  /** For so long the process stands still, again and again. */
  readonly standstillMs: number
  readonly attemptTimeoutMs: number
  readonly aborts: number
  /** Shares of responses with these statuses. */
  readonly rateLimited: number
  readonly gatewayErrors: number
  /** Somebody calls `reset` or `pause` so often. */
  readonly resets: number
}

const sends = process.env.CI ? 600 : 200

/** How requests arrive. A request is written when its connection is open, though it may have been given up before. */
const simulate = async (scenario: Scenario) => {
  const { connectingMs, inboundMs, deliversEveryMs, outboundMs, standstillMs, attemptTimeoutMs } = scenario
  const random = createRandom(scenario.seed)
  const chance = (share: number) => random() < share
  const standstills = Array.from({ length: 200 }, (_, i) => (i + random()) * (standstillMs + 20_000))
  const awake = (at: number): number => {
    const from = standstills.find((start) => at >= start && at < start + standstillMs)
    // Whether timers or sockets come first after that is open.
    return from === undefined ? at : from + standstillMs + random()
  }
  const time = createVirtualTime(awake)
  const throttle = createThrottle({ clock: time.clock })
  const arrivals: number[] = []
  let sent = 0

  const send = (permit: Permit): void => {
    sent++
    const isAborted = chance(scenario.aborts)
    const givesUpAt = awake(time.now() + (isAborted ? random() * 3000 : attemptTimeoutMs))
    const leftAloneUntil = awake(givesUpAt + (isAborted ? 3000 : 10_000))
    const writtenAt = awake(time.now() + random() * connectingMs)
    const next = () => {
      if (sent < sends) void throttle.acquire().then(send)
    }
    let isOver = false
    time.at(givesUpAt, () => {
      if (isOver) return
      isOver = true
      permit.release({ kind: 'aborted' })
      next()
    })
    if (writtenAt > leftAloneUntil) return
    const arrivesAt = Math.ceil((writtenAt + random() * inboundMs) / deliversEveryMs) * deliversEveryMs
    arrivals.push(arrivesAt)
    const isGateway = chance(scenario.gatewayErrors)
    const respondedAt = isGateway ? writtenAt + random() * (arrivesAt - writtenAt) : arrivesAt + random() * outboundMs
    const seenAt = awake(respondedAt)
    if (seenAt > leftAloneUntil) return
    time.at(seenAt, () => {
      const status = isGateway ? 504 : chance(scenario.rateLimited) ? 429 : 200
      permit.release({ kind: 'completed', status })
      if (isOver) return
      isOver = true
      next()
    })
  }

  for (let i = 0; i < 20; i++) void throttle.acquire().then(send)
  for (let at = 0; chance(scenario.resets) && at < 1e6; at += random() * 5000)
    time.at(at, () => (chance(0.7) ? throttle.reset() : throttle.pause(random() * 2000)))
  await time.run()
  return { ...judgeArrivals(arrivals), sent }
}

const calm: Scenario = {
  seed: 1,
  connectingMs: 100,
  inboundMs: 50,
  deliversEveryMs: 1,
  outboundMs: 50,
  standstillMs: 0,
  attemptTimeoutMs: 10_000,
  aborts: 0,
  rateLimited: 0,
  gatewayErrors: 0,
  resets: 0,
}

const late = { seed: 15, deliversEveryMs: 8000, aborts: 1 }
it.each<[string, Partial<Scenario>]>([
  ['it stands still for 25 s while connections open', { connectingMs: 2000, standstillMs: 25_000 }],
  ['the same, with aborted calls', { connectingMs: 2000, standstillMs: 25_000, aborts: 0.9 }],
  ['the same, with a network that delivers every 8 s', { ...late, connectingMs: 3000, standstillMs: 25_000 }],
  ['the same, with attempts of 500 ms', { connectingMs: 2000, standstillMs: 25_000, attemptTimeoutMs: 500 }],
  ['`reset` is called after each 429', { rateLimited: 0.3, resets: 0.999 }],
])('no second has an eleventh arrival from a process when %s', async (_what, scenario) => {
  const run = await simulate({ ...calm, ...scenario })

  expect(run.most).toBeLessThanOrEqual(10)
  expect(run.sent).toBeGreaterThanOrEqual(sends)
})

it(
  'no second has an eleventh arrival, however long a process stands still, whatever it has in flight',
  { timeout: 120_000 },
  async () => {
    const share = fc.double({ min: 0, max: 0.9, noNaN: true })
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          seed: fc.integer(),
          connectingMs: fc.nat(3000),
          inboundMs: fc.nat(1000),
          deliversEveryMs: fc.constantFrom(1, 1000, 7000),
          outboundMs: fc.nat(3000),
          standstillMs: fc.nat(60_000),
          attemptTimeoutMs: fc.integer({ min: 100, max: 30_000 }),
          aborts: share,
          rateLimited: fc.constantFrom(0, 0.02, 0.3),
          gatewayErrors: fc.constantFrom(0, 0.3),
          resets: fc.constantFrom(0, 0.99),
        }),
        async (scenario) => {
          const { most, sent } = await simulate(scenario)
          expect(most).toBeLessThanOrEqual(10)
          expect(sent).toBeGreaterThanOrEqual(sends)
        },
      ),
      { numRuns: cases(60, 15) },
    )
  },
)
