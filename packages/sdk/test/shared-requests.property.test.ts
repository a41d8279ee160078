import { createThrottle, GuildLedger, GuildLedgerError, type Throttle } from '@guild-ledger/sdk'
import { cases, createRandom, createVirtualTime } from '@guild-ledger/test-kit'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { fireLate, macrotask, replaceClock } from './transport-simulation.ts'

interface Scenario {
  readonly seed: number
  readonly callers: number
  readonly requestsPerSecond: number
  readonly retry: boolean
  readonly key: 'string' | 'function'
}

const body = {
  success: true,
  data: [],
  pagination: { page: 1, limit: 20, total: 0, totalPages: 0 },
  summary: { totalTransactions: 0, totalValue: 0, uniqueUsers: 0 },
}

const never = new Promise<never>(() => {})
const endsAtMs = 200_000

/**
 * Lets callers make identical calls through a real throttle in virtual time. Each has a signal, a time limit, both or
 * neither, and often makes the same call again in the moment in which the last one ends. Returns what went wrong.
 */
const simulate = async ({ seed, callers, requestsPerSecond, retry, key }: Scenario) => {
  const random = createRandom(seed)
  const chance = (share: number) => random() < share
  const time = createVirtualTime(fireLate, macrotask)
  using clock = replaceClock(time)
  void clock
  const wait = (ms: number) => new Promise<void>((resolve) => time.at(time.now() + ms, resolve))

  const fetch = async (_url: string, { signal }: { readonly signal: AbortSignal }): Promise<Response> => {
    await Promise.race([
      wait(random() * 3000),
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    ])
    if (chance(0.6)) return Response.json(body)
    if (chance(0.2)) throw new TypeError('fetch failed')
    if (chance(0.1)) return never
    const status = [401, 404, 429, 500, 503][Math.floor(random() * 5)] ?? 500
    return Response.json({ success: false, message: 'x' }, { status })
  }
  const apiKey = async (): Promise<string> => {
    if (chance(0.5)) await wait(random() * 2000)
    if (chance(0.1)) await never
    if (chance(0.1)) throw new Error('no key')
    return `key-of-a-guild-${chance(0.5) ? 1 : 2}`
  }

  const throttle: Throttle = createThrottle({ clock: time.clock, requestsPerSecond })
  const faults: string[] = []
  const ledger = new GuildLedger({
    apiKey: key === 'string' ? 'key-of-a-guild' : apiKey,
    baseUrl: 'https://ledger.test',
    fetch,
    throttle,
    logLevel: 'off',
    attemptTimeoutMs: 4000,
    retry: retry && { maxRateLimitRetries: 2 },
  })
  let settled = 0
  const callOnce = async (): Promise<void> => {
    const controller = new AbortController()
    const reason = new Error('the reason of this call')
    if (chance(0.4)) time.at(time.now() + random() ** 2 * 8000, () => controller.abort(reason))
    const options = {
      ...(chance(0.6) && { signal: controller.signal }),
      ...(chance(0.3) && { timeoutMs: Math.ceil(random() ** 2 * 8000) }),
    }
    if (chance(0.05)) controller.abort(reason)
    try {
      await ledger.transactions.list({}, options)
    } catch (error) {
      const isOwn = error === reason && options.signal?.aborted
      if (!isOwn && !GuildLedgerError.is(error)) faults.push(String(error))
    }
    settled++
    // A request that is sent again waits once more, beside one that has not been sent.
    if (!retry && key === 'string' && throttle.stats.waiting > 1)
      faults.push(`${throttle.stats.waiting} requests wait instead of one`)
  }
  const caller = async () => {
    for (let call = 0; call < 4; call++) {
      await callOnce()
      if (chance(0.3)) await wait(random() * 3000)
    }
  }
  void Promise.all(Array.from({ length: callers }, caller))
  await time.run(endsAtMs)
  if (settled < callers * 4) faults.push(`${callers * 4 - settled} calls never end`)
  return faults
}

it(
  'ends each call with a value, an error of this package or the reason of its own signal, whoever else shares its request',
  { timeout: 60_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          seed: fc.integer(),
          callers: fc.integer({ min: 1, max: 6 }),
          requestsPerSecond: fc.integer({ min: 1, max: 3 }),
          retry: fc.boolean(),
          key: fc.constantFrom('string', 'function'),
        }),
        async (scenario) => {
          expect(await simulate(scenario)).toEqual([])
        },
      ),
      { numRuns: cases(100, 15) },
    )
  },
)
