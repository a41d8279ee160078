import { GuildLedger, type GuildLedgerOptions, type IterateOptions, type PaginationOptions } from '@guild-ledger/sdk'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createService, entryOf } from './ledger-service.ts'
import { stubThrottle } from './throttle-stub.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const clientOf = (options: GuildLedgerOptions = {}, count = 6) => {
  const { fetch, pages } = createService(Array.from({ length: count }, (_, n) => entryOf(n)))
  const ledger = new GuildLedger({
    apiKey: 'k3y-of-the-guild',
    baseUrl: 'https://ledger.example',
    throttle: false,
    logLevel: 'off',
    fetch,
    ...options,
  })
  return { ledger, fetch, pages }
}

describe('options of a paginator', () => {
  it.each([0, -1, 1.5, NaN])('rejects maxItems: %d before any request', (maxItems) => {
    const { ledger, pages } = clientOf()
    const message = `\`maxItems\` must be an integer ≥ 1, got ${maxItems}`
    const call = () => ledger.transactions.iterate({}, { maxItems })
    expect(call).toThrow(expect.objectContaining({ code: 'configuration', message }))
    expect(pages).toEqual([])
  })

  it('says how it ended, with as many transactions as maxItems or fewer', async () => {
    const paginators = [6, 7].map((maxItems) => clientOf().ledger.transactions.iterate({}, { maxItems }))
    for (const each of paginators) expect(await Array.fromAsync(each)).toHaveLength(6)
    const pages = clientOf().ledger.transactions.pages()
    await Array.fromAsync(pages)
    expect([...paginators, pages].map(({ ended }) => ended)).toEqual(['max-items', 'complete', 'complete'])
  })

  it('waits for slots whatever `maxQueue` says, which counts interactive calls', async () => {
    const { ledger } = clientOf({ throttle: { requestsPerSecond: 1, maxQueue: 0 } })
    const all = Array.fromAsync(ledger.transactions.iterate({ limit: 1 }, { retryForMs: 0 }))
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await all).toHaveLength(6)
  })

  it('requests at the priority of the caller', async () => {
    const { throttle } = stubThrottle()
    const acquire = vi.spyOn(throttle, 'acquire')
    const all = Array.fromAsync(clientOf({ throttle }).ledger.transactions.pages({}, { priority: 'interactive' }))
    await vi.advanceTimersByTimeAsync(1000)
    await all
    expect(acquire.mock.calls[0]).toMatchObject([{ priority: 'interactive' }])
  })

  it.each([
    [10, 20],
    [4, 8],
    [0.5, 2],
    [100, 32],
  ])('keeps twice as many pages in flight as a throttle of %s a second lets pass, at most 32', async (rate, most) => {
    const { throttle } = stubThrottle()
    const counts: number[] = []
    let inFlight = 0
    const service = clientOf({}, 100)
    const fetch = async (url: string) => {
      counts.push(++inFlight)
      await new Promise((resolve) => setTimeout(resolve, 1000))
      inFlight--
      return service.fetch(url)
    }
    const paced = { ...throttle, stats: { ...throttle.stats, requestsPerSecond: rate } }
    const all = Array.fromAsync(clientOf({ fetch, throttle: paced }).ledger.transactions.iterate({ limit: 1 }))
    await vi.advanceTimersByTimeAsync(200_000)
    expect(await all).toHaveLength(100)
    expect(Math.max(...counts)).toBe(most)
  })

  it('rejects maxItems of pages, which ends by pages', () => {
    const call = () => clientOf().ledger.transactions.pages({}, { maxItems: 1 } as PaginationOptions)
    expect(call).toThrow('Unknown option `maxItems`')
  })

  it('rejects a retryForMs that is too long before any request', () => {
    const call = () => clientOf().ledger.transactions.iterate({}, { retryForMs: 3e9 })
    expect(call).toThrow('from 0 to 2147483647, got 3000000000: pass Infinity for no end')
  })
})

describe('a service that is away', () => {
  /** A client of a service that responds with 503 from the second request on for `ms` milliseconds. */
  const awayFor = (ms: number, options: GuildLedgerOptions = {}) => {
    let requests = 0
    const { fetch } = clientOf()
    return clientOf({
      ...options,
      fetch: async (url) => {
        requests++
        return requests > 1 && performance.now() < ms ? new Response('', { status: 503 }) : fetch(url)
      },
    })
  }
  const run = async <T>(work: Promise<T>): Promise<[result: unknown, ms: number]> => {
    const ended = work.catch((error: unknown) => error)
    const state = { isOver: false }
    void ended.finally(() => void (state.isOver = true))
    for (let i = 0; i < 5000 && !state.isOver; i++) await vi.advanceTimersByTimeAsync(i === 0 ? 0 : 1000)
    return [await ended, performance.now()]
  }

  it.each(['iterate', 'pages'] as const)('for five minutes does not end a pagination with `%s`', async (method) => {
    const { ledger } = awayFor(300_000)
    const [result, ms] = await run(Array.fromAsync<unknown>(ledger.transactions[method]({ limit: 2 })))
    expect(result).toHaveLength(method === 'iterate' ? 6 : 3)
    expect(ms).toBeLessThan(345_000)
  })

  it('for longer than retryForMs ends a pagination with the page that failed', async () => {
    const { ledger } = awayFor(300_000)
    const [result, ms] = await run(Array.fromAsync(ledger.transactions.iterate({ limit: 2 }, { retryForMs: 60_000 })))
    expect(result).toMatchObject({ code: 'server_error', page: 2 })
    expect(ms).toBeLessThan(80_000)
  })

  it.each<[string, GuildLedgerOptions, IterateOptions]>([
    ['an interactive pagination', {}, { priority: 'interactive' }],
    ['a pagination with maxRetries: 0', {}, { maxRetries: 0 }],
    ['a pagination of a client with retry: false', { retry: false }, {}],
    ['a pagination of a client that retries without a delay', { retry: { baseDelayMs: 0 } }, {}],
  ])('ends %s at once', async (_, client, options) => {
    const { ledger } = awayFor(300_000, client)
    const [result, ms] = await run(Array.fromAsync(ledger.transactions.iterate({ limit: 2 }, options)))
    expect(result).toMatchObject({ code: 'server_error', page: 2 })
    expect(ms).toBeLessThan(5000)
  })

  it('for the request ahead of a page is asked again at once when the page is wanted, as that failure may be old', async () => {
    const { fetch } = clientOf()
    let count = 0
    const failingOnce = async (url: string) =>
      url.includes('page=2') && count++ === 0 ? new Response('', { status: 503 }) : fetch(url)
    const { ledger } = clientOf({ retry: { maxRetries: 0 }, fetch: failingOnce })
    const paginator = ledger.transactions.pages({ limit: 2 }, { concurrency: 2, retryForMs: 60_000 })
    await run(paginator.next())
    const from = performance.now()
    const [second, ms] = await run(paginator.next())
    expect(second).toMatchObject({ value: { pagination: { page: 2 } } })
    expect([count, ms]).toEqual([2, from])
    await paginator.return()
  })
})
