import { createThrottle, GuildLedger, type CallOptions, type LogFields } from '@guild-ledger/sdk'
import { entryId, failureOf, stubService, transaction } from '@guild-ledger/test-kit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Claims = Partial<Record<'page' | 'total' | 'totalPages' | 'limit', number>>

/** A page with transactions of these numbers, and what it says about itself. */
const page = (n: number, numbers: readonly number[], claims: Claims = {}) => ({
  success: true,
  data: numbers.map((id) => ({ platformId: 'ann', transactions: [{ ...transaction, transactionId: entryId(id) }] })),
  pagination: { page: n, limit: 2, total: 6, totalPages: 3, ...claims },
  summary: { totalTransactions: claims.total ?? 6, totalValue: 1, uniqueUsers: 1 },
})
const two = (n: number) => [2 * n - 1, 2 * n]

interface Row {
  readonly code: string
  readonly respond: (n: number) => unknown
  readonly at: number
  readonly options?: CallOptions & { readonly onEmpty?: 'throw' }
}

const never = { total: 1e9, totalPages: 1e9 }
const stalled = 'pagination_stalled'
const unchecked = { validation: 'off' } as const
const rows: Record<string, Row> = {
  'another page than the requested one': {
    code: stalled,
    respond: (n) => page(n, two(n), { page: Math.min(n, 2) }),
    at: 3,
  },
  'pages that never end': {
    code: stalled,
    respond: (n) => page(n, two(n), { total: 2 * n + 2, totalPages: n + 1 }),
    at: 1021,
  },
  'pages that repeat': { code: stalled, respond: (n) => page(n, [1, 2], never), at: 21 },
  'an empty page': {
    code: 'no_results',
    respond: (n) => page(n, [], { total: 0, totalPages: 0 }),
    at: 1,
    options: { onEmpty: 'throw' },
  },
  'more results than fit on a page': { code: 'invalid_response', respond: (n) => page(n, two(n), { limit: 1 }), at: 1 },
  'a body without pages': { code: 'invalid_response', respond: () => ({ data: [] }), at: 1, options: unchecked },
  'a body that is no object': { code: 'invalid_response', respond: () => null, at: 1, options: unchecked },
}

const bodyFor = (respond: Row['respond'], url: string) =>
  Response.json(respond(Number(new URL(url).searchParams.get('page') ?? 1)))

it.each(Object.entries(rows))('has the details of the request on the error for %s', async (_, row) => {
  const callIds: string[] = []
  const service = stubService((_count, { url }) => bodyFor(row.respond, url))
  const log = (_line: string, fields?: LogFields) => void callIds.push(fields?.callId ?? '')
  const logger = { debug: log, info: log, warn: log, error: log }
  const ledger = new GuildLedger({ ...service.options, logger, logLevel: 'debug' })
  const query = { platformId: 'ann', limit: 2 }

  const paginator = ledger.transactions.pages(query, { concurrency: 1, ...row.options })
  const failure = (await failureOf(Array.fromAsync<unknown>(paginator))) as Error & { callId: string }

  const details = {
    name: row.code === 'invalid_response' ? 'ResponseValidationError' : 'PaginationError',
    code: row.code,
    method: 'GET',
    endpoint: '/guild/ledger/transactions',
    url: `https://ledger.example/guild/ledger/transactions?platformId=[redacted]&limit=2&page=${row.at}`,
    attempts: 1,
    page: row.at,
    retryable: false,
    callId: expect.any(String),
  }
  expect(failure).toMatchObject(details)
  expect(JSON.parse(JSON.stringify(failure))).toMatchObject({ ...details, message: failure.message })
  // One line for each request, in their order.
  expect(service.sent[callIds.indexOf(failure.callId)]?.url).toContain(`&page=${row.at}`)
})

it('has the details of the request on the error of a watch that cannot read its first page', async () => {
  const service = stubService(() => Response.json({ data: [] }))
  const ledger = new GuildLedger({ ...service.options, validation: 'off' })

  const failure = failureOf(ledger.user('8412').transactions.watch().next())
  await vi.advanceTimersByTimeAsync(2 * 60 * 60_000) // a watch is patient for an hour

  expect(await failure).toMatchObject({
    code: 'invalid_response',
    method: 'GET',
    endpoint: '/guild/ledger/transactions',
    url: expect.stringContaining('https://ledger.example/guild/ledger/transactions?platformId=[redacted]&'),
    attempts: 1,
    retryable: false,
    callId: expect.any(String),
  })
})

it('has no request on the error for a second iteration', async () => {
  const service = stubService(() => Response.json(page(1, [], { total: 0, totalPages: 0 })))
  const paginator = new GuildLedger(service.options).transactions.iterate({ limit: 2 })
  await Array.fromAsync(paginator)

  const failure = await failureOf(Array.fromAsync(paginator))

  expect(JSON.parse(JSON.stringify(failure))).toEqual({
    name: 'PaginationError',
    code: 'paginator_consumed',
    message: expect.any(String),
    retryable: false,
    actor: 'author',
  })
})

it('retries only the page whose turn it is during a minute of 502 responses', async () => {
  vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
  const isAway = () => performance.now() >= 10_000 && performance.now() < 70_000
  const service = stubService(async (_, { url }) => {
    await new Promise((resolve) => setTimeout(resolve, 50))
    const n = Number(new URL(url).searchParams.get('page'))
    if (isAway()) return new Response('', { status: 502 })
    const summary = { totalTransactions: 4000, totalValue: 1, uniqueUsers: 500 }
    return Response.json({ ...page(n, two(n), { total: 4000, totalPages: 2000 }), summary })
  })
  const { transactions } = new GuildLedger({ ...service.options, throttle: createThrottle(), retry: {} })
  let pages = 0
  const run = async () => {
    for await (const _ of transactions.pages({ limit: 2 })) pages++
  }
  const ended = vi.fn()
  void run().then(ended, ended)

  await vi.advanceTimersByTimeAsync(10_000)
  const [sentBefore, pagesBefore] = [service.sent.length, pages]
  await vi.advanceTimersByTimeAsync(60_000)
  const sentMeanwhile = service.sent.length - sentBefore
  await vi.advanceTimersByTimeAsync(40_000)

  expect(sentMeanwhile).toBeLessThan(70)
  expect(pages).toBeGreaterThan(pagesBefore + 50)
  expect(ended).not.toHaveBeenCalled()
})
