import { createThrottle, GuildLedger } from '@guild-ledger/sdk'
import { cases, createRandom, createVirtualTime } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'
import { createMockLedger } from '../src/index.ts'

const runs = cases(100, 15)
const callsPerRun = 25

const macrotask = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A bot under load whose key is replaced, and the old one deleted, at random moments. Resolves with what went wrong. */
const rotate = async (seed: number) => {
  const random = createRandom(seed)
  const time = createVirtualTime(undefined, macrotask)
  const wait = (ms: number) => new Promise<void>((resolve) => time.at(time.now() + ms, resolve))
  const mock = createMockLedger({ users: 1, transactions: 5, now: () => time.now() })
  const { guild } = mock
  const old = guild.keys[0]?.id ?? ''

  let stored = mock.apiKey
  let functionCalls = 0
  let rejected = 0
  let waiting = 0
  /** The key that the client knows to be rejected, and since when. */
  let known: { readonly key: string | undefined; readonly at: number } | undefined
  let sentInVain = 0
  let called = 0
  const ledger = new GuildLedger({
    baseUrl: mock.origin,
    async apiKey() {
      functionCalls++
      const value = stored
      const before = called
      await wait(random() * 500)
      if (known !== undefined) waiting += called - before
      return value
    },
    async fetch(url, init) {
      const key = init.headers['x-api-key']
      // At the same instant a request may be sent before the body of the 401 was read.
      if (key === known?.key && time.now() > (known?.at ?? 0)) sentInVain++
      await wait(random() * 300)
      const response = await mock.fetch(url, init)
      if (response.status === 401) rejected++
      await wait(random() * 300)
      if (response.status === 401) known ??= { key, at: time.now() }
      return response
    },
    throttle: createThrottle({ clock: time.clock }),
    deduplicate: random() < 0.5,
    retry: false,
    logLevel: 'off',
  })
  const replacedAt = random() * 3000
  time.at(replacedAt, () => {
    const details = { name: 'new', scopes: ['guild:read' as const], expiresAt: new Date(time.now() + 1e10) }
    stored = guild.createKey(details).value
    time.at(replacedAt + random() * 1000, () => guild.deleteKey(old))
  })
  const calls = Array.from({ length: callsPerRun }, async () => {
    await wait(random() * 3000)
    called++
    return ledger.transactions.list()
  })
  const settled = Promise.allSettled(calls)
  await time.run()
  const failures = (await settled).filter(({ status }) => status === 'rejected')
  return { failures, functionCalls, rejected, waiting, sentInVain }
}

it(`a client fails no call and sends no rejected key when a key is replaced under load, in ${runs} runs`, async () => {
  const failures: unknown[] = []
  let rejected = 0
  let waiting = 0
  for (let seed = 1; seed <= runs; seed++) {
    const run = await rotate(seed)
    failures.push(...run.failures.map((failure) => ({ seed, failure })))
    rejected += run.rejected
    waiting += run.waiting
    expect(run.sentInVain, `seed ${seed}`).toBe(0)
    expect(run.functionCalls, `seed ${seed}`).toBeLessThanOrEqual(2)
  }

  expect(failures).toEqual([])
  expect(rejected).toBeGreaterThan(runs) // else nothing was rotated while requests were in flight
  expect(waiting).toBeGreaterThan(runs / 2) // else no call was made while the function ran after a 401
}, 120_000)
