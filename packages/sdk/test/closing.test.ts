import { ConfigurationError, createThrottle, GuildLedger, type GuildLedgerOptions } from '@guild-ledger/sdk'
import { failureOf, guildResponse, stubService, transaction } from '@guild-ledger/test-kit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const closed = { name: 'ConfigurationError', code: 'client_closed', actor: 'author', retryable: false }
const never = () => new Promise<never>(() => {})
const pageOf = (page: number) => ({
  ...guildResponse,
  data: [
    {
      platformId: '8412',
      transactions: [{ ...transaction, transactionId: `0b9d1c1e-6f6a-4d3e-9c55-${String(page).padStart(12, '0')}` }],
    },
  ],
  pagination: { page, limit: 1, total: 1000, totalPages: 1000 },
})
const pages = () => stubService((count) => Response.json(pageOf(count)))

it.each<[string, Partial<GuildLedgerOptions>, number]>([
  ['in the queue', { throttle: createThrottle({ requestsPerSecond: 1 }) }, 1],
  ['for the function of apiKey', { apiKey: never }, 0],
  ['for the response', { fetch: never }, 0],
  ['in middleware', { middleware: [never] }, 0],
  ['for a retry', { fetch: async () => new Response('', { status: 503 }), retry: { baseDelayMs: 9_999_999 } }, 0],
])('close() rejects at once what waits %s, and sends nothing more', async (_, options, sent) => {
  const service = pages()
  const ledger = new GuildLedger({ ...service.options, fetch: service.options.fetch, deduplicate: false, ...options })
  const outcomes: unknown[] = []
  const record = (error: unknown) => void outcomes.push(error)
  for (let i = 0; i < 25; i++) ledger.transactions.list().catch(record)
  await vi.advanceTimersByTimeAsync(100)

  await ledger.close()
  await vi.advanceTimersByTimeAsync(0)

  expect(outcomes).toHaveLength(25 - sent)
  expect(outcomes.every((error) => error instanceof ConfigurationError)).toBe(true)
  expect(outcomes[0]).toMatchObject(closed)
  expect(new Set(outcomes).size).toBe(25 - sent)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(service.sent).toHaveLength(sent)
})

it.each(['pages', 'iterate', 'watch'] as const)(
  'close() ends what %s() returned quietly, wherever it stands',
  async (method) => {
    const service = pages()
    const ledger = new GuildLedger({ ...service.options, throttle: {} })
    const values: unknown[] = []
    const iterator: AsyncIterator<unknown> & AsyncIterable<unknown> = ledger.transactions[method]()
    const unstarted: AsyncIterator<unknown> = ledger.transactions[method]()
    const loop = (async () => {
      for await (const value of iterator) values.push(value)
      return 'done'
    })()
    await vi.advanceTimersByTimeAsync(3000)

    await ledger.close()
    await vi.advanceTimersByTimeAsync(0)

    expect(await loop).toBe('done')
    expect(await unstarted.next()).toEqual({ done: true, value: undefined })
    const sent = service.sent.length
    await vi.advanceTimersByTimeAsync(60_000)
    expect(service.sent).toHaveLength(sent)
    expect(vi.getTimerCount()).toBe(0)
  },
)

it('close() ends an iterator between two of its values', async () => {
  const ledger = new GuildLedger(pages().options)
  const iterator = ledger.transactions.pages()
  await iterator.next()

  await ledger.close()

  expect(await iterator.next()).toEqual({ done: true, value: undefined })
})

it('rejects every use of a client after close(), which may be called twice', async () => {
  const service = pages()
  const ledger = new GuildLedger(service.options)
  await ledger.close()
  await ledger.close()
  const { transactions } = ledger

  expect(await failureOf(transactions.list())).toMatchObject(closed)
  expect(await failureOf(ledger.verify())).toMatchObject(closed)
  expect(await failureOf(ledger.get('/guild/discharges'))).toMatchObject(closed)
  expect(await failureOf(transactions.iterate().next())).toMatchObject(closed)
  expect(await failureOf(transactions.pages().next())).toMatchObject(closed)
  expect(await failureOf(transactions.watch().next())).toMatchObject(closed)
  expect(service.sent).toEqual([])
})

it('close() in a finally leaves the error of a call as it is, and rejects calls that still wait', async () => {
  const service = stubService(async (_, { url }) =>
    url.includes('page') ? never() : new Response('', { status: 403 }),
  )
  const ledger = new GuildLedger(service.options)
  const waiting = failureOf(ledger.transactions.list({ page: 2 }))
  const work = async () => {
    try {
      await ledger.transactions.list()
    } finally {
      await ledger.close()
    }
  }

  const [first, second] = await Promise.all([waiting, failureOf(work())])

  expect([first, second]).toMatchObject([closed, { code: 'forbidden' }])
})

it('await using closes a client', async () => {
  const outer = await (async () => {
    await using ledger = new GuildLedger(pages().options)
    await ledger.transactions.list()
    return ledger
  })()

  expect(await failureOf(outer.transactions.list())).toMatchObject(closed)
})

it('ends any number of iterators, and makes Node warn of none', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
  const { options } = stubService(() => Response.json(pageOf(1)))
  const ledger = new GuildLedger({ ...options, throttle: false })
  const watches = Array.from({ length: 12 }, () => ledger.transactions.watch())
  const ends = watches.map((watch) => watch.next())
  await vi.advanceTimersByTimeAsync(100)

  await ledger.close()

  expect(await Promise.all(ends)).toEqual(ends.map(() => ({ done: true, value: undefined })))
  expect(warn).not.toHaveBeenCalled()
  warn.mockRestore()
})
