import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LedgerEntry, UserGroup } from '../contract/index.ts'
import { ConnectionError } from '../errors/index.ts'
import type { Operation } from '../operations/index.ts'
import { entriesOf, transactionItems } from '../operations/transactions.ts'
import type { CallOptions, Context, ResponseInfo } from '../transport/index.ts'
import type { Drift } from './options.ts'
import type { PaginatedPage } from './page-result.ts'
import { iterate, pages } from './paginate.ts'
import type { PaginatedQuery } from './page-requests.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

interface Body extends PaginatedPage {
  readonly data: readonly UserGroup[]
}

/** A page of two transactions of `total`, with the numbers that follow from its own. */
const page = (n: number, total: number): Body => {
  const numbers = [2 * n - 1, 2 * n].filter((number) => number <= total)
  const transactions = numbers.map((number) => ({ transactionId: `t${number}`, amount: number }))
  const body = {
    data: numbers.length > 0 ? [{ platformId: 'ann', transactions }] : [],
    pagination: { page: n, limit: 2, total, totalPages: Math.ceil(total / 2) },
  }
  return body as unknown as Body
}

/** An operation that responds with pages after `ms`. */
const operationOf = (respond: (n: number, attempt: number) => Body, ms = 0, requestsPerSecond = 10) => {
  const sent: number[] = []
  const queries: PaginatedQuery[] = []
  const calls: CallOptions[] = []
  const retried: number[] = []
  const inFlight = { now: 0, most: 0 }
  const context: Context = {
    retry: { maxRetries: 2, maxRateLimitRetries: 10, baseDelayMs: 300, maxDelayMs: 20_000 },
    closed: new AbortController().signal,
    pace: () => requestsPerSecond,
    serviceAheadMs: () => 0,
    log: (_level, _event, _message, fields) => void retried.push(fields?.().waitMs ?? 0),
  }
  const operation: Operation<PaginatedQuery, Body, LedgerEntry> = {
    ...transactionItems,
    orderOf: () => (groups) => groups.flat(),
    context,
    path: '',
    endpoint: '',
    check: () => {},
    groupsOf: ({ data }) => entriesOf(data),
    async read(query, options) {
      const n = query.page ?? 0
      sent.push(n)
      queries.push(query)
      calls.push(options)
      inFlight.most = Math.max(inFlight.most, ++inFlight.now)
      if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
      inFlight.now--
      const attempt = sent.filter((one) => one === n).length
      const details = { method: 'GET', endpoint: '', url: '', attempts: 1, callId: `call ${n}` } as const
      return { value: respond(n, attempt), details: () => details, size: 0, response: {} as ResponseInfo }
    },
  }
  return { operation, sent, queries, calls, retried, inFlight }
}
const collect = async <T>(values: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = []
  for await (const value of values) found.push(value)
  return found
}

describe('a paginator', () => {
  it('requests at the priority of the caller', async () => {
    const { operation, calls } = operationOf((n) => page(n, 1))

    await collect(pages(operation, {}, { priority: 'interactive' }))

    expect(calls[0]).toMatchObject({ priority: 'interactive' })
  })

  it('reads query and options once, when it is made', async () => {
    const { operation, queries } = operationOf((n) => page(n, 1))
    const query: { limit: number } = { limit: 7 }
    const paginator = pages(operation, query)
    query.limit = 9

    await collect(paginator)

    expect(queries[0]).toMatchObject({ limit: 7 })
  })
})

it('reports nothing to a paginator of pages where there is more than before', async () => {
  const drifts: Drift[] = []
  const { operation } = operationOf((n) => page(n, n === 1 ? 6 : 7))

  await collect(pages(operation, {}, { concurrency: 1, onDrift: (drift) => void drifts.push(drift) }))

  expect(drifts).toEqual([])
})

describe('iterate', () => {
  it.each([
    [10, 20],
    [4, 8],
    [0.5, 2],
    [100, 32],
  ])('keeps twice as many pages in flight as a throttle of %s a second lets pass, at most 32', async (rate, most) => {
    const { operation, inFlight } = operationOf((n) => page(n, 999), 1000, rate)
    const done = collect(iterate(operation, {}))
    await vi.advanceTimersByTimeAsync(600_000)

    expect(await done).toHaveLength(999)
    expect(inFlight.most).toBe(most)
  })
})

describe('an empty result', () => {
  it("is no error with onEmpty 'throw' where it is a later page, or where there is something", async () => {
    const { operation } = operationOf((n) => page(n, 4))

    const gap = operationOf((n) => (n === 2 ? { ...page(2, 6), data: [] } : page(n, 6))).operation

    expect(await collect(iterate(operation, {}, { onEmpty: 'throw', concurrency: 1 }))).toHaveLength(4)
    expect(await collect(iterate(gap, {}, { onEmpty: 'throw', concurrency: 1 }))).toHaveLength(4)
  })
})

describe('a page that fails', () => {
  /** The second page fails at these attempts. */
  const flaky = (failsAt: readonly number[], ms = 0, error: () => Error = () => new ConnectionError('x')) =>
    operationOf((n, attempt) => {
      if (n === 2 && failsAt.includes(attempt)) throw error()
      return page(n, 5)
    }, ms)

  it('is requested again at once where it was requested before its turn, as its failure may be old', async () => {
    const { operation, retried } = flaky([1], 10)
    const paginator = pages(operation, {}, { concurrency: 2 })
    const first = paginator.next()
    await vi.advanceTimersByTimeAsync(60_000)
    await first

    const second = paginator.next()
    await vi.advanceTimersByTimeAsync(10)

    expect((await second).value).toMatchObject({ pagination: { page: 2 } })
    expect(retried).toEqual([])
    await paginator.return?.()
  })
})
