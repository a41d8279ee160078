import { GuildLedger, type GuildLedgerOptions, type Watch, type WatchOptions } from '@guild-ledger/sdk'
import { errorBody, failureOf, guildResponse, stubService } from '@guild-ledger/test-kit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createService, entryOf } from './ledger-service.ts'

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 0, 31, 10) }))
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const down = () => Response.json(errorBody('out of order'), { status: 503 })
const good = () => Response.json(guildResponse)
const unauthorized = () => Response.json(errorBody('Unauthorized - invalid API key'), { status: 401 })
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

const start = (
  respond: (count: number) => Response | Promise<Response>,
  options: WatchOptions = {},
  client: GuildLedgerOptions = {},
) => {
  const service = stubService(respond)
  const ledger = new GuildLedger({ ...service.options, throttle: false, ...client })
  return { service, ledger, watch: ledger.transactions.watch({}, options) }
}
/** Iterates in the background; resolves with what it rejects with, or with 'done'. */
const outcomeOf = async (values: AsyncIterable<unknown>): Promise<unknown> => {
  try {
    for await (const _ of values);
    return 'done'
  } catch (error) {
    return error
  }
}
/** The state of a promise, without waiting for it. */
const stateOf = async (promise: Promise<unknown>): Promise<unknown> => {
  const pending = Promise.resolve('pending')
  try {
    return (await Promise.race([promise, pending])) ?? 'resolved'
  } catch (error) {
    return error
  }
}

describe('ready and lastPollAt', () => {
  it('tell of the first good poll, after failures too', async () => {
    const { watch } = start((count) => (count === 1 ? down() : good()))
    const before = [watch.lastPollAt, await stateOf(watch.ready)]
    const loop = outcomeOf(watch)
    await pass(4000)
    const failing = [watch.lastPollAt, await stateOf(watch.ready)]
    await pass(2000)

    expect([before, failing]).toEqual([
      [undefined, 'pending'],
      [undefined, 'pending'],
    ])
    expect([await stateOf(watch.ready), watch.lastPollAt]).toEqual(['resolved', new Date('2026-01-31T10:00:05.000Z')])
    await watch.return()
    expect(await loop).toBe('done')
  })

  it('lastPollAt moves with good polls only, and cannot be changed from outside', async () => {
    const { watch } = start((count) => (count > 4 ? down() : good()))
    void outcomeOf(watch)
    await pass(5000)
    const second = watch.lastPollAt
    watch.lastPollAt?.setTime(0)
    await pass(60_000)

    expect(second).toEqual(new Date('2026-01-31T10:00:05.000Z'))
    expect(watch.lastPollAt).toEqual(second)
    await watch.return()
  })

  it('a transaction added once a watch is ready is yielded', async () => {
    const ledger = [entryOf(1)]
    const { fetch } = createService(ledger)
    const { watch } = start(good, { intervalMs: 1000 }, { fetch })
    const next = watch.next()
    await watch.ready
    ledger.push(entryOf(2, { createdAt: new Date().toISOString() }))
    await pass(1000)

    expect((await next).value).toMatchObject({ amount: 2 })
    await watch.return()
  })

  type End = [string, (watch: Watch, ledger: GuildLedger, stop: AbortController) => unknown, object | string]
  const ends: End[] = [
    ['close()', (_, ledger) => ledger.close(), { code: 'client_closed' }],
    ['return()', (watch) => watch.return(), { name: 'AbortError' }],
    ['an abort', (_, __, stop) => stop.abort('enough'), 'enough'],
  ]

  it.each<End>([['a 401', () => {}, { code: 'invalid_api_key' }], ...ends])(
    'ready rejects where %s ends the watch before',
    async (name, end, expected) => {
      const stop = new AbortController()
      const service = stubService(() => (name === 'a 401' ? unauthorized() : new Promise(() => {})))
      const ledger = new GuildLedger({ ...service.options, throttle: false })
      const watch = ledger.transactions.watch({}, { signal: stop.signal })
      const ready = failureOf(watch.ready)
      const loop = outcomeOf(watch)
      await pass(1)
      await end(watch, ledger, stop)
      await loop

      const failures = [await ready, await failureOf(watch.ready)]
      expect(failures).toMatchObject([expected, expected])
    },
  )

  it.each(ends)('ready rejects where %s comes before anything was iterated', async (_, end, expected) => {
    const stop = new AbortController()
    const { ledger, service } = start(good)
    const watch = ledger.transactions.watch({}, { signal: stop.signal })
    const ready = failureOf(watch.ready)

    await end(watch, ledger, stop)

    expect([await ready]).toMatchObject([expected])
    expect(service.sent).toEqual([])
  })

  it('ready that nobody observes is no unhandled rejection', async () => {
    const unhandled = vi.fn<() => void>()
    process.on('unhandledRejection', unhandled)
    const { watch } = start(unauthorized)
    void watch.ready

    expect(await outcomeOf(watch)).toMatchObject({ code: 'invalid_api_key' })
    vi.useRealTimers()
    await new Promise((resolve) => setTimeout(resolve, 20))

    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })

  it('ready that is read first when all is over tells what was', async () => {
    const finished = start(good, { since: new Date(0), follow: false }).watch
    const failed = start(unauthorized).watch
    await Promise.all([outcomeOf(finished), outcomeOf(failed)])

    expect(await stateOf(finished.ready)).toBe('resolved')
    expect(await failureOf(failed.ready)).toMatchObject({ code: 'invalid_api_key' })
  })
})

describe('onPoll', () => {
  it('is called after each good poll, when what it yielded was consumed', async () => {
    const events: string[] = []
    const { watch } = start((count) => (count === 2 ? down() : good()), {
      since: new Date(0),
      onPoll: () => events.push(`poll, ${watch.checkpoint.seen.length} seen`),
    })
    const loop = (async () => {
      for await (const { amount } of watch) {
        await new Promise((resolve) => setTimeout(resolve, 100))
        events.push(`handled ${amount}`)
      }
    })()
    await pass(11_000)
    await watch.return()
    await loop

    expect(events).toEqual(['handled 12.5', 'poll, 1 seen', 'poll, 1 seen'])
  })

  it.each([
    ['throws', vi.fn<() => void>().mockThrow(new Error('mine'))],
    ['rejects', vi.fn<() => Promise<void>>().mockRejectedValue(new Error('mine'))],
  ])('is ignored where it %s', async (_, onPoll) => {
    const { watch, service } = start(good, { onPoll })
    const loop = outcomeOf(watch)
    await pass(11_000)
    await watch.return()

    expect([await loop, service.sent.length]).toEqual(['done', 5])
  })
})

describe('retryForMs of a watch', () => {
  it('Infinity outlives two hours without the service', async () => {
    const { watch } = start((count) => (count < 30 ? down() : good()), { retryForMs: Infinity, intervalMs: 300_000 })
    const loop = outcomeOf(watch)

    await pass(3 * 3_600_000)

    expect(await stateOf(watch.ready)).toBe('resolved')
    await watch.return()
    expect(await loop).toBe('done')
  })

  it.each([
    [0, 1, 0],
    [10_000, 3, 10_000],
  ])('%i ends a watch at its failure %i, after %i ms', async (retryForMs, failures, ms) => {
    const { watch, service } = start(down, { retryForMs })
    const loop = outcomeOf(watch)

    await pass(ms)

    expect(await loop).toMatchObject({ status: 503 })
    expect(service.sent).toHaveLength(failures)
  })

  it('0 leaves the retries of each call', async () => {
    const { watch } = start((count) => (count === 1 ? down() : good()), { retryForMs: 0 }, { retry: {} })
    const loop = outcomeOf(watch)

    await pass(10_000)

    expect(await stateOf(watch.ready)).toBe('resolved')
    await watch.return()
    expect(await loop).toBe('done')
  })

  it.each([-1, Number.NaN, '5', 3e9])('rejects %s at the call', (retryForMs) => {
    const options = { retryForMs } as WatchOptions

    expect(() => start(good, options)).toThrow('`retryForMs` must be a number of milliseconds from 0 to 2147483647')
  })
})

describe('a computer that sleeps after a failed request', () => {
  /** Makes eight hours pass for every clock, but for no timer. */
  const sleepForHours = () => {
    const asleepMs = 8 * 3_600_000
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + asleepMs)
    vi.setSystemTime(Date.now() + asleepMs)
  }

  it('does not end a watch', async () => {
    const { watch, service } = start((count) => (count === 4 || count === 5 ? down() : good()))
    const loop = outcomeOf(watch)
    await pass(6000)
    expect(service.sent).toHaveLength(4)

    sleepForHours()
    await pass(60_000)

    expect(service.sent.length).toBeGreaterThan(8)
    await watch.return()
    expect(await loop).toBe('done')
  })

  it('does not end an export', async () => {
    const entries = Array.from({ length: 5 }, (_, n) => entryOf(n))
    const { fetch } = createService(entries)
    let failures = 0
    const isDown = (url: string) => url.includes('page=2') && failures++ < 4
    const service = stubService((_, { url }) => (isDown(url) ? down() : fetch(url)))
    const ledger = new GuildLedger({ ...service.options, retry: { maxRetries: 0 }, throttle: false })
    const all = Array.fromAsync(ledger.transactions.iterate({ limit: 2 }, { concurrency: 1, retryForMs: 600_000 }))
    await pass(500)
    expect(failures).toBeGreaterThan(0)

    sleepForHours()
    await pass(10_000)

    expect(await all).toHaveLength(5)
  })
})

describe('many watches', () => {
  /** Requests of 30 watches, each of its own guild, in the busiest 200 ms after their start. */
  const busiest = async (respond: () => Response, toMs: number) => {
    const startedAt = Date.now()
    const times: number[] = []
    const watches = Array.from({ length: 30 }, (_, n) => {
      const timed = () => {
        times.push(Date.now() - startedAt)
        return respond()
      }
      return start(timed, { since: new Date(0) }, { apiKey: `key-of-guild-${n}` }).watch
    })
    const loops = watches.map(outcomeOf)
    await pass(toMs)
    await Promise.all(watches.map((watch) => watch.return()))
    await Promise.all(loops)
    const later = times.filter((ms) => ms > 0)
    return Math.max(...later.map((from) => later.filter((ms) => ms >= from && ms < from + 200).length))
  }

  it('do not poll in step', async () => {
    expect(await busiest(good, 60_000)).toBeLessThan(15)
  })

  it('do not back off in step', async () => {
    expect(await busiest(down, 60_000)).toBeLessThan(15)
  })
})

it.each(['400', '422', '404', 'empty', 'last-page'] as const)(
  'a watch goes on where the page behind a full one is answered with: %s',
  async (beyond) => {
    const ledger = Array.from({ length: 100 }, (_, n) => entryOf(n))
    const { fetch } = createService(ledger, { beyond })
    const onError = vi.fn<() => void>()
    const { watch } = start(good, { since: new Date(0), onError, retryForMs: 600_000 }, { fetch })
    const loop = outcomeOf(watch)

    await pass(60_000)

    expect(onError).not.toHaveBeenCalled()
    expect(watch.lastPollAt?.getTime()).toBeGreaterThan(Date.now() - 6000)
    await watch.return()
    expect(await loop).toBe('done')
  },
)
