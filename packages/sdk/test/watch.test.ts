import { GuildLedger } from '@guild-ledger/sdk'
import { errorBody, failureOf, guildResponse, stubService } from '@guild-ledger/test-kit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

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
