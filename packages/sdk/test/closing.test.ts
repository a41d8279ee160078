import {
  ConfigurationError,
  createThrottle,
  GuildLedger,
  type GuildLedgerOptions,
  type Paginator,
} from '@guild-ledger/sdk'
import { entryId, failureOf, guildResponse, stubService, transaction } from '@guild-ledger/test-kit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { clientSettings } from '../src/options/index.ts'
import { createTransport } from '../src/transport/index.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const closed = {
  name: 'ConfigurationError',
  code: 'client_closed',
  actor: 'author',
  retryable: false,
  message: 'The client was closed: await calls before close(), or make a new one.',
}
const never = () => new Promise<never>(() => {})
const pageOf = (page: number) => ({
  ...guildResponse,
  data: [{ platformId: '8412', transactions: [{ ...transaction, transactionId: entryId(page) }] }],
  pagination: { page, limit: 1, total: 200, totalPages: 200 },
})
/** Responds to a request for a page of the guild or of a user. */
const respondTo = (url: string): Response => {
  const number = Number(new URL(url).searchParams.get('page') ?? 1)
  const page = pageOf(number)
  if (number > 200) return Response.json({ ...page, data: [] })
  return Response.json(url.includes('/8412/') ? { ...page, data: page.data[0] } : page)
}
const pages = () => stubService((_, { url }) => respondTo(url))

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

/** What a client can iterate over. */
const runs: Record<string, (ledger: GuildLedger) => Paginator<unknown>> = {
  'pages()': ({ transactions }) => transactions.pages(),
  'iterate()': ({ transactions }) => transactions.iterate(),
  'iterate() of one user': (ledger) => ledger.user('8412').transactions.iterate(),
  'watch() with follow: false': ({ transactions }) => transactions.watch({}, { since: new Date(0), follow: false }),
  'watch()': ({ transactions }) => transactions.watch(),
}
const withAnEnd = Object.keys(runs).filter((name) => name !== 'watch()')
const start = (name: string, respond?: (count: number) => Response | Promise<Response>) => {
  const service = respond ? stubService(respond) : pages()
  // The throttle of other tests has the time of their fake clocks.
  const ledger = new GuildLedger({ ...service.options, retry: {}, throttle: createThrottle() })
  return { service, ledger, make: () => runs[name]?.(ledger) as Paginator<unknown> }
}
/** Iterates in the background; resolves with what it rejects with, or with 'done'. */
const outcomeOf = async (paginator: Paginator<unknown>, onValue = async () => {}): Promise<unknown> => {
  try {
    for await (const _ of paginator) await onValue()
    return 'done'
  } catch (error) {
    return error
  }
}

it.each([...withAnEnd.map((name) => [name, closed] as const), ['watch()', 'done'] as const])(
  'close() ends %s, wherever it stands: only a watch that follows is done quietly',
  async (name, outcome) => {
    const { service, ledger, make } = start(name)
    const iterator = make()
    const unstarted = make()
    const loop = outcomeOf(iterator)
    await vi.advanceTimersByTimeAsync(3000)

    await ledger.close()
    await vi.advanceTimersByTimeAsync(0)

    const outcomes = [await loop, await outcomeOf(unstarted)]
    expect(outcomes).toMatchObject([outcome, outcome])
    expect(outcomes.filter((one) => one instanceof Error && 'page' in one)).toEqual([])
    expect([iterator.ended, unstarted.ended]).toEqual([undefined, undefined])
    expect(await iterator.next()).toEqual({ done: true, value: undefined })
    const sent = service.sent.length
    await vi.advanceTimersByTimeAsync(60_000)
    expect(service.sent).toHaveLength(sent)
    expect(vi.getTimerCount()).toBe(0)
  },
)

it.each(withAnEnd)('close() between two values of %s makes the next one reject', async (name) => {
  const { ledger, make } = start(name)
  const iterator = make()
  const first = iterator.next()
  await vi.advanceTimersByTimeAsync(120_000)
  expect((await first).done).toBe(false)

  await ledger.close()

  expect(await failureOf(iterator.next())).toMatchObject(closed)
  expect(await iterator.next()).toEqual({ done: true, value: undefined })
})

it.each(withAnEnd)('close() rejects %s that waits to request a page again', async (name) => {
  const { ledger, make } = start(name, () => new Response('', { status: 503 }))
  const loop = outcomeOf(make())
  await vi.advanceTimersByTimeAsync(20_000)

  await ledger.close()

  expect(await loop).toMatchObject(closed)
})

it('close() in a loop that is left then is no error', async () => {
  const { ledger, make } = start('iterate()')
  const loop = (async () => {
    for await (const _ of make()) {
      await ledger.close()
      break
    }
    return 'left'
  })()
  await vi.advanceTimersByTimeAsync(3000)

  expect(await loop).toBe('left')
})

it('has `ended` of a watch with follow: false that has caught up, and of no other', async () => {
  const { make } = start('watch() with follow: false', () => Response.json(guildResponse))
  const caughtUp = make()
  const left = make()
  const loop = outcomeOf(caughtUp)
  await vi.advanceTimersByTimeAsync(3000)
  await left.return()

  expect(await loop).toBe('done')
  expect([caughtUp.ended, left.ended]).toEqual(['complete', undefined])
})

it('rejects every use of a client after close(), which may be called twice', async () => {
  const service = pages()
  const ledger = new GuildLedger(service.options)
  await ledger.close()
  await ledger.close()
  const { transactions } = ledger

  const calls = [transactions.list(), ledger.verify(), ledger.get('/guild/discharges')]
  const runsOf = [transactions.iterate(), transactions.pages(), transactions.watch()].map((run) => run.next())
  const failures = await Promise.all([...calls, ...runsOf].map(failureOf))
  expect(failures).toMatchObject(failures.map(() => closed))
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

it('close() calls what listens for it, and nothing that has stopped listening', () => {
  const { close, context } = createTransport(clientSettings(pages().options))
  const [left, removed] = [vi.fn<() => void>(), vi.fn<() => void>()]
  for (const listener of [left, removed]) context.closed.addEventListener('abort', listener)
  context.closed.removeEventListener('abort', removed)

  close()

  expect([left.mock.calls.length, removed.mock.calls.length]).toEqual([1, 0])
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
