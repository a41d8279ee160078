import { createThrottle, GuildLedger } from '@guild-ledger/sdk'
import { errorBody, failureOf, guildResponse, stubService } from '@guild-ledger/test-kit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { stubThrottle } from './throttle-stub.ts'

beforeEach(() => vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] }))
afterEach(() => void vi.useRealTimers())

it('acquires a permit for every attempt and reports how each ended', async () => {
  const { throttle, outcomes } = stubThrottle()
  const service = stubService((count, { init }) => {
    if (count === 1) throw new TypeError('fetch failed')
    if (count === 2) return Response.json(errorBody('x'), { status: 503, headers: { 'retry-after': '2' } })
    if (count === 4) return Response.json(guildResponse)
    return new Promise((_, reject) => {
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))
    })
  })
  const ledger = new GuildLedger({ ...service.options, throttle, retry: { maxRetries: 3 }, attemptTimeoutMs: 1_000 })

  const call = ledger.transactions.list()
  await vi.advanceTimersByTimeAsync(60_000)

  expect((await call).response.attempts).toBe(4)
  expect(outcomes).toEqual([
    { kind: 'failed' },
    { kind: 'completed', status: 503, retryAfterMs: 2_000 },
    { kind: 'aborted' },
    { kind: 'completed', status: 200, retryAfterMs: undefined },
  ])
})

it('reports a Retry-After that is longer than maxDelayMs to the throttle as maxDelayMs', async () => {
  const { throttle, outcomes } = stubThrottle()
  const service = stubService(() => Response.json(errorBody('x'), { status: 429, headers: { 'retry-after': '3600' } }))
  const ledger = new GuildLedger({ ...service.options, throttle, retry: { maxDelayMs: 5_000 } })

  const failure = failureOf(ledger.transactions.list())
  await vi.advanceTimersByTimeAsync(1)

  expect(await failure).toMatchObject({ retryAfterMs: 3_600_000 })
  expect(outcomes).toEqual([{ kind: 'completed', status: 429, retryAfterMs: 5_000 }])
})

it('reports a redirect to the throttle as completed', async () => {
  const { throttle, outcomes } = stubThrottle()
  const service = stubService(() => new Response(null, { status: 302, headers: { location: '/' } }))

  const failure = failureOf(new GuildLedger({ ...service.options, throttle }).transactions.list())
  await vi.advanceTimersByTimeAsync(1)

  expect(await failure).toMatchObject({ code: 'redirect_refused' })
  expect(outcomes).toEqual([{ kind: 'completed', status: 302, retryAfterMs: undefined }])
})

it('acquires a permit for each request of middleware that sends two', async () => {
  const { throttle, outcomes } = stubThrottle()
  const service = stubService(() => Response.json(guildResponse))
  const ledger = new GuildLedger({
    ...service.options,
    throttle,
    middleware: [async (request, next) => (await next(request), next(request))],
  })

  const call = ledger.transactions.list()
  await vi.runAllTimersAsync()
  await call

  expect(outcomes).toHaveLength(2)
})

it('releases both permits and leaves no timer when middleware sends two requests at once that time out', async () => {
  const { throttle, outcomes } = stubThrottle()
  const service = stubService(() => new Promise(() => {}))
  const ledger = new GuildLedger({
    ...service.options,
    throttle,
    attemptTimeoutMs: 100,
    middleware: [(request, next) => Promise.any([next(request), next(request)])],
  })

  const failure = failureOf(ledger.transactions.list())
  await vi.advanceTimersByTimeAsync(15_000)

  expect(await failure).toBeInstanceOf(Error)
  expect(outcomes).toEqual([{ kind: 'aborted' }, { kind: 'aborted' }])
  expect(vi.getTimerCount()).toBe(0)
})

it('warns of an interactive call that waited for 5 s, when it gets its slot or gives up, once a minute at most', async () => {
  const service = stubService(() => Response.json(guildResponse))
  const throttle = createThrottle()
  const { transactions } = new GuildLedger({ ...service.options, throttle })
  /** Calls that wait for the end of a pause, or for less if they give up sooner. */
  const waitFor = async (pauseMs: number, options: Parameters<typeof transactions.list>[1][]) => {
    throttle.pause(pauseMs)
    const calls = Promise.allSettled(options.map((how, i) => transactions.list({ page: i + 1 }, how)))
    await vi.advanceTimersByTimeAsync(pauseMs)
    await calls
    return service.lines.splice(0)
  }

  expect(await waitFor(4900, [{}])).toEqual([])
  expect(await waitFor(9000, [{ priority: 'background' }])).toEqual([])
  expect(await waitFor(6000, [{}, {}])).toEqual([
    expect.stringMatching(
      /^warn guild-ledger: GET \/guild\/ledger\/transactions waited 6 s for the throttle: \{"waiting":0,.*\}\. Start fewer /,
    ),
  ])
  expect(await waitFor(9000, [{}])).toEqual([])
  await vi.advanceTimersByTimeAsync(60_000)
  const controller = new AbortController()
  setTimeout(() => controller.abort(), 7000)
  expect(await waitFor(9000, [{ signal: controller.signal }])).toEqual([expect.stringContaining('waited 7 s')])
})
