import { getEventListeners } from 'node:events'
import { createThrottle, GuildLedger, type GuildLedgerOptions } from '@guild-ledger/sdk'
import { cases, errorBody, failureOf, guildResponse, stubService, type SentRequest } from '@guild-ledger/test-kit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { stubThrottle } from './throttle-stub.ts'

type Respond = (count: number, request: SentRequest) => Response | Promise<Response>

const page: Respond = () => Response.json(guildResponse)
/** A fetch that responds never, but listens to its signal. */
const pending: Respond = (_, { init }) =>
  new Promise((_resolve, reject) => {
    init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))
  })
/** A fetch that ignores its signal. */
const deaf: Respond = () => new Promise(() => {})
const stalled = (status: number): Response =>
  new Response(new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode('{"su')) }), { status })
const stalledBody: Respond = () => stalled(200)
const label = 'GET /guild/ledger/transactions failed:'

/** A schema whose validation never settles. */
const stuck = { '~standard': { version: 1, vendor: 'test', validate: () => new Promise<never>(() => {}) } } as const

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('limits an attempt to 10 s by default and retries it', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const service = stubService(pending)
  const ledger = new GuildLedger({ ...service.options, retry: { baseDelayMs: 2_000 } })

  const failure = failureOf(ledger.transactions.list())
  await vi.advanceTimersByTimeAsync(33_000)

  expect(await failure).toMatchObject({
    name: 'TimeoutError',
    code: 'timeout',
    phase: 'attempt',
    timeoutMs: 10_000,
    message: `${label} no complete response within 10000 ms. Try again, or raise attemptTimeoutMs.`,
  })
  expect(service.sent.map(({ at }) => at)).toEqual([0, 11_000, 23_000])
})

it('counts the body as part of an attempt', async () => {
  const ledger = new GuildLedger({ ...stubService(stalledBody).options, attemptTimeoutMs: 500 })

  const failure = failureOf(ledger.transactions.list())
  await vi.advanceTimersByTimeAsync(500)

  expect(await failure).toMatchObject({ code: 'timeout', phase: 'attempt', timeoutMs: 500 })
})

it.each([
  [400, 'bad_request'],
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [418, 'http_error'],
])('keeps status %i of a response whose body takes longer than attemptTimeoutMs', async (status, code) => {
  const { throttle, outcomes } = stubThrottle()
  const ledger = new GuildLedger({ ...stubService(() => stalled(status)).options, throttle, attemptTimeoutMs: 500 })

  const failure = failureOf(ledger.transactions.list())
  await vi.advanceTimersByTimeAsync(500)

  expect(await failure).toMatchObject({ code, status, body: '' })
  expect(outcomes).toMatchObject([{ kind: 'completed', status }])
})

it('starts the time of an attempt when its slot is granted', async () => {
  const { throttle } = stubThrottle(60_000)
  const ledger = new GuildLedger({ ...stubService(page).options, throttle, attemptTimeoutMs: 100 })

  await vi.advanceTimersByTimeAsync(1000)
  const call = ledger.transactions.list()
  await vi.advanceTimersByTimeAsync(60_000)

  expect((await call).response.queuedMs).toBe(60_000)
})

const noResponse = {
  phase: 'call',
  attempts: 1,
  message: `${label} no response within 2000 ms. Try again, or raise timeoutMs.`,
}
it.each<[string, Respond, GuildLedgerOptions, timersLeft: number, expected: object]>([
  [
    'waits in the queue',
    page,
    { throttle: stubThrottle(60_000).throttle },
    1,
    {
      phase: 'queue',
      attempts: 0,
      message: `${label} no free slot of the throttle within 2000 ms. Start fewer calls at once, or raise timeoutMs.`,
    },
  ],
  ['waits for a fetch that ignores its signal', deaf, {}, 0, noResponse],
  ['reads the body', stalledBody, {}, 0, noResponse],
  ['runs middleware', page, { middleware: [() => new Promise(() => {})] }, 0, { phase: 'call', attempts: 0 }],
])('ends a call that %s after timeoutMs', async (_, respond, options, timersLeft, expected) => {
  const ledger = new GuildLedger({ ...stubService(respond).options, ...options })

  const failure = failureOf(ledger.transactions.list({}, { timeoutMs: 2_000 }))
  await vi.advanceTimersByTimeAsync(2_000)

  expect(await failure).toMatchObject({ code: 'timeout', timeoutMs: 2_000, ...expected })
  expect(vi.getTimerCount()).toBe(timersLeft)
})

it('names the endpoint and timeoutMs when the time of a call runs out in the queue', async () => {
  const throttle = createThrottle()
  throttle.pause(60_000)
  const service = stubService(page)
  const ledger = new GuildLedger({ ...service.options, throttle })

  expect(await failureOf(ledger.transactions.list({}, { timeoutMs: 2_000 }))).toMatchObject({
    code: 'timeout',
    phase: 'queue',
    timeoutMs: 2_000,
    message: `${label} the service asked to wait 60 s more, and timeoutMs is 2000 ms. Try again after that.`,
    retryAfterMs: expect.toSatisfy((ms: number) => ms > 59_000 && ms <= 60_000),
  })
  expect(service.sent).toEqual([])
})

it('sends a request where the throttle is paused for no longer than timeoutMs', async () => {
  const { throttle } = stubThrottle()
  const paused = { ...throttle, stats: { ...throttle.stats, pausedForMs: 2_000 } }
  const { transactions } = new GuildLedger({ ...stubService(page).options, throttle: paused })

  const call = transactions.list({}, { timeoutMs: 2_000 })
  await vi.advanceTimersByTimeAsync(1)

  expect((await call).data).toHaveLength(1)
})

it.each<[string, Respond, GuildLedgerOptions, timersLeft: number]>([
  ['waits in the queue', page, { throttle: stubThrottle(60_000).throttle }, 1],
  ['is in flight', pending, {}, 0],
  ['waits for a fetch that ignores its signal', deaf, {}, 0],
  ['reads the body', stalledBody, {}, 0],
  ['waits for a retry', () => Response.json(errorBody('x'), { status: 500 }), { retry: { baseDelayMs: 10_000 } }, 0],
])('rejects a call that %s with signal.reason when the caller aborts', async (_, respond, options, timersLeft) => {
  const stop = new AbortController()
  const service = stubService(respond)
  const failure = failureOf(
    new GuildLedger({ ...service.options, ...options }).transactions.list({}, { signal: stop.signal }),
  )
  await vi.advanceTimersByTimeAsync(1)

  stop.abort('enough')

  expect(await failure).toBe('enough')
  const sent = service.sent.length
  expect(vi.getTimerCount()).toBe(timersLeft)
  await vi.advanceTimersByTimeAsync(120_000)
  expect(service.sent).toHaveLength(sent)
})

it('ends a call whose schema never settles after timeoutMs, and when the caller aborts', async () => {
  const stop = new AbortController()
  const { get } = new GuildLedger(stubService(page).options)
  const late = failureOf(get('/x', { schema: stuck, timeoutMs: 50 }))
  const aborted = failureOf(get('/x', { schema: stuck, signal: stop.signal }))
  await vi.advanceTimersByTimeAsync(50)

  stop.abort('enough')

  expect(await late).toMatchObject({ code: 'timeout', phase: 'call' })
  expect(await aborted).toBe('enough')
})

it('sends nothing when the signal has fired before the call', async () => {
  const service = stubService(page)
  const { transactions } = new GuildLedger(service.options)

  expect(await failureOf(transactions.list({}, { signal: AbortSignal.abort('no') }))).toBe('no')
  expect(service.sent).toEqual([])
})

it('leaves no timer and no listener behind, over many calls that end in every way', async () => {
  const stop = new AbortController()
  const ways: Respond[] = [
    page,
    () => Response.json(errorBody('x'), { status: 500 }),
    () => new Response('{'),
    () => Promise.reject(new TypeError('fetch failed')),
    pending,
  ]
  const service = stubService((count, request) => (ways[count % ways.length] ?? page)(count, request))
  const { throttle } = stubThrottle()
  const ledger = new GuildLedger({ ...service.options, retry: { baseDelayMs: 0 }, timeoutMs: 60_000, throttle })

  for (let i = 0; i < cases(300, 100); i++) {
    const call = ledger.transactions.list({}, { signal: stop.signal }).catch(() => {})
    await vi.runAllTimersAsync()
    await call
  }

  expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0)
  expect(vi.getTimerCount()).toBe(0)
}, 240_000)
