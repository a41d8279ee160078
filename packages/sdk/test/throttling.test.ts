import { GuildLedger } from '@guild-ledger/sdk'
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

it('resolves with the response even if onPaceChange throws', async () => {
  vi.useRealTimers()
  const service = stubService(() => Response.json(errorBody('slow'), { status: 429 }))
  const throttle = {
    onPaceChange: () => {
      throw new Error('bug')
    },
  }
  const ledger = new GuildLedger({ ...service.options, apiKey: 'pace-change', throttle })

  await expect(ledger.transactions.list()).rejects.toMatchObject({ code: 'rate_limited' })
})
