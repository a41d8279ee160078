import { GuildLedger } from '@guild-ledger/sdk'
import { errorBody, guildResponse, stubService } from '@guild-ledger/test-kit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { notify } from '../src/callback.ts'

const unhandled: unknown[] = []
const record = (reason: unknown) => void unhandled.push(reason)
/** Unhandled rejections are reported once the microtasks are done. */
const unhandledRejections = async () => {
  await new Promise((resolve) => setImmediate(resolve))
  return unhandled
}

beforeEach(() => {
  unhandled.length = 0
  process.on('unhandledRejection', record)
})
afterEach(() => void process.off('unhandledRejection', record))

const boom = new Error('boom')
const thenable = (then: (resolve: unknown, reject: (error: Error) => void) => void) =>
  // oxlint-disable-next-line unicorn/no-thenable -- that is what callbacks may return
  ({ then }) as never
const throwing = () => {
  throw boom
}
const failing: [how: string, callback: () => never][] = [
  ['throws', throwing],
  ['rejects', (async () => Promise.reject(boom)) as unknown as () => never],
  ['returns a thenable that rejects', () => thenable((_, reject) => reject(boom))],
  ['returns a thenable that throws', () => thenable(throwing)],
  ['never settles', (() => new Promise(() => {})) as unknown as () => never],
]

/** Counts calls. Not `vi.fn`, which handles the rejection of what its function returns. */
const counting = (callback: () => never) => {
  let calls = 0
  const call = () => (calls++, callback())
  return { call, calls: () => calls }
}

const isLimited = () => Response.json(errorBody('slow down'), { status: 429 })

it.each(failing)('calls on when a logger %s', async (_, log) => {
  const service = stubService((count) => (count === 1 ? isLimited() : Response.json(guildResponse)))
  const [debug, info] = [counting(log), counting(log)]
  const logger = { debug: debug.call, info: info.call, warn: log, error: log }
  const ledger = new GuildLedger({ ...service.options, retry: { baseDelayMs: 0 }, logger, logLevel: 'debug' })

  expect((await ledger.transactions.list()).data).toHaveLength(1)
  expect([info.calls(), debug.calls()]).toEqual([1, 1])
  expect(await unhandledRejections()).toEqual([])
})

it.each(failing)('maps a 429 as ever when onPaceChange of a client %s', async (_, onPaceChange) => {
  const { call, calls } = counting(onPaceChange)
  const service = stubService(isLimited)
  const throttle = { onPaceChange: call }
  const ledger = new GuildLedger({ ...service.options, baseUrl: `https://${crypto.randomUUID()}.example`, throttle })

  await expect(ledger.transactions.list()).rejects.toMatchObject({ code: 'rate_limited' })
  expect(calls()).toBe(1)
  expect(await unhandledRejections()).toEqual([])
})

it.each(failing)('goes on watching when onError %s', async (_, callback) => {
  const { call: onError, calls } = counting(callback)
  const service = stubService((count) => (count === 1 ? isLimited() : Response.json(guildResponse)))
  const { transactions } = new GuildLedger(service.options)
  const watch = transactions.watch({}, { since: '2026-01-01T00:00:00Z', intervalMs: 1, onError })

  expect((await watch.next()).value).toMatchObject({ platformId: '8412' })
  await watch.return?.()

  expect(calls()).toBe(1)
  expect(await unhandledRejections()).toEqual([])
})

/** Says that there are two transactions, and has only one. */
const shortService = () =>
  stubService(() => Response.json({ ...guildResponse, pagination: { page: 1, limit: 100, total: 2, totalPages: 1 } }))

it.each(failing.slice(1))('paginates to the end when onDrift %s', async (_, callback) => {
  const { call: onDrift, calls } = counting(callback)
  const { transactions } = new GuildLedger(shortService().options)

  const found = []
  for await (const transaction of transactions.iterate({}, { onDrift, retryForMs: 0 })) found.push(transaction)

  expect(found).toHaveLength(1)
  expect(calls()).toBeGreaterThan(0)
  expect(await unhandledRejections()).toEqual([])
})

it('ends a pagination with what onDrift throws', async () => {
  const { transactions } = new GuildLedger(shortService().options)
  const paginator = transactions.iterate({}, { onDrift: throwing, retryForMs: 0 })

  await paginator.next()

  await expect(paginator.next()).rejects.toBe(boom)
})

it('passes all values to a callback, and accepts that there is none', () => {
  const callback = vi.fn()

  notify(callback, 1, 'two')
  notify(undefined)

  expect(callback.mock.calls).toEqual([[1, 'two']])
})
