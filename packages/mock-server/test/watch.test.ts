import { createMockLedger, type MockLedger, type MockLedgerOptions } from '@guild-ledger/mock-server'
import { GuildLedger, type LedgerEntry, type Watch, type WatchOptions } from '@guild-ledger/sdk'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const start = Date.UTC(2026, 0, 31, 10)

beforeEach(() => {
  vi.useFakeTimers({ now: start })
})
afterEach(() => {
  vi.useRealTimers()
})

const entry = (n: number, at: number, platformId = 'ann'): LedgerEntry => ({
  platformId,
  transactionId: `0b9d1c1e-6f6a-4d3e-9c55-${String(n).padStart(12, '0')}`,
  amount: n,
  quantity: 1,
  name: 'Iron Sword',
  source: 'shop',
  total: n,
  createdAt: new Date(at).toISOString(),
})

const world = (options: MockLedgerOptions = {}) => {
  const mock = createMockLedger({ transactions: 0, rateLimit: 'off', ...options })
  return { mock, guild: mock.guild, ledger: clientOf(mock) }
}
const clientOf = ({ apiKey, origin, fetch }: MockLedger) =>
  new GuildLedger({ apiKey, baseUrl: origin, fetch, throttle: false, retry: false, logLevel: 'off' })

/** Goes through a watch in the background; what it gave so far is in the list, by its amount. */
const follow = (watch: Watch) => {
  const seen: number[] = []
  const ended = (async () => {
    for await (const { amount } of watch) seen.push(amount)
  })()
  ended.catch(() => {})
  return { seen, ended }
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

type Target = 'all' | 'one user'
const watchOf = (ledger: GuildLedger, target: Target, options?: WatchOptions) =>
  target === 'all' ? ledger.transactions.watch({}, options) : ledger.user('ann').transactions.watch({}, options)

const targets: Target[] = ['all', 'one user']

describe.each(targets)('a watch of %s', (target) => {
  it('yields what turns up from now on, each once, oldest first', async () => {
    const { guild, ledger } = world()
    guild.add([entry(1, start - 9000), entry(2, start - 1000)])
    const { seen } = follow(watchOf(ledger, target))
    await pass(1)
    guild.add([entry(4, start + 2000), entry(3, start + 1000)])
    await pass(5000)
    guild.add([entry(5, start + 7000)])
    await pass(60_000)
    expect(seen).toEqual([3, 4, 5])
  })

  it('yields everything where the ledger was empty', async () => {
    const { guild, ledger } = world()
    const { seen } = follow(watchOf(ledger, target))
    await pass(1)
    guild.add([entry(1, start - 3_600_000)])
    await pass(5000)
    expect(seen).toEqual([1])
  })

  it.each(['inclusive', 'exclusive'] as const)(
    'misses nothing with the same date as the newest, where the bound is %s',
    async (startDateBound) => {
      const { guild, ledger } = world({ assumptions: { startDateBound } })
      guild.add([entry(1, start)])
      const { seen } = follow(watchOf(ledger, target, { overlapMs: 0 }))
      await pass(1)
      guild.add([entry(2, start)])
      await pass(5000)
      guild.add([entry(3, start)])
      await pass(5000)
      expect(seen).toEqual([2, 3])
    },
  )

  it.each(['milliseconds', 'seconds', 'offset'] as const)(
    'yields what turns up late, where dates are written in %s',
    async (createdAtFormat) => {
      const { guild, ledger } = world({ assumptions: { createdAtFormat } })
      guild.add([entry(1, start)])
      const { seen } = follow(watchOf(ledger, target, { overlapMs: 10_000 }))
      await pass(1)
      guild.add([entry(2, start + 500)])
      await pass(5000)
      guild.add([entry(3, start - 9000), entry(4, start - 20_000)])
      await pass(5000)
      expect(seen).toEqual([2, 3])
    },
  )

  it('begins with a date, whatever is older', async () => {
    const { guild, ledger } = world()
    guild.add([entry(1, start - 2), entry(2, start - 1), entry(3, start), entry(4, start + 1)])
    const { seen } = follow(watchOf(ledger, target, { since: new Date(start) }))
    await pass(1)
    expect(seen).toEqual([3, 4])
  })

  it('yields once what was created in the second it begins within, where dates show no more than seconds', async () => {
    const { guild, ledger } = world({ assumptions: { createdAtFormat: 'seconds' } })
    guild.add([entry(1, start + 700)])
    const { seen } = follow(watchOf(ledger, target, { since: new Date(start + 300) }))
    await pass(60_000)
    expect(seen).toEqual([1])
  })

  it('looks again every `intervalMs`, with one request where nothing is new', async () => {
    const { guild, ledger } = world()
    guild.add(Array.from({ length: 150 }, (_, i) => entry(i, start - i * 1000)))
    follow(watchOf(ledger, target, { intervalMs: 1000 }))
    await pass(1)
    const before = guild.requests.length
    await pass(3000)
    expect(guild.requests.length - before).toBe(3)
  })

  it('waits longer after each failure, tells of it, and goes on', async () => {
    const { guild, ledger } = world()
    guild.add([entry(1, start)])
    const waits: number[] = []
    const { seen } = follow(watchOf(ledger, target, { onError: (_, { retryInMs }) => waits.push(retryInMs) }))
    await pass(1)
    guild.add([entry(2, start + 1)])
    guild.fail({ kind: 'internal-error', times: 3 })
    await pass(5000 + 5000 + 10_000)
    expect(waits).toEqual([5000, 10_000, 20_000])
    expect(seen).toEqual([])
    await pass(20_000)
    expect(seen).toEqual([2])
  })

  it('ends with an error that does not pass', async () => {
    const { guild, ledger } = world()
    guild.add([entry(1, start)])
    const { ended } = follow(watchOf(ledger, target))
    await pass(1)
    for (const { id } of guild.keys) guild.deleteKey(id)
    await pass(5000)
    await expect(ended).rejects.toMatchObject({ code: 'invalid_api_key' })
  })

  it.each<[string, (watch: Watch, caller: AbortController) => unknown]>([
    ['left', (watch) => watch.return?.()],
    ['disposed of', (watch) => watch[Symbol.asyncDispose]()],
    ['aborted', (_, caller) => caller.abort()],
  ])('leaves no timer behind when it is %s', async (_, stop) => {
    const { guild, ledger } = world()
    guild.add([entry(1, start)])
    const caller = new AbortController()
    const watch = watchOf(ledger, target, { signal: caller.signal })
    const { ended } = follow(watch)
    await pass(1)
    stop(watch, caller)
    await ended.catch(() => {})
    expect(vi.getTimerCount()).toBe(0)
  })

  it('remembers no more than the overlap holds', { timeout: 60_000 }, async () => {
    const { guild, ledger } = world()
    const watch = watchOf(ledger, target, { since: new Date(start), overlapMs: 10_000 })
    const { seen } = follow(watch)
    for (let n = 0; n < 300; n += 1) {
      guild.add([entry(n, Date.now())])
      await pass(1000)
    }
    expect(seen).toHaveLength(300)
    expect(watch.checkpoint?.seen.length).toBeLessThan(20)
  })

  const step = fc.record({
    rows: fc.array(fc.record({ lateMs: fc.integer({ min: 0, max: 8000 }), user: fc.constantFrom('ann', 'bob') }), {
      maxLength: 4,
    }),
    afterMs: fc.integer({ min: 0, max: 7000 }),
  })

  it(
    'misses nothing and repeats nothing when it is stopped after any value and begun again',
    { timeout: 300_000 },
    async () => {
      const property = fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 8, size: 'max' }),
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 6 }),
        fc.constantFrom('transaction' as const, 'group' as const),
        fc.constantFrom('inclusive' as const, 'exclusive' as const),
        async (steps, stops, pageUnit, startDateBound) => {
          vi.setSystemTime(start)
          const { mock, guild } = world({ assumptions: { pageUnit, startDateBound } })
          const options = { overlapMs: 10_000, intervalMs: 1000 }
          let stored = JSON.stringify(
            watchOf(clientOf(mock), target, { ...options, since: new Date(start - 60_000) }).checkpoint,
          )
          const got: number[] = []
          const consumer = { isDone: false }
          let current: Watch | undefined
          const runs = (async () => {
            for (let run = 0; !consumer.isDone; run += 1) {
              const since = JSON.parse(stored) as NonNullable<Watch['checkpoint']>
              let left = stops[run % stops.length] ?? 1
              const watch = watchOf(clientOf(mock), target, { ...options, since })
              current = watch
              for await (const { amount } of watch) {
                got.push(amount)
                stored = JSON.stringify(watch.checkpoint)
                left -= 1
                if (left === 0) break
              }
            }
          })()
          let count = 0
          const added: number[] = []
          for (const { rows, afterMs } of steps) {
            const now = Date.now()
            const fresh = rows.map(({ lateMs, user }) => entry((count += 1), now - lateMs, user))
            guild.add(fresh)
            added.push(...fresh.filter((row) => target === 'all' || row.platformId === 'ann').map((row) => row.amount))
            await pass(afterMs)
          }
          await pass(60_000)
          consumer.isDone = true
          await current?.return?.()
          await runs
          expect(got.toSorted((a, b) => a - b)).toEqual(added)
        },
      )
      await expect(fc.assert(property, { numRuns: 150 })).resolves.toBeUndefined()
    },
  )
})

describe('a watch of all, where pages count users', () => {
  it('can be stopped between two pages, though the first may show what is newest', async () => {
    const { guild, ledger } = world({ assumptions: { pageUnit: 'group' } })
    guild.add([
      ...Array.from({ length: 150 }, (_, i) => entry(i, start + i * 1000, `user ${i}`)),
      entry(150, start + 3_600_000, 'user 0'),
    ])
    const options = { overlapMs: 1000 }
    const got: number[] = []
    const first = ledger.transactions.watch({}, { ...options, since: new Date(start) })
    for await (const { amount } of first) {
      got.push(amount)
      if (got.length === 120) break
    }
    const { seen } = follow(ledger.transactions.watch({}, { ...options, since: first.checkpoint }))
    await pass(1)
    expect([...got, ...seen].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 151 }, (_, i) => i))
  })
})

describe('what a watch refuses before anything is asked', () => {
  const checkpoint = {
    version: 1 as const,
    watched: 'https://ledger.test/guild/ledger/transactions',
    from: null,
    seen: [],
  }

  it.each<[string, WatchOptions, string]>([
    [
      'a checkpoint of a later release',
      { since: { ...checkpoint, version: 2 as never } },
      'since is a checkpoint of version 2, written by a later release: update this package, which knows version 1',
    ],
    [
      'a checkpoint of another query',
      { since: { ...checkpoint, watched: 'https://ledger.test/guild/ledger/transactions?from=shop' } },
      'since must be a checkpoint of a watch over https://ledger.test/guild/ledger/transactions; got one over "https://ledger.test/guild/ledger/transactions?from=shop": give each watch its own',
    ],
    [
      'a checkpoint of a user',
      { since: { ...checkpoint, watched: 'https://ledger.test/guild/ledger/ann/transactions' } },
      'since must be a checkpoint of a watch over https://ledger.test/guild/ledger/transactions; got one over "https://ledger.test/guild/ledger/ann/transactions": give each watch its own',
    ],
    [
      'what is not a checkpoint',
      { since: { ...checkpoint, seen: [1] as never } },
      'since is not a checkpoint of a watch: seen[0] must be a transactionId; got 1',
    ],
    [
      'a checkpoint without a version',
      { since: { seen: [] } as never },
      'since is not a checkpoint of a watch: version must be 1; got nothing',
    ],
    [
      'a date that is none',
      { since: 'yesterday' },
      'since must be \'now\', a valid Date, an ISO 8601 date-time with its offset such as 2026-01-31T00:00:00Z, or a checkpoint; got "yesterday"',
    ],
    [
      'an interval of nothing',
      { intervalMs: 0 },
      'intervalMs must be a number of milliseconds from 1 to 2147483647; got 0',
    ],
    [
      'a negative overlap',
      { overlapMs: -1 },
      'overlapMs must be a number of milliseconds from 0 to 2147483647; got -1',
    ],
  ])('%s', (_, options, message) => {
    const { guild, ledger } = world()
    expect(() => ledger.transactions.watch({}, options)).toThrow(
      expect.objectContaining({ code: 'configuration', message }) as Error,
    )
    expect(guild.requests).toHaveLength(0)
  })

  it('parameters that it sets itself', () => {
    const { ledger } = world()
    expect(() => ledger.transactions.watch({ sortBy: 'amount' } as object)).toThrow(
      'sortBy must be left out, as a watch sets it itself; got "amount"',
    )
  })

  it('filters outside of the contract', () => {
    const { ledger } = world()
    expect(() => ledger.transactions.watch({ minAmount: -1 })).toThrow(
      'minAmount must be a number of at least 0; got -1',
    )
  })
})
