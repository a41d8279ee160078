import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LedgerEntry, Summary, UserGroup } from '../contract/index.ts'
import { ApiError, ConnectionError } from '../errors/index.ts'
import type { Batch, PaginatedPage, PageRetry } from '../pagination/index.ts'
import { withResponse } from '../transport/response-info.ts'
import { createCursor } from './cursor.ts'
import { createSource, type Watchable } from './poll.ts'

const start = Date.UTC(2026, 0, 31, 10)
beforeEach(() => void vi.useFakeTimers({ now: start }))
afterEach(() => void vi.useRealTimers())

const transaction = (n: number, ms: number) => ({
  transactionId: `t${n}`,
  amount: n,
  createdAt: new Date(start + ms).toISOString(),
})
type Transaction = ReturnType<typeof transaction>

interface Body extends PaginatedPage {
  readonly data: readonly UserGroup[]
}

interface Totals {
  readonly page?: number
  readonly user?: string
  readonly limit?: number
  readonly total?: number
  readonly summary?: Summary
  /** The service's own time. */
  readonly date?: string
}

/** A page of transactions of one user. */
const page = (transactions: readonly Transaction[], totals: Totals = {}): Body => {
  const { page: n = 1, user = 'ann', limit = 100, total = transactions.length, summary, date } = totals
  const body = {
    data: [{ platformId: user, transactions }],
    pagination: { page: n, limit, total, totalPages: Math.ceil(total / limit) },
    ...(summary && { summary }),
  } as unknown as Body
  const info = { status: 200, attempts: 1, queuedMs: 0, callId: 'c' }
  return date === undefined ? body : withResponse(body, { ...info, headers: new Headers({ date }) }, 0)
}

type Query = Readonly<Record<string, unknown>>
const retry: PageRetry = { isTransient: () => false, baseDelayMs: 1, maxDelayMs: 1, forMs: 1 }

/** A source over an operation that responds with what `respond` returns, after `ms`. */
const sourceOf = (
  respond: (query: Query) => Body,
  { takesDates = true, ms = 0, ...call }: { takesDates?: boolean; ms?: number; priority?: 'interactive' } = {},
) => {
  const queries: Query[] = []
  const log = vi.fn<Watchable<Query, Body>['log']>()
  const calls: object[] = []
  const operation: Watchable<Query, Body> = {
    takesDates,
    log,
    check() {},
    groups: ({ data }) => data,
    emptyCode: 'no_guild_transactions',
    async read(query, options, use) {
      queries.push(query)
      calls.push(options)
      if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
      return use(respond(query), () => ({ method: 'GET', endpoint: '', url: '', attempts: 1, callId: 'c' }))
    },
  }
  const { signal } = new AbortController()
  const source = createSource(operation, { from: 'shop' }, call, retry)
  const cursor = createCursor({ from: start - 60_000, seen: [], until: Infinity }, 60_000)
  return {
    queries,
    log,
    calls,
    cursor,
    signal,
    newest: () => source.newest(signal),
    async batches(from = cursor) {
      const found: Batch[] = []
      for await (const batch of source.poll(from, signal, false)) found.push(batch)
      return found
    },
    poll: source.poll,
    pages: () => queries.map((query) => query['page']),
  }
}
const amountsOf = (batches: readonly { entries: readonly LedgerEntry[] }[]) =>
  batches.map(({ entries }) => entries.map(({ amount }) => amount))

describe('the newest transaction', () => {
  it('is requested with the filters, newest first, as many as fit on a page, at low priority', async () => {
    const { newest, queries, calls, signal } = sourceOf(() => page([transaction(1, -5), transaction(2, -9)]))

    expect(await newest()).toBe(start - 5)
    expect(queries).toEqual([{ from: 'shop', sortBy: 'createdAt', sortOrder: 'desc', limit: 100 }])
    expect(calls).toEqual([{ priority: 'background', signal }])
  })

  it('is requested at the priority that the caller chose', async () => {
    const { newest, calls } = sourceOf(() => page([transaction(1, -5)]), { priority: 'interactive' })

    await newest()

    expect(calls).toEqual([expect.objectContaining({ priority: 'interactive' })])
  })

  it.each([
    ['the own time of the service', 'Sat, 31 Jan 2026 09:59:58 GMT', -2000],
    ['the local time, where the service does not say its own', undefined, 0],
    ['the local time, where that of the service cannot be read', 'noon', 0],
  ])('is no later than %s', async (_, date, expected) => {
    const { newest } = sourceOf(() => page([transaction(1, 3_600_000)], date === undefined ? {} : { date }))

    expect(await newest()).toBe(start + expected)
  })

  it('is the newest whose date can be read', async () => {
    const odd = { ...transaction(1, -1), createdAt: 'yesterday' }
    const { newest } = sourceOf(() => page([odd, transaction(2, -7)]))

    expect(await newest()).toBe(start - 7)
  })

  it('does not exist on an empty page', async () => {
    expect(await sourceOf(() => page([])).newest()).toBeUndefined()
  })

  it('does not exist where the service says that there are no transactions; other errors are thrown', async () => {
    const error = (code: ApiError['code']) =>
      new ApiError('x', {
        code,
        status: 404,
        reason: undefined,
        headers: new Headers(),
        body: '',
        retryAfterMs: undefined,
      })
    const failing = (failure: Error) =>
      sourceOf(() => {
        throw failure
      })
    const broken = new ConnectionError('x')

    expect(await failing(error('no_guild_transactions')).newest()).toBeUndefined()
    await expect(failing(error('http_error')).newest()).rejects.toMatchObject({ code: 'http_error' })
    await expect(failing(broken).newest()).rejects.toBe(broken)
  })
})

describe('a poll of an operation that takes dates', () => {
  it('reads from a millisecond before the cursor, oldest first', async () => {
    const { batches, queries } = sourceOf(() => page([transaction(2, 2), transaction(1, 1)]))

    expect(amountsOf(await batches())).toEqual([[1, 2], []])
    const startDate = new Date('2026-01-31T09:58:59.999Z')
    expect(queries).toEqual([{ from: 'shop', sortBy: 'createdAt', sortOrder: 'asc', startDate, page: 1, limit: 100 }])
  })

  it('reads from the beginning where the cursor has no position', async () => {
    const { batches, queries } = sourceOf(() => page([transaction(1, 1)]))

    await batches(createCursor({ from: null, seen: [], until: Infinity }, 0))

    expect(queries).toEqual([expect.objectContaining({ startDate: undefined, sortOrder: 'asc' })])
  })

  it.each([
    [false, [1]],
    [true, [1, 2, 3]],
  ])('requests pages before their turn only if it is eager: %s', async (eager, requested) => {
    const all = { limit: 2, total: 6 }
    const { poll, cursor, signal, pages } = sourceOf(({ page: n }) =>
      page([transaction(Number(n) * 2, Number(n)), transaction(Number(n) * 2 + 1, Number(n))], {
        ...all,
        page: Number(n),
      }),
    )

    const batches = poll(cursor, signal, eager)
    await batches.next()
    await vi.advanceTimersByTimeAsync(1)

    expect(pages()).toEqual(requested)
    await batches.return()
  })

  it.each([
    ['the own time of the service', 'Sat, 31 Jan 2026 09:00:00 GMT', -3_600_000 - 250],
    ['the local time where the service does not say its own', undefined, 7000],
  ])('counts nothing as read that is later than its request: %s', async (_, date, expected) => {
    const { batches, cursor } = sourceOf(() => page([transaction(1, 1)], date === undefined ? {} : { date }), {
      ms: 250,
    })
    const startPoll = vi.spyOn(cursor, 'startPoll')

    await vi.advanceTimersByTimeAsync(7000)
    const done = batches()
    await vi.advanceTimersByTimeAsync(250)
    await done

    expect(startPoll.mock.calls).toEqual([[start + expected]])
  })
})

describe('a poll of an operation that takes no dates', () => {
  const options = { takesDates: false }

  it('reads back from the newest until something is older than the cursor, and returns all in order', async () => {
    const body = (n: number) =>
      page([transaction(9 - 2 * n, -n * 25_000), transaction(8 - 2 * n, -n * 25_000 - 12_000)], {
        page: n,
        limit: 2,
        total: 20,
      })
    const { batches, queries, pages } = sourceOf(({ page: n }) => body(Number(n)), options)

    const found = await batches()

    // The cursor is at -60 s: page 2 ends at -62 s, which is behind it by more than a second.
    expect(found).toEqual([{ entries: expect.any(Array), inOrder: false, page: undefined }])
    expect(amountsOf(found)).toEqual([[4, 5, 6, 7]])
    expect(pages()).toEqual([1, 2])
    expect(queries[0]).toEqual({ from: 'shop', sortBy: 'createdAt', sortOrder: 'desc', page: 1, limit: 100 })
  })
})

describe('a poll that finds what the last one found', () => {
  /** Three transactions on two pages. */
  const three = (n: unknown, totals: Totals = {}) => {
    const k = Number(n)
    const transactions = [[1, 2], [3]][Math.floor(k) - 1]?.map((i) => transaction(i * k, i)) ?? []
    return page(transactions, { limit: 2, total: 3, page: k, ...totals })
  }
  /** Two users on two pages, with two transactions each. */
  const users = (n: unknown, totals: Totals = {}) => {
    const k = Number(n)
    const transactions = k > 2 ? [] : [transaction(2 * k, 2 * k), transaction(2 * k + 1, 2 * k + 1)]
    return page(transactions, { user: `user ${k}`, limit: 1, total: 2, page: k, ...totals })
  }
  /** How many pages each of some polls requests. */
  const requestsOf = async (
    { batches, queries }: ReturnType<typeof sourceOf>,
    polls: number,
    between: (poll: number) => void = () => {},
  ) => {
    const counts: number[] = []
    for (let i = 1; i <= polls; i++) {
      const before = queries.length
      await batches()
      counts.push(queries.length - before)
      between(i)
    }
    return counts
  }

  it('ends with its first page, eleven times in a row', async () => {
    const brief = Array.from({ length: 11 }, () => 1)

    expect(
      await requestsOf(
        sourceOf(({ page: n }) => three(n)),
        26,
      ),
    ).toEqual([2, ...brief, 2, ...brief, 2, 1])
  })

  it('reads all pages where the total has changed', async () => {
    let total = 3
    const source = sourceOf(({ page: n }) => three(n, { total }))

    expect(await requestsOf(source, 4, (i) => void (total = i === 2 ? 4 : total))).toEqual([2, 1, 2, 1])
  })

  it('reads all pages where the first one has other transactions', async () => {
    let shift = 0
    const source = sourceOf(({ page: n }) => three(n === 1 ? 1 + shift : n, { page: Number(n) }))

    expect(await requestsOf(source, 4, (i) => void (shift = i === 2 ? 0.25 : shift))).toEqual([2, 1, 2, 1])
  })

  it('reads all pages where the cursor has moved', async () => {
    const source = sourceOf(({ page: n }) => three(n))
    const move = (i: number) => {
      if (i !== 2) return
      source.cursor.startPoll(start + 10_000)
      source.cursor.add({ platformId: 'ann', ...transaction(9, 5000) } as LedgerEntry)
      source.cursor.endPoll()
    }

    expect(await requestsOf(source, 4, move)).toEqual([2, 1, 2, 1])
  })

  it('reads all pages after a poll that was left before its last page', async () => {
    const source = sourceOf(({ page: n }) => three(n))
    const batches = source.poll(source.cursor, source.signal, false)
    await batches.next()
    await batches.return()
    source.queries.length = 0

    expect(await requestsOf(source, 2)).toEqual([2, 1])
  })

  it('reads all pages where pages count users, unless a summary shows that nothing has changed', async () => {
    expect(
      await requestsOf(
        sourceOf(({ page: n }) => users(n)),
        3,
      ),
    ).not.toContain(1)
    const summary = { totalTransactions: 4, totalValue: 1, uniqueUsers: 2 }
    const summed = sourceOf(({ page: n }) => users(n, { summary }))
    expect(await requestsOf(summed, 3)).toEqual([2, 1, 1])
  })
})

describe('a transaction that is dated ahead', () => {
  const warning =
    "A transaction is dated 2026-01-31T10:01:00.001Z, later than the service's own time. Until then, every poll requests it."

  it.each([
    ['by a minute', 60_000, []],
    ['by more than a minute', 60_001, [['warn', warning]]],
  ])('%s is reported once: %i ms', async (_, ms, expected) => {
    const { batches, log } = sourceOf(() => page([transaction(1, ms), transaction(2, 0)]))

    await batches()
    await batches()

    expect(log.mock.calls).toEqual(expected)
  })

  it('is reported where another date cannot be read', async () => {
    const odd = { ...transaction(1, 0), createdAt: 'tomorrow' }
    const { batches, log } = sourceOf(({ page: n }) =>
      page(n === 1 ? [odd, odd] : [transaction(2, 60_001), transaction(3, 1)], { page: Number(n), limit: 2, total: 4 }),
    )

    await batches()

    expect(log.mock.calls).toEqual([['warn', warning]])
  })
})
