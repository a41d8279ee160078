import {
  ConfigurationError,
  GuildLedger,
  InvalidParameterError,
  type LedgerEntry,
  type WatchOptions,
} from '@guild-ledger/sdk'
import { errorBody, failureOf, guildResponse, stubService } from '@guild-ledger/test-kit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createService, entryOf, type ServiceOptions } from './ledger-service.ts'
import { stubThrottle } from './throttle-stub.ts'

const address = 'https://ledger.example/guild/ledger/transactions'
const client = { apiKey: 'k', baseUrl: 'https://ledger.example', throttle: false, retry: false } as const

beforeEach(() => vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

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

  expect(watch.checkpoint.watched).toContain('from=shop')
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
  ['one warning', 65_000, 1],
  ['one warning in one line', 65_000, 1, '\nguild-ledger: forged'],
])(
  'logs %s where transactions are dated %i ms ahead, however often they are met',
  async (_, aheadMs, count, more = '') => {
    vi.setSystemTime('2026-02-01T00:00:00Z')
    const createdAt = new Date(Date.now() + aheadMs).toISOString() + more
    const { fetch } = createService([entryOf(1), entryOf(2, { createdAt }), entryOf(3, { createdAt })])
    const { options, lines } = stubService((__, { url }) => fetch(url))
    const { transactions } = new GuildLedger({ ...options, validation: 'off' })
    const watch = transactions.watch({}, { since: '2026-01-01T00:00:00Z', intervalMs: 1000 })

    const ended = Array.fromAsync(watch)
    await vi.advanceTimersByTimeAsync(3000)
    await watch.return()
    await ended

    const line =
      "warn guild-ledger: A transaction is dated 2026-02-01T00:01:05.000Z, later than the service's own time. " +
      'Until then, every poll requests it.'
    expect(lines).toEqual(Array(count).fill(line))
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
  const turn = vi.spyOn(globalThis, 'MessageChannel')

  await ledger.transactions.list()

  expect(turn).not.toHaveBeenCalled()
  turn.mockRestore()
})

describe('the checkpoint of a watch', () => {
  const second = (n: number) => `2026-01-01T00:00:0${n}.000Z`
  const identity = (n: number) => `6:user ${n % 7}:${entryOf(n).transactionId}`
  const watchOf = (
    ledger: LedgerEntry[],
    filters: object,
    options: WatchOptions,
    service?: Partial<ServiceOptions>,
  ) => {
    const { fetch } = createService(ledger, service)
    return new GuildLedger({ ...client, fetch, validation: 'off' }).transactions.watch(filters, options)
  }

  it('names the address and the filters in the order of their names', () => {
    const options = { since: second(1) }

    expect(watchOf([], {}, options).checkpoint.watched).toBe(address)
    expect(watchOf([], { minAmount: 2, from: 'a b', maxAmount: undefined }, options).checkpoint.watched).toBe(
      `${address}?from=a+b&minAmount=2`,
    )
  })

  it('is the date it starts at before the first poll: for a watch since now the time of this machine, less the overlap', () => {
    const checkpoint = { version: 1, watched: address, from: second(1), seen: [] }

    expect(watchOf([], {}, { since: second(1) }).checkpoint).toStrictEqual(checkpoint)
    vi.setSystemTime(second(9))
    expect(watchOf([], {}, { overlapMs: 4000 }).checkpoint).toStrictEqual({ ...checkpoint, from: second(5) })
    expect(watchOf([], {}, {}).checkpoint).toStrictEqual({ ...checkpoint, from: '2025-12-31T23:59:09.000Z' })
  })

  it('has what was yielded so far', async () => {
    const watch = watchOf([entryOf(1), entryOf(2)], {}, { since: second(0), follow: false, overlapMs: 1000 })

    await watch.next()
    expect(watch.checkpoint).toStrictEqual({ version: 1, watched: address, from: second(0), seen: [identity(1)] })
    await watch.next()
    expect((await watch.next()).done).toBe(true)
    expect(watch.checkpoint).toMatchObject({ from: second(1), seen: [identity(1), identity(2)] })
  })

  it('has what was there already once a watch since now has begun, an overlap before the newest', async () => {
    const unreadable = entryOf(9, { createdAt: 'yesterday' })
    const watch = watchOf([entryOf(1), entryOf(5), entryOf(8), unreadable], {}, { follow: false, overlapMs: 4000 })

    expect((await watch.next()).done).toBe(true)
    expect(watch.checkpoint).toMatchObject({ from: second(4), seen: [identity(5), identity(8)] })
  })

  it("is a time of the service once it has responded, whatever this machine's clock, except where its Date is hours off", async () => {
    vi.setSystemTime(second(9))
    let wrongByMs = 600_000
    const date = () => new Date(Date.parse(second(9)) - wrongByMs).toUTCString()
    const service = stubService(() => Response.json(guildResponse, { headers: { date: date() } }))
    const ledger = new GuildLedger(service.options)
    const fromOf = () => ledger.transactions.watch({}, { overlapMs: 4000 }).checkpoint.from

    await ledger.verify()
    expect(fromOf()).toBe('2025-12-31T23:50:05.000Z')
    wrongByMs = 2 * 3_600_000
    await ledger.verify()
    expect(fromOf()).toBe(second(5))
  })

  it('has moved with what came between the first two requests of a watch since now', async () => {
    const change = (entries: LedgerEntry[], request: number) => {
      if (request === 1) entries.push(entryOf(9))
    }
    const watch = watchOf([entryOf(1)], {}, { follow: false, overlapMs: 4000 }, { change })

    expect((await watch.next()).done).toBe(true)
    expect(watch.checkpoint).toMatchObject({ from: second(5), seen: [identity(9)] })
  })

  it('is that of the beginning where a watch since now finds nothing', async () => {
    const watch = watchOf([], {}, { follow: false })

    expect((await watch.next()).done).toBe(true)
    expect(watch.checkpoint).toStrictEqual({ version: 1, watched: address, from: null, seen: [] })
  })

  it.each([
    ['2026-01-31T10:00:00.250Z', '2026-01-31T10:00:00.250Z'],
    ['2026-01-31T10:00:00.25Z', '2026-01-31T10:00:00.250Z'],
    ['2026-01-31T10:00:00.2509Z', '2026-01-31T10:00:00.250Z'],
    ['2026-01-31T10:00Z', '2026-01-31T10:00:00.000Z'],
    ['yesterday', null],
    [{ toString: 1 }, null],
  ])('has for a transaction created at %j the date %j, and the transaction comes once', async (createdAt, from) => {
    vi.setSystemTime('2026-02-01T00:00:00Z')
    const ledger: LedgerEntry[] = []
    const watch = watchOf(ledger, {}, { overlapMs: 0 })
    const ended = Array.fromAsync(watch)

    await vi.advanceTimersByTimeAsync(1)
    ledger.push(entryOf(1, { createdAt: createdAt as string }))
    await vi.advanceTimersByTimeAsync(20_000)
    await watch.return?.()

    expect(await ended).toMatchObject([{ amount: 1 }])
    expect(watch.checkpoint.from).toBe(from)
  })
})

describe('a watch that fails', () => {
  /** Pages of one transaction each, new with each poll; requests whose numbers are among these fail. */
  const flaky = (isDown: (request: number) => boolean) =>
    stubService((count, { url }) => {
      if (isDown(count)) return Response.json(errorBody('out of order'), { status: 503 })
      const transaction = { ...entryOf(count), platformId: undefined }
      const data =
        new URL(url).searchParams.get('page') === '1' ? [{ platformId: 'ann', transactions: [transaction] }] : []
      const pagination = { page: 1, limit: 100, total: 1, totalPages: 1 }
      return Response.json({ ...guildResponse, data, pagination })
    })

  it('does not count the time that the consumer takes', async () => {
    const service = flaky((count) => count === 2)
    const watch = new GuildLedger(service.options).transactions.watch({}, { since: new Date(0) })

    await watch.next()
    await vi.advanceTimersByTimeAsync(2 * 3_600_000)
    const second = watch.next()
    await vi.advanceTimersByTimeAsync(10_000)

    expect((await second).value).toMatchObject({ amount: 3 })
    await watch.return?.()
  })
})

describe('requests of a watch', () => {
  /** Three pages of two transactions each at each poll. */
  const threePages = () => {
    let inFlight = 0
    const most: number[] = []
    const service = stubService(async (count, { url }) => {
      most.push(++inFlight)
      await new Promise((resolve) => setTimeout(resolve, 100))
      inFlight--
      const page = Number(new URL(url).searchParams.get('page') ?? 1)
      const transactions = page > 3 ? [] : [entryOf(2 * page), entryOf(2 * page + 1)]
      const data = [
        { platformId: 'ann', transactions: transactions.map(({ platformId: _platformId, ...each }) => each) },
      ]
      // Another total each time, so that no poll ends with its first page.
      const pagination = { page, limit: 2, total: 5 + (count % 2), totalPages: 3 }
      return Response.json({ success: true, data: transactions.length > 0 ? data : [], pagination })
    })
    return { ledger: new GuildLedger({ ...service.options, validation: 'off' }), most, service }
  }
  const pagesAtOnce = async (options: WatchOptions, until: number) => {
    const { ledger, most } = threePages()
    const stop = new AbortController()
    const failure = failureOf(Array.fromAsync(ledger.transactions.watch({}, { ...options, signal: stop.signal })))
    await vi.advanceTimersByTimeAsync(until)
    stop.abort('enough')
    await failure
    return most
  }

  it('are sent before their turn in the first poll of a watch that continues, and in no other', async () => {
    const most = await pagesAtOnce({ since: new Date(0), intervalMs: 10_000 }, 15_000)

    expect(Math.max(...most.slice(0, 3))).toBeGreaterThan(1)
    expect(most.length).toBeGreaterThan(9)
    expect(Math.max(...most.slice(-4))).toBe(1)
  })

  it('are sent one by one in a watch since now', async () => {
    const most = await pagesAtOnce({ intervalMs: 10_000 }, 15_000)

    expect(most.length).toBeGreaterThan(6)
    expect(Math.max(...most)).toBe(1)
  })

  it('begin an overlap before the newest transaction', async () => {
    const { ledger, service } = threePages()
    const watch = ledger.transactions.watch({}, { follow: false, overlapMs: 4000 })

    const ended = watch.next()
    await vi.advanceTimersByTimeAsync(10_000)
    await ended

    // The newest on the page is entryOf(3), of second 3; the service may leave out the date itself.
    const [newest, first] = service.sent.map(({ url }) => Object.fromEntries(new URL(url).searchParams))
    expect(newest).toEqual({ page: '1', limit: '100', sortBy: 'createdAt', sortOrder: 'desc' })
    expect(first).toEqual({ ...newest, sortOrder: 'asc', startDate: '2025-12-31T23:59:58.999Z' })
  })

  it('have the priority background unless it is given, and no date where a checkpoint has none', async () => {
    const service = stubService(() => Response.json(guildResponse))
    const { throttle } = stubThrottle()
    const acquire = vi.spyOn(throttle, 'acquire')
    const { transactions } = new GuildLedger({ ...service.options, throttle })
    const since = { version: 1, watched: address, from: null, seen: [] } as const
    const options = { since, follow: false } as const

    const ended = [
      Array.fromAsync(transactions.watch({}, options)),
      Array.fromAsync(transactions.watch({}, { ...options, priority: 'interactive' })),
    ]
    await vi.advanceTimersByTimeAsync(10)

    expect(await Promise.all(ended)).toMatchObject([[{ amount: 12.5 }], [{ amount: 12.5 }]])
    expect(acquire.mock.calls).toMatchObject([[{ priority: 'background' }], [{ priority: 'interactive' }]])
    expect(service.sent.filter(({ url }) => url.includes('startDate'))).toEqual([])
  })

  it('continue where the service numbers the page of an empty ledger 0', async () => {
    const pagination = { page: 0, limit: 100, total: 0, totalPages: 0 }
    const service = stubService(() => Response.json({ success: true, data: [], pagination }))
    const onError = vi.fn<() => void>()
    const { transactions } = new GuildLedger({ ...service.options, validation: 'off' })
    const watch = transactions.watch({}, { since: '2026-01-01T00:00:00Z', onError })
    const ended = Array.fromAsync(watch)

    await vi.advanceTimersByTimeAsync(10_000)
    await watch.return?.()

    expect([await ended, onError.mock.calls, service.sent.length]).toEqual([[], [], 3])
  })

  it('are for all pages where these count users and no summary shows that one of them has more', async () => {
    const entries = ['ann', 'bob', 'cat'].map((platformId, n) => entryOf(n, { platformId }))
    const { fetch } = createService(entries, { unit: 'user', totalUnit: 'user', summary: 'page' })
    const service = stubService((_, { url }) => fetch(url.replace('limit=100', 'limit=2')))
    const watch = new GuildLedger(service.options).transactions.watch({}, { since: new Date(0) })
    const ended = Array.fromAsync(watch)

    await vi.advanceTimersByTimeAsync(5000)
    entries.push(entryOf(7, { platformId: 'cat' }))
    await vi.advanceTimersByTimeAsync(5000)
    await watch.return?.()

    expect((await ended).map(({ amount }) => amount)).toEqual([0, 1, 2, 7])
  })
})

describe('the checkpoint within a poll', () => {
  const checkpointAt = async (count: number, platformIds: readonly string[]) => {
    const entries = platformIds.map((platformId, n) => entryOf(n + 1, { platformId }))
    const unit = platformIds[0] === platformIds[1] ? 'transaction' : 'user'
    const service = createService(entries, { unit, totalUnit: unit })
    const fetch = (url: string) => service.fetch(url.replace('limit=100', 'limit=2'))
    const since = { version: 1, watched: address, from: null, seen: [] } as const
    const watch = new GuildLedger({ ...client, fetch }).transactions.watch({}, { since, overlapMs: 0 })
    for (let n = 1; n <= count; n++) expect((await watch.next()).value).toMatchObject({ amount: n })
    return watch.checkpoint.from
  }

  it.each([
    ['transactions', ['ann', 'ann', 'ann', 'ann', 'ann']],
    ['users, who may have older ones on a later page', ['ann', 'bob', 'cat', 'ann', 'bob', 'cat']],
  ])('moves with each transaction where pages count %s', async (_, platformIds) => {
    expect(await checkpointAt(5, platformIds)).toBe('2026-01-01T00:00:05.000Z')
  })
})

describe('a watch that fails later', () => {
  const down = () => Response.json(errorBody('out of order'), { status: 503 })
  const good = () => Response.json(guildResponse)
  const otherPage = () =>
    Response.json({ ...guildResponse, pagination: { page: 2, limit: 20, total: 1, totalPages: 1 } })
  const start = (respond: (count: number) => Response, options: WatchOptions = {}) => {
    const service = stubService(respond)
    const stop = new AbortController()
    const onError = vi.fn<Required<WatchOptions>['onError'] & object>()
    const given = { since: new Date(0), signal: stop.signal, onError, ...options }
    const state = { isOver: false }
    const failure = failureOf(Array.fromAsync(new GuildLedger(service.options).transactions.watch({}, given)))
    void failure.then(() => (state.isOver = true))
    return { service, stop, onError, state, failure }
  }

  it('continues after hours without anything new', async () => {
    const { service, onError, state, stop, failure } = start((count) => (count === 4 ? down() : good()), {
      intervalMs: 3_600_000,
    })

    await vi.advanceTimersByTimeAsync(5 * 3_600_000)

    expect([service.sent.length, onError.mock.calls.length, state.isOver]).toEqual([6, 1, false])
    stop.abort('enough')
    await failure
  })

  it('continues after a failure at its start, however long the process has been running', async () => {
    await vi.advanceTimersByTimeAsync(2 * 3_600_000)
    const { service, state, stop, failure } = start((count) => (count === 1 ? down() : good()), { since: 'now' })

    await vi.advanceTimersByTimeAsync(6000)

    expect([service.sent.length, state.isOver]).toEqual([4, false])
    stop.abort('enough')
    await failure
  })

  it.each([
    ['of the service', down, 13],
    ['of the pagination, which requests another page than it gets twice', otherPage, 26],
  ])('ends an hour after its first failure in a row %s', async (_, respond, requests) => {
    await vi.advanceTimersByTimeAsync(2 * 3_600_000)
    const { state, service } = start(respond, { intervalMs: 300_000 })

    await vi.advanceTimersByTimeAsync(3_599_999)
    expect(state.isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(1)

    expect([state.isOver, service.sent.length]).toEqual([true, requests])
  })

  it.each([new ConfigurationError('apiKey', 'wrong'), new InvalidParameterError([])])(
    'ends at once with a %s of middleware',
    async (error) => {
      const { options } = stubService(good)
      const middleware = vi.fn<() => Promise<Response>>().mockRejectedValue(error)
      const watch = new GuildLedger({ ...options, middleware: [middleware] }).transactions.watch()

      const failure = failureOf(watch.next())
      await vi.advanceTimersByTimeAsync(5000)

      expect(middleware).toHaveBeenCalledTimes(1)
      expect(await failure).toBe(error)
    },
  )

  it('calls no onError when it is aborted during a request', async () => {
    const pending = new Promise<never>(() => {})
    const service = stubService(() => pending)
    const stop = new AbortController()
    const onError = vi.fn<() => void>()
    const options = { since: new Date(0), signal: stop.signal, onError }
    const failure = failureOf(new GuildLedger(service.options).transactions.watch({}, options).next())

    await vi.advanceTimersByTimeAsync(1)
    stop.abort('enough')

    expect(await failure).toBe('enough')
    expect(onError).not.toHaveBeenCalled()
  })
})
