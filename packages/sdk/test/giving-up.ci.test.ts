import { createServer } from 'node:http'
import { once } from 'node:events'
import * as fc from 'fast-check'
import { createThrottle, GuildLedger, type Throttle } from '@guild-ledger/sdk'
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
    const run = await simulateClient({ ...scenario, calls: cases(600, 300) })

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
      { numRuns: cases(60, 10) },
    )
  },
)

it('no second has an eleventh arrival while the clock of the computer is set forward and back', async () => {
  let reads = 0
  using clock = vi.spyOn(Date, 'now').mockImplementation(() => 1_800_000_000_000 + (reads++ % 2) * 3_600_000)
  const scenario = { ...calm, inboundMs: 3000, aborts: 0.5, gatewayErrors: 0.2 }

  const run = await simulateClient({ ...scenario, throttle: () => createThrottle() })

  expect(run.most).toBeLessThanOrEqual(10)
  expect(run.arrivals).toBeGreaterThan(40)
  expect(clock).toHaveBeenCalled()
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
    const run = await simulateClient({
      ...calm,
      ...scenarios[name],
      calls: cases(600, 500),
      throttle: freedByTimeLimit,
    })

    expect(run.most).toBeGreaterThan(10)
  },
)

/** A service that responds after `delayMs`, and the client of a caller that gives up. */
const slowService = async (delayMs: number) => {
  let aborted = 0
  const server = createServer((request, response) => {
    request.on('close', () => (aborted += response.writableEnded ? 0 : 1))
    setTimeout(() => response.end('{}'), delayMs)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const throttle = createThrottle()
  const ledger = new GuildLedger({ apiKey: 'k', baseUrl: `http://127.0.0.1:${address.port}`, throttle, retry: false })
  return {
    ledger,
    throttle,
    aborted: () => aborted,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

it('a call that is aborted rejects at once, and its slot comes free a second after its response', async () => {
  await using service = await slowService(300)
  const { ledger, throttle } = service
  const controller = new AbortController()
  const call = ledger.transactions.list({}, { signal: controller.signal })
  await expect.poll(() => throttle.stats.inFlight).toBe(1)

  const abortedAt = performance.now()
  controller.abort(new Error('not needed'))

  await expect(call).rejects.toThrow('not needed')
  expect(performance.now() - abortedAt).toBeLessThan(200)
  expect(throttle.stats).toMatchObject({ inFlight: 0, givenUp: 1, held: 1 })
  await expect.poll(() => throttle.stats, { timeout: 1000 }).toMatchObject({ givenUp: 0, held: 1 })
  await expect.poll(() => throttle.stats.held, { timeout: 3000 }).toBe(0)
  expect(service.aborted()).toBe(0)
})

it('close() ends a request that was given up, and later calls are rejected', async () => {
  await using service = await slowService(60_000)
  const { ledger, throttle } = service
  const call = ledger.transactions.list({}, { timeoutMs: 50 })
  await expect(call).rejects.toMatchObject({ code: 'timeout', phase: 'call' })
  expect(throttle.stats.givenUp).toBe(1)

  await ledger.close()

  // Without close() it would end by itself after three seconds.
  await expect.poll(service.aborted, { timeout: 2000 }).toBe(1)
  await expect(ledger.transactions.list()).rejects.toMatchObject({
    code: 'client_closed',
    message: 'The client was closed: await calls before close(), or make a new one.',
  })
})

it('a call whose time is up while it waits for a slot says that nothing was sent', async () => {
  const throttle = createThrottle({ requestsPerSecond: 1 })
  throttle.pause(60_000)
  const sent: string[] = []
  const fetch = async (url: string) => {
    sent.push(url)
    return Response.json({})
  }
  const ledger = new GuildLedger({ apiKey: 'k', baseUrl: 'https://ledger.test', throttle, fetch, timeoutMs: 100 })
  const first = createThrottle({ requestsPerSecond: 1 })
  await first.acquire()
  const waiting = new GuildLedger({
    apiKey: 'k',
    baseUrl: 'https://ledger.test',
    throttle: first,
    fetch,
    timeoutMs: 100,
  })

  await expect(ledger.transactions.list()).rejects.toMatchObject({ code: 'timeout', phase: 'queue' })
  await expect(waiting.transactions.list()).rejects.toMatchObject({ code: 'timeout', phase: 'queue' })
  expect(sent).toEqual([])
})
