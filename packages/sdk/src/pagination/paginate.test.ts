import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { UserGroup } from '../contract/index.ts'
import { ConnectionError, InvalidParameterError } from '../errors/index.ts'
import type { CallOptions } from '../transport/index.ts'
import { withResponse } from '../transport/trace.ts'
import type { Drift, IterateOptions } from './options.ts'
import type { Pageable, PaginatedPage } from './page-result.ts'
import { batches, iterate, pages } from './paginate.ts'
import type { PaginatedQuery, SessionOptions } from './session.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

interface Body extends PaginatedPage {
  readonly data: readonly UserGroup[]
}

/** A page of two transactions of `total`, with the numbers that follow from its own. */
const page = (n: number, total: number, { queuedMs = 0 } = {}): Body => {
  const numbers = [2 * n - 1, 2 * n].filter((number) => number <= total)
  const transactions = numbers.map((number) => ({ transactionId: `t${number}`, amount: number }))
  const body = {
    data: numbers.length > 0 ? [{ platformId: 'ann', transactions }] : [],
    pagination: { page: n, limit: 2, total, totalPages: Math.ceil(total / 2) },
  }
  const info = { status: 200, headers: new Headers(), attempts: 1, queuedMs, callId: `call ${n}` }
  return withResponse(body as unknown as Body, info)
}

/** An operation that responds with pages after `ms`. */
const operationOf = (respond: (n: number, attempt: number) => Body, ms = 0) => {
  const sent: number[] = []
  const queries: PaginatedQuery[] = []
  const calls: CallOptions[] = []
  const retried: number[] = []
  const inFlight = { now: 0, most: 0 }
  const operation: Pageable<PaginatedQuery, Body> = {
    check({ limit = 1 }) {
      if (limit < 1) throw new InvalidParameterError([])
    },
    groups: ({ data }) => data,
    logRetry: (_error, { retryInMs }) => void retried.push(retryInMs),
    async read(query, options, use) {
      const n = query.page ?? 0
      sent.push(n)
      queries.push(query)
      calls.push(options)
      inFlight.most = Math.max(inFlight.most, ++inFlight.now)
      if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
      inFlight.now--
      const attempt = sent.filter((one) => one === n).length
      return use(respond(n, attempt), () => ({
        method: 'GET',
        endpoint: '',
        url: '',
        attempts: 1,
        callId: `call ${n}`,
      }))
    },
  }
  return { operation, sent, queries, calls, retried, inFlight }
}
const collect = async <T>(values: AsyncIterable<T>, count = Infinity): Promise<T[]> => {
  const found: T[] = []
  for await (const value of values) {
    found.push(value)
    if (found.length === count) break
  }
  return found
}
const amountsOf = (values: readonly { readonly amount: number }[]) => values.map(({ amount }) => amount)

describe('a paginator', () => {
  it('requests 100 results a page from the first on, with the query, at low priority', async () => {
    const { operation, queries, calls } = operationOf((n) => page(n, 3))

    expect(
      amountsOf(await collect(iterate(operation, { sortBy: 'amount' }, { timeoutMs: 5, concurrency: 2 }))),
    ).toEqual([1, 2, 3])

    expect(queries).toEqual([
      { sortBy: 'amount', page: 1, limit: 100 },
      { sortBy: 'amount', page: 2, limit: 100 },
    ])
    expect(calls[0]).toEqual({ priority: 'background', timeoutMs: 5, signal: expect.any(AbortSignal) })
  })

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
    expect(() => pages(operation, { limit: 0 })).toThrow(InvalidParameterError)
    expect(() => iterate(operation, {}, { maxItems: 0 })).toThrow('`maxItems` must be')
    expect(() => pages(operation, {}, { maxItems: 1 } as IterateOptions)).toThrow('Unknown option `maxItems`')
  })
})

describe('pages', () => {
  it('leave out an empty one in the middle', async () => {
    const { operation } = operationOf((n) => (n === 2 ? { ...page(2, 6), data: [] } : page(n, 6)))

    const found = await collect(pages(operation, {}, { concurrency: 1 }))

    expect(found.map(({ pagination }) => pagination.page)).toEqual([1, 3])
  })

  it('are requested before their turn from the first on, as many as the concurrency allows', async () => {
    const { operation, sent, inFlight } = operationOf((n) => page(n, 99), 10)
    const paginator = pages(operation, {}, { concurrency: 3 })

    const first = paginator.next()
    await vi.advanceTimersByTimeAsync(10)
    await first
    await vi.advanceTimersByTimeAsync(100)

    // Six wait for their turn, of which the first was taken.
    expect([sent, inFlight.most]).toEqual([[1, 2, 3, 4, 5, 6], 3])
    await paginator.return?.()
  })
})

it('reports nothing to a paginator of pages where there is more than before', async () => {
  const drifts: Drift[] = []
  const { operation } = operationOf((n) => page(n, n === 1 ? 6 : 7))

  await collect(pages(operation, {}, { concurrency: 1, onDrift: (drift) => void drifts.push(drift) }))

  expect(drifts).toEqual([])
})

it('reads pages to the end where something vanishes and nobody wants to know', async () => {
  const { operation } = operationOf((n) => page(n, n === 1 ? 6 : 4))

  expect(await collect(pages(operation, {}, { concurrency: 1 }))).toHaveLength(2)
})

describe('iterate', () => {
  it('requests the pages that it needs, and no more, before their turn', async () => {
    const { operation, sent } = operationOf((n) => page(n, 99), 10)
    const paginator = iterate(operation, { limit: 2, page: 5 }, { maxItems: 5 })
    const first = paginator.next()
    await vi.advanceTimersByTimeAsync(10)
    await first

    const second = paginator.next()

    expect((await second).value).toMatchObject({ amount: 10 })
    expect(sent).toEqual([5, 6, 7])
    await paginator.return?.()
  })

  it('requests as many pages as a throttle of ten a second can use at the round trip, at most 32', async () => {
    const most = async (ms: number, queuedMs = 0) => {
      const { operation, inFlight } = operationOf((n) => page(n, 999, { queuedMs }), ms)
      const done = collect(iterate(operation, {}))
      await vi.advanceTimersByTimeAsync(ms * 600)
      expect(await done).toHaveLength(999)
      return inFlight.most
    }

    expect(await most(100)).toBe(11)
    expect(await most(1000)).toBe(20)
    expect(await most(1000, 400)).toBe(16)
    expect(await most(5000)).toBe(32)
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

  it('is requested again after a second, then after twice as long, and each retry is reported', async () => {
    const { operation, retried, sent } = flaky([1, 2])
    const { signal } = new AbortController()

    const done = collect(batches(operation, {}, {}, signal, { prefetching: 'never' }), 2)
    await vi.advanceTimersByTimeAsync(2999)
    expect([retried, sent]).toEqual([
      [1000, 2000],
      [1, 2, 2],
    ])
    await vi.advanceTimersByTimeAsync(1)

    expect((await done).map(({ entries }) => amountsOf(entries))).toEqual([
      [1, 2],
      [3, 4],
    ])
    expect(sent).toEqual([1, 2, 2, 2])
  })

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

  it('ends the pagination with its number if the failure is final or no retries are wanted', async () => {
    const bug = new TypeError('bug')

    await expect(collect(pages(flaky([1], 0, () => bug).operation, {}))).rejects.toBe(bug)
    const { operation, retried } = flaky([1])
    await expect(collect(pages(operation, {}, { retryForMs: 0 }))).rejects.toMatchObject({ page: 2 })
    expect(retried).toEqual([])
  })
})

describe('batches', () => {
  const signal = new AbortController().signal
  const batchesOf = (operation: Pageable<PaginatedQuery, Body>, session: SessionOptions) =>
    batches(operation, {}, { concurrency: 2 }, signal, session)

  it.each([
    ['immediate', [1, 2, 3]],
    ['on-demand', [1]],
    ['never', [1]],
  ] as const)(
    'with prefetching %s are requested before their turn: %j after the first',
    async (prefetching, expected) => {
      const { operation, sent } = operationOf((n) => page(n, 99), 10)
      const found = batchesOf(operation, { prefetching })

      const first = found.next()
      await vi.advanceTimersByTimeAsync(15)
      await first

      expect(sent).toEqual(expected)
      await found.return()
    },
  )

  it('with prefetching on-demand are requested before their turn from the second one on', async () => {
    const { operation, sent } = operationOf((n) => page(n, 99), 10)
    const found = batchesOf(operation, { prefetching: 'on-demand' })
    const first = found.next()
    await vi.advanceTimersByTimeAsync(10)
    await first

    const second = found.next()
    await vi.advanceTimersByTimeAsync(0)

    expect(sent).toEqual([1, 2, 3])
    await vi.advanceTimersByTimeAsync(10)
    await second
    await found.return()
  })

  it('are requested one by one with prefetching never, also after the first', async () => {
    const { operation, inFlight } = operationOf((n) => page(n, 9), 10)

    const done = collect(batchesOf(operation, { prefetching: 'never' }))
    await vi.advanceTimersByTimeAsync(200)

    expect((await done).flatMap(({ entries }) => amountsOf(entries))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(inFlight.most).toBe(1)
  })
})
