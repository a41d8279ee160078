import { createMockLedger, type MockLedger, type MockLedgerOptions } from '@guild-ledger/mock-server'
import { GuildLedger, type Checkpoint, type LedgerEntry, type Watch, type WatchOptions } from '@guild-ledger/sdk'
import { cases, entry as entryOf } from '@guild-ledger/test-kit'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const start = Date.UTC(2026, 0, 31, 10)

beforeEach(() => void vi.useFakeTimers({ now: start }))
afterEach(() => void vi.useRealTimers())

const entry = (n: number, at: number, platformId = 'ann'): LedgerEntry =>
  entryOf(n, { platformId, createdAt: new Date(at).toISOString() })

type Fetch = MockLedger['fetch']
/** A mock and a client; `through` is between them. */
const setup = (options: MockLedgerOptions = {}, through = (send: Fetch): Fetch => send) => {
  const mock = createMockLedger({ transactions: 0, rateLimit: 'off', ...options })
  const { apiKey, origin: baseUrl } = mock
  const fetch = through(mock.fetch)
  const ledger = new GuildLedger({ apiKey, baseUrl, fetch, throttle: false, retry: false, logLevel: 'off' })
  return { guild: mock.guild, ledger }
}

/** Iterates a watch in the background; `seen` has the amounts of what it has yielded so far. */
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

describe.each(targets)('watch of %s', (target) => {
  it('yields transactions that appear from now on, each once, oldest first', async () => {
    const { guild, ledger } = setup()
    guild.add([entry(1, start - 9000), entry(2, start - 1000)])
    const { seen } = follow(watchOf(ledger, target))
    await pass(1)
    guild.add([entry(4, start + 2000), entry(3, start + 1000)])
    await pass(5000)
    guild.add([entry(5, start + 7000)])
    await pass(60_000)
    expect(seen).toEqual([3, 4, 5])
  })

  it('yields every transaction where the ledger was empty at the start', async () => {
    const { guild, ledger } = setup()
    const { seen } = follow(watchOf(ledger, target))
    await pass(1)
    guild.add([entry(1, start - 3_600_000)])
    await pass(5000)
    expect(seen).toEqual([1])
  })

  it.each(['inclusive', 'exclusive'] as const)(
    'misses no transaction created at the same time as the newest, where the startDate bound is %s',
    async (startDateBound) => {
      const { guild, ledger } = setup({ assumptions: { startDateBound } })
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
    'yields transactions that appear late within overlapMs, where createdAt has the format %s',
    async (createdAtFormat) => {
      const { guild, ledger } = setup({ assumptions: { createdAtFormat } })
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

  it('starts at the date `since` and yields nothing older', async () => {
    const { guild, ledger } = setup()
    guild.add([entry(1, start - 2), entry(2, start - 1), entry(3, start), entry(4, start + 1)])
    const { seen } = follow(watchOf(ledger, target, { since: new Date(start) }))
    await pass(1)
    expect(seen).toEqual([3, 4])
  })

  it('yields transactions created in the second of `since` once, where createdAt has no fraction', async () => {
    const { guild, ledger } = setup({ assumptions: { createdAtFormat: 'seconds' } })
    guild.add([entry(1, start + 700)])
    const { seen } = follow(watchOf(ledger, target, { since: new Date(start + 300) }))
    await pass(60_000)
    expect(seen).toEqual([1])
  })

  it('polls every `intervalMs`, with one request where nothing is new', async () => {
    const { guild, ledger } = setup()
    const userOf = (i: number) => (target === 'all' ? `user ${i}` : 'ann')
    guild.add(Array.from({ length: 150 }, (_, i) => entry(i, start - i * 300, userOf(i))))
    follow(watchOf(ledger, target, { intervalMs: 1000 }))
    await pass(1)
    const before = guild.requests.length
    await pass(3000)
    expect(guild.requests.length - before).toBe(3)
  })

  it('waits longer after each failed poll, and the interval again after a good one, and calls onError', async () => {
    const { guild, ledger } = setup()
    guild.add([entry(1, start)])
    const waits: number[] = []
    const { seen } = follow(watchOf(ledger, target, { onError: (_, { retryInMs }) => waits.push(retryInMs) }))
    await pass(1)
    guild.add([entry(2, start + 1)])
    guild.fault({ kind: 'internal-error', times: 3 })
    await pass(5000 + 5000 + 10_000)
    expect(waits).toEqual([5000, 10_000, 20_000])
    expect(seen).toEqual([])
    await pass(20_000)
    expect(seen).toEqual([2])
    guild.fault({ kind: 'internal-error', times: 1 })
    await pass(5000)
    expect(waits.slice(3)).toEqual([5000])
  })

  it.each<[string, Response]>([
    ['a maintenance page with status 200', new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    ['cut JSON', new Response('{"success":true,', { headers: { 'content-type': 'application/json' } })],
    ['a 401', Response.json({ success: false, message: 'Unauthorized - invalid API key' }, { status: 401 })],
    ['a 403', Response.json({ success: false, message: 'Forbidden' }, { status: 403 })],
    ['a 404 that is not documented', Response.json({ success: false, message: 'Not found' }, { status: 404 })],
    ['a 408', Response.json({ success: false, message: 'Request timeout' }, { status: 408 })],
  ])('continues after %s', async (_, odd) => {
    let isOdd = false
    const { guild, ledger } = setup(
      {},
      (send) =>
        async (...request) =>
          isOdd ? odd.clone() : send(...request),
    )
    guild.add([entry(1, start)])
    const errors: Error[] = []
    const { seen } = follow(watchOf(ledger, target, { onError: (error) => errors.push(error) }))
    await pass(1)
    isOdd = true
    guild.add([entry(2, start + 1)])
    await pass(5000)
    isOdd = false
    await pass(60_000)
    expect(errors.length).toBeGreaterThan(0)
    expect(seen).toEqual([2])
  })

  it('waits no longer than five minutes, whatever Retry-After says', async () => {
    let isLimited = false
    const limited = () => Response.json({ success: false }, { status: 429, headers: { 'retry-after': '1000000000' } })
    const { guild, ledger } = setup(
      {},
      (send) =>
        async (...request) =>
          isLimited ? limited() : send(...request),
    )
    guild.add([entry(1, start)])
    const waits: number[] = []
    const { seen } = follow(watchOf(ledger, target, { onError: (_, { retryInMs }) => waits.push(retryInMs) }))
    await pass(1)
    isLimited = true
    guild.add([entry(2, start + 1)])
    await pass(5000)
    isLimited = false
    await pass(300_000)
    expect(waits).toEqual([300_000])
    expect(seen).toEqual([2])
  })

  it('yields what follows a transaction that is dated ahead', async () => {
    const { guild, ledger } = setup()
    guild.add([entry(1, start)])
    const watch = watchOf(ledger, target)
    const { seen } = follow(watch)
    await pass(1)
    guild.add([entry(2, start + 365 * 24 * 3_600_000)])
    await pass(5000)
    for (let n = 3; n < 40; n++) {
      guild.add([entry(n, Date.now())])
      await pass(5000)
    }
    expect(seen).toEqual(Array.from({ length: 38 }, (_, i) => i + 2))
    expect(Date.parse(watch.checkpoint.from ?? '')).toBeLessThan(Date.now())
  })

  it('yields a transaction that appears during a poll on a page that was read before', async () => {
    let isLate = false
    const { guild, ledger } = setup({}, (send) => async (...request) => {
      const response = await send(...request)
      if (isLate) {
        isLate = false
        // After the first page of a poll: one that is 59 s late, and by the time of the last page one that is new.
        guild.add([entry(1000, Date.now() - 59_000)])
        await new Promise((resolve) => setTimeout(resolve, 9000))
        guild.add([entry(1001, Date.now() - 1000)])
      }
      return response
    })
    guild.add(Array.from({ length: 250 }, (_, i) => entry(i, start - 40_000 + i * 100)))
    const { seen } = follow(watchOf(ledger, target, { since: new Date(start - 3_600_000) }))
    await pass(1)
    guild.add([entry(999, Date.now())])
    isLate = true
    await pass(30_000)
    expect(seen.slice(250).toSorted((a, b) => a - b)).toEqual([999, 1000, 1001])
  })

  it('reads one page of a quiet ledger, and all pages of the overlap in every twelfth poll', async () => {
    const { guild, ledger } = setup()
    guild.add(Array.from({ length: 350 }, (_, i) => entry(i, start - i * 100)))
    follow(watchOf(ledger, target))
    await pass(10_000)
    const before = guild.requests.length
    await pass(600_000)
    expect(guild.requests.length - before).toBeLessThanOrEqual(120 + 10 * 4)
    expect(guild.requests.length - before).toBeGreaterThan(120 + 10 * 2)
  })

  it('requests only the page again that failed, after it has yielded those before', async () => {
    const { guild, ledger } = setup()
    guild.add(Array.from({ length: 350 }, (_, i) => entry(i, start + i)))
    guild.fault({ kind: 'internal-error', query: { page: '3' }, times: 3 })
    const { seen } = follow(watchOf(ledger, target, { since: new Date(start) }))
    await pass(1)
    expect(seen).toHaveLength(200)
    await pass(60_000)
    expect(seen).toHaveLength(350)
    const pages = guild.requests.map(({ query }) => query.page)
    expect(pages.indexOf('1', 1)).toBeGreaterThan(6)
  })

  it('ends once it has caught up with `follow: false`, and continues from its checkpoint', async () => {
    const { guild, ledger } = setup()
    const dates = Array.from({ length: 250 }, (_, i) => entry(i, start - 1000 + i))
    guild.add(dates)
    const options = { follow: false } as const
    const first = watchOf(ledger, target, { ...options, since: new Date(0) })
    const before = follow(first)
    await pass(1)
    await before.ended
    expect(before.seen).toHaveLength(250)
    guild.add([entry(250, start + 1), entry(251, start + 2)])
    const since = JSON.parse(JSON.stringify(first.checkpoint)) as Checkpoint
    const after = follow(watchOf(ledger, target, { ...options, since }))
    await pass(1)
    await after.ended
    expect(after.seen).toEqual([250, 251])
  })

  it('calls onDrift when transactions are removed while it reads, and yields all that stay', async () => {
    let responses = 0
    const { guild, ledger } = setup({}, (send) => async (...request) => {
      const response = await send(...request)
      if (++responses === 1) guild.remove([entry(0, start).transactionId])
      return response
    })
    guild.add(Array.from({ length: 350 }, (_, i) => entry(i, start + i)))
    const drift: unknown[] = []
    const onDrift = (one: unknown) => void drift.push(one)
    const { seen, ended } = follow(watchOf(ledger, target, { since: new Date(start), follow: false, onDrift }))
    await pass(1)
    await pass(10_000)
    await ended
    expect(new Set(seen)).toEqual(new Set(Array.from({ length: 350 }, (_, i) => i)))
    expect(drift).toMatchObject([{ kind: 'removed', lost: 1, repaired: true }])
  })

  it.each<[string, (watch: Watch, caller: AbortController) => unknown]>([
    ['left', (watch) => watch.return?.()],
    ['disposed of', (watch) => watch[Symbol.asyncDispose]()],
    ['aborted', (_, caller) => caller.abort()],
  ])('leaves no timer behind when it is %s', async (_, stop) => {
    const { guild, ledger } = setup()
    guild.add([entry(1, start)])
    const caller = new AbortController()
    const watch = watchOf(ledger, target, { signal: caller.signal })
    const { ended } = follow(watch)
    await pass(1)
    stop(watch, caller)
    await ended.catch(() => {})
    expect(vi.getTimerCount()).toBe(0)
  })

  it('remembers only the transactions of the overlap', { timeout: 240_000 }, async () => {
    const { guild, ledger } = setup()
    const watch = watchOf(ledger, target, { since: new Date(start), overlapMs: 10_000 })
    const { seen } = follow(watch)
    for (let n = 0; n < 300; n++) {
      guild.add([entry(n, Date.now())])
      await pass(1000)
    }
    expect(seen).toHaveLength(300)
    expect(watch.checkpoint.seen.length).toBeLessThan(20)
  })

  const step = fc.record({
    added: fc.array(fc.record({ lateMs: fc.integer({ min: 0, max: 8000 }), user: fc.constantFrom('ann', 'bob') }), {
      maxLength: 4,
    }),
    afterMs: fc.integer({ min: 0, max: 7000 }),
  })

  it(
    'misses nothing and repeats nothing when it is stopped after any transaction and resumed from its checkpoint',
    { timeout: 300_000 },
    async () => {
      const property = fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 8, size: 'max' }),
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 6 }),
        fc.constantFrom('transaction' as const, 'group' as const),
        fc.constantFrom('inclusive' as const, 'exclusive' as const),
        async (steps, stops, pageUnit, startDateBound) => {
          vi.setSystemTime(start)
          const { guild, ledger } = setup({ assumptions: { pageUnit, startDateBound } })
          const options = { overlapMs: 10_000, intervalMs: 1000 }
          const since = new Date(start - 60_000)
          let stored = JSON.stringify(watchOf(ledger, target, { ...options, since }).checkpoint)
          const got: number[] = []
          const consumer = { isDone: false }
          let current: Watch | undefined
          const runs = (async () => {
            for (let run = 0; !consumer.isDone; run++) {
              let left = stops[run % stops.length] ?? 1
              const watch = watchOf(ledger, target, { ...options, since: JSON.parse(stored) as Checkpoint })
              current = watch
              for await (const { amount } of watch) {
                got.push(amount)
                stored = JSON.stringify(watch.checkpoint)
                left--
                if (left === 0) break
              }
            }
          })()
          let count = 0
          const expected: number[] = []
          for (const { added: late, afterMs } of steps) {
            const now = Date.now()
            const fresh = late.map(({ lateMs, user }) => entry(++count, now - lateMs, user))
            guild.add(fresh)
            expected.push(
              ...fresh.filter(({ platformId }) => target === 'all' || platformId === 'ann').map(({ amount }) => amount),
            )
            await pass(afterMs)
          }
          await pass(60_000)
          consumer.isDone = true
          await current?.return?.()
          await runs
          expect(got.toSorted((a, b) => a - b)).toEqual(expected)
        },
      )
      await expect(fc.assert(property, { numRuns: cases(10, 5) })).resolves.toBeUndefined()
    },
  )
})

describe('watch of all, where pages count users', () => {
  it('can be resumed after it was stopped between two pages, though the first may contain the newest transaction', async () => {
    const { guild, ledger } = setup({ assumptions: { pageUnit: 'group' } })
    guild.add([
      ...Array.from({ length: 150 }, (_, i) => entry(i, start + i * 1000, `user ${i}`)),
      entry(150, start + 3_600_000, 'user 0'),
    ])
    vi.setSystemTime(start + 2 * 3_600_000) // else the time of the service keeps the checkpoint back
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

describe('watch before any request', () => {
  const url = 'https://ledger.test/guild/ledger/transactions'
  const checkpoint = { version: 1 as const, watched: url, from: null, seen: [] }
  const about = `\`since\` must be a checkpoint of a watch over ${url}, got one over`
  const user = 'https://ledger.test/guild/ledger/ann/transactions'

  it.each<[object, string]>([
    [
      { since: { ...checkpoint, version: 2 } },
      'version 2, written by a later release: update this package, which knows version 1',
    ],
    [{ since: { ...checkpoint, watched: `${url}?from=shop` } }, `${about} "${url}?from=shop": give each watch its own`],
    [{ since: { ...checkpoint, watched: user } }, `${about} "${user}": give each watch its own`],
    [
      { since: 'yesterday' },
      "`since` must be 'now', a valid Date, an ISO 8601 date-time with its offset such as 2026-01-31T",
    ],
    [{ intervalMs: 0 }, '`intervalMs` must be a number of milliseconds from 1 to 2147483647, got 0'],
    [{ follow: 'no' }, '`follow` must be true or false, got a string of 2 characters'],
    [{ overlapMs: -1 }, '`overlapMs` must be a number of milliseconds from 0 to 2147483647, got -1'],
  ])('rejects the options %j', (options, message) => {
    const { guild, ledger } = setup()

    expect(() => ledger.transactions.watch({}, options)).toThrow(
      expect.objectContaining({ code: 'configuration', message: expect.stringContaining(message) as string }) as Error,
    )
    expect(guild.requests).toHaveLength(0)
  })

  it.each<[object, string]>([[{ minAmount: -1 }, '`minAmount` must be a number ≥ 0, got -1']])(
    'rejects the filters %j',
    (filters, message) => {
      expect(() => setup().ledger.transactions.watch(filters)).toThrow(message)
    },
  )
})
