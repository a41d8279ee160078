import { GuildLedger } from '@guild-ledger/sdk'
import { errorBody, failureOf, guildResponse, stubService } from '@guild-ledger/test-kit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createService, entryOf } from './ledger-service.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('waits five minutes if a watch gets a longer Retry-After', async () => {
  const headers = { 'retry-after': '99999999999' }
  const service = stubService(() => Response.json(errorBody('slow down'), { status: 429, headers }))
  const waits: number[] = []
  const onError = (_: Error, { retryInMs }: { retryInMs: number }) => void waits.push(retryInMs)
  const stop = new AbortController()
  const watch = new GuildLedger(service.options).transactions.watch({}, { signal: stop.signal, onError })

  const failure = failureOf(Array.fromAsync(watch))
  await vi.advanceTimersByTimeAsync(299_000)
  stop.abort('enough')

  expect(await failure).toBe('enough')
  expect(service.sent).toHaveLength(1)
  expect(waits).toEqual([300_000])
})

it('counts the hour after which a failing watch ends without the steps of the clock', async () => {
  const service = stubService(() => Response.json(errorBody('out of order'), { status: 503 }))
  const watch = new GuildLedger(service.options).transactions.watch()

  const failure = failureOf(Array.fromAsync(watch))
  let hasEnded = false
  void failure.then(() => (hasEnded = true))
  await vi.advanceTimersByTimeAsync(10_000)
  vi.setSystemTime(Date.now() + 2 * 3_600_000)
  await vi.advanceTimersByTimeAsync(3_500_000)
  expect(hasEnded).toBe(false)

  await vi.advanceTimersByTimeAsync(400_000)
  expect(await failure).toMatchObject({ status: 503 })
})

it('keeps the filters a watch was created with when the caller changes the object', async () => {
  const service = stubService(() => Response.json(guildResponse))
  const filters = { from: 'shop' }
  const stop = new AbortController()
  const watch = new GuildLedger(service.options).transactions.watch(filters, { signal: stop.signal })
  filters.from = 'gift'

  const failure = failureOf(Array.fromAsync(watch))
  await vi.advanceTimersByTimeAsync(10_000)
  stop.abort('enough')
  await failure

  expect(watch.checkpoint?.watched).toContain('from=shop')
  expect(service.sent.length).toBeGreaterThan(1)
  expect(service.sent.filter(({ url }) => !url.includes('from=shop'))).toEqual([])
})

it.each(['2026-02-30T00:00:00Z', new Date(8.64e15), new Date(-8.64e15), new Date(Number.NaN), '2026-01-31'])(
  'rejects %s as since, because no query can hold it',
  (since) => {
    const { transactions } = new GuildLedger(stubService(() => Response.json(guildResponse)).options)

    expect(() => transactions.watch({}, { since })).toThrow(/^`since` must be 'now', a valid Date/)
  },
)

it.each<[string, number, number, string?]>([
  ['no warning', 60_000, 0],
  ['one warning', 61_000, 1],
  ['one warning in one line', 61_000, 1, '\nguild-ledger: forged'],
])(
  'logs %s where transactions are dated %i ms ahead, however many and often they are met',
  async (_, aheadMs, count, ending = '') => {
    vi.setSystemTime('2026-02-01T00:00:00Z')
    const createdAt = new Date(Date.now() + aheadMs).toISOString() + ending
    const warn = vi.fn()
    const stop = new AbortController()
    const watch = new GuildLedger({
      apiKey: 'k',
      baseUrl: 'https://ledger.example',
      fetch: createService([entryOf(1), entryOf(2, { createdAt }), entryOf(3, { createdAt })]).fetch,
      validation: 'off',
      throttle: false, // the throttle of other tests has the time of their fake clocks
      logger: { debug() {}, info() {}, warn, error() {} },
    }).transactions.watch({}, { since: '2026-01-01T00:00:00Z', signal: stop.signal, intervalMs: 1000 })

    const failure = failureOf(Array.fromAsync(watch))
    await vi.advanceTimersByTimeAsync(3000)
    stop.abort('enough')
    await failure

    const line =
      "guild-ledger: A transaction is dated 2026-02-01T00:01:01.000Z, later than the service's own time. " +
      'Until then, every poll requests it.'
    expect(warn.mock.calls.map(([message]: string[]) => message)).toEqual(Array(count).fill(line))
  },
)

it('polls with fake timers in a process that has parsed much', async () => {
  const page = { ...guildResponse, more: 'x'.repeat(100_000) }
  const service = stubService(() => Response.json(page))
  const ledger = new GuildLedger(service.options)
  for (let i = 0; i < 4; i++) {
    await ledger.transactions.list()
    await vi.advanceTimersByTimeAsync(2000)
  }
  let turns = 0
  vi.stubGlobal(
    'MessageChannel',
    class extends MessageChannel {
      constructor() {
        super()
        turns++
      }
    },
  )

  await ledger.transactions.list()

  vi.unstubAllGlobals()
  expect(turns).toBe(0)
})
