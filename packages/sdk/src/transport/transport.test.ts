import { tracingChannel } from 'node:diagnostics_channel'
import { getEventListeners } from 'node:events'
import { failureOf } from '@guild-ledger/test-kit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { AcquireOptions, Throttle } from '../throttle/index.ts'
import { createApiKeys } from './api-keys.ts'
import type { Fetch, TransportSettings } from './options.ts'
import { responseOf } from './trace.ts'
import { createTransport, type QueryParameters } from './transport.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const key = 'glk-0123456789abcdef'
const target = { path: '/guild/8412', endpoint: '/guild/{platformId}' }
const asItIs = (value: unknown) => ({ value })
const page = async () => Response.json({ success: true })

/** A throttle that grants at once and records what each call passes. */
const recordingThrottle = (pausedForMs = 0) => {
  const acquireOptions: (AcquireOptions | undefined)[] = []
  const throttle: Throttle = {
    acquire: async (options) => {
      acquireOptions.push(options)
      return { release: () => {} }
    },
    pause: () => {},
    reset: () => {},
    estimateMs: () => 0,
    stats: { pausedForMs } as Throttle['stats'],
  }
  return { throttle, acquireOptions }
}

const setUp = (respond: Fetch = page, settings: Partial<TransportSettings> = {}) => {
  const log = vi.fn()
  const fetch = vi.fn(respond)
  const transport = createTransport({
    keys: createApiKeys(key, () => {}),
    userAgent: {},
    baseUrl: 'https://ledger.example/v1',
    timeoutMs: undefined,
    attemptTimeoutMs: 1000,
    retry: { maxRetries: 0, maxRateLimitRetries: 0, baseDelayMs: 0, maxDelayMs: 0 },
    throttle: undefined,
    keyExpiresAt: undefined,
    deduplicate: true,
    validation: 'strict',
    maxResponseBytes: 1_000_000,
    fetch,
    middleware: [],
    log,
    ...settings,
  })
  return { transport, fetch, log }
}

it('sends a request where the throttle is paused for no longer than timeoutMs', async () => {
  const { transport } = setUp(page, { throttle: recordingThrottle(2000).throttle })

  expect(await transport.get(target, {}, asItIs, { timeoutMs: 2000 })).toEqual({ success: true })
})

it('fails at once where the throttle is paused for longer than timeoutMs', async () => {
  const { transport, fetch } = setUp(page, { throttle: recordingThrottle(2001).throttle })

  expect(await failureOf(transport.get(target, {}, asItIs, { timeoutMs: 2000 }))).toMatchObject({
    code: 'timeout',
    phase: 'queue',
    timeoutMs: 2000,
    attempts: 0,
  })
  expect(fetch).not.toHaveBeenCalled()
})

it('passes the priority and the time limit of an attempt to the throttle', async () => {
  const { throttle, acquireOptions } = recordingThrottle()
  const { transport } = setUp(page, { throttle })

  await transport.get(target, {}, asItIs)
  await transport.get(target, {}, asItIs, { priority: 'background', attemptTimeoutMs: 500 })

  const signal = expect.any(AbortSignal)
  expect(acquireOptions).toEqual([
    { priority: 'interactive', attemptTimeoutMs: 1000, signal },
    { priority: 'background', attemptTimeoutMs: 500, signal },
  ])
})

it.each<[string, Partial<TransportSettings>, number]>([
  ['one request where calls are deduplicated', { throttle: recordingThrottle().throttle }, 1],
  ['a request each where they are not', { throttle: recordingThrottle().throttle, deduplicate: false }, 2],
  ['a request each where there is no throttle', {}, 2],
])('identical calls at once send %s', async (_, settings, sent) => {
  const { transport, fetch } = setUp(page, settings)

  const pages = await Promise.all([transport.get(target, {}, asItIs), transport.get(target, {}, asItIs)])

  expect(fetch).toHaveBeenCalledTimes(sent)
  expect(pages).toEqual([{ success: true }, { success: true }])
  expect(pages[0]).not.toBe(pages[1])
})

it.each<[string, QueryParameters, string]>([
  ['no parameter', {}, ''],
  ['no parameter that is undefined', { from: undefined }, ''],
  [
    'parameters of every type',
    { from: 'a b&c', page: 2, exact: true, startDate: new Date(Date.UTC(2026, 0, 31)) },
    '?from=a+b%26c&page=2&exact=true&startDate=2026-01-31T00%3A00%3A00.000Z',
  ],
])('sends %s', async (_, query, search) => {
  const { transport, fetch } = setUp()

  await transport.get(target, query, asItIs)

  expect(fetch.mock.calls.map(([url]) => url)).toEqual([`https://ledger.example/v1/guild/8412${search}`])
})

it('publishes its calls, with what became of them', async () => {
  const asyncEnd = vi.fn()
  const channel = tracingChannel('guild-ledger:request')
  channel.subscribe({ asyncEnd } as never)
  const { transport } = setUp(async () => Response.json({}, { status: 418 }))

  await failureOf(transport.get({ path: '/x', endpoint: `/${key}` }, {}, asItIs))

  channel.unsubscribe({ asyncEnd } as never)
  expect(asyncEnd.mock.calls[0]?.[0]).toMatchObject({ endpoint: '/[api key]', status: 418, attempts: 1, queuedMs: 0 })
})

it('decodes a body as strictly as the call requires, else as the settings do', async () => {
  const { transport, log } = setUp(page, { validation: 'warn' })
  const wrong = () => ({ issues: [{ path: 'a', expected: 'a string', received: 'undefined' }], advice: 'Report it.' })

  expect(await transport.get(target, {}, wrong)).toEqual({ success: true })
  expect(await failureOf(transport.get(target, {}, wrong, { validation: 'strict' }))).toMatchObject({
    code: 'invalid_response',
  })
  expect(log.mock.calls.filter(([level]) => level === 'warn')).toHaveLength(1)
})

it('retries as often as the call requires, else as the settings say', async () => {
  const retry = { maxRetries: 1, maxRateLimitRetries: 0, baseDelayMs: 0, maxDelayMs: 0 }
  const { transport, fetch } = setUp(async () => Response.json({}, { status: 503 }), { retry })

  const failures = [
    failureOf(transport.get(target, {}, asItIs)),
    failureOf(transport.get(target, {}, asItIs, { maxRetries: 0 })),
  ]
  await vi.advanceTimersByTimeAsync(10)

  expect(await Promise.all(failures)).toMatchObject([{ attempts: 2 }, { attempts: 1 }])
  expect(fetch).toHaveBeenCalledTimes(3)
})

it('ends a call after its own time limit, else after that of the settings', async () => {
  const { transport } = setUp(() => new Promise(() => {}), { timeoutMs: 300 })
  const failures = [
    failureOf(transport.get(target, {}, asItIs)),
    failureOf(transport.get(target, {}, asItIs, { timeoutMs: 200 })),
  ]
  await vi.advanceTimersByTimeAsync(300)

  expect(await Promise.all(failures)).toMatchObject([
    { code: 'timeout', phase: 'call', timeoutMs: 300 },
    { code: 'timeout', phase: 'call', timeoutMs: 200 },
  ])
})

it('sends no retry that the time limit of the call does not leave time for', async () => {
  const headers = { 'retry-after': '1' }
  const retry = { maxRetries: 1, maxRateLimitRetries: 0, baseDelayMs: 0, maxDelayMs: 5000 }
  const { transport, fetch } = setUp(async () => Response.json({}, { status: 503, headers }), { retry })
  await vi.advanceTimersByTimeAsync(5000)

  const failures = [1000, 1001].map((timeoutMs) => failureOf(transport.get(target, {}, asItIs, { timeoutMs })))
  await vi.advanceTimersByTimeAsync(1001)

  expect(await Promise.all(failures)).toMatchObject([{ status: 503, attempts: 1 }, { attempts: 2 }])
  expect(fetch).toHaveBeenCalledTimes(3)
})

it('says that a call waited in the queue for longer than its time limit', async () => {
  const { throttle } = recordingThrottle()
  const { transport } = setUp(page, { throttle: { ...throttle, acquire: () => new Promise(() => {}) } })
  const failure = failureOf(transport.get(target, {}, asItIs, { timeoutMs: 200 }))
  await vi.advanceTimersByTimeAsync(200)

  expect(await failure).toMatchObject({ code: 'timeout', phase: 'queue', timeoutMs: 200, attempts: 0 })
})

it.each([
  ['where nothing was sent', true, 'nothing was sent within 200 ms. Check middleware and the function of `apiKey`'],
  ['where a request was sent', false, 'no response within 200 ms. Try again'],
])('says what to do about the time limit of a call %s', async (_, isStopped, message) => {
  const never = () => new Promise<never>(() => {})
  const { transport } = setUp(never, { middleware: isStopped ? [never] : [] })
  const failure = failureOf(transport.get(target, {}, asItIs, { timeoutMs: 200 }))
  await vi.advanceTimersByTimeAsync(200)

  expect(await failure).toMatchObject({
    phase: 'call',
    message: `GET /guild/{platformId} failed: ${message}, or raise timeoutMs.`,
  })
})

it('sends nothing for a call whose signal has fired', async () => {
  const { transport, fetch } = setUp()

  expect(await failureOf(transport.get(target, {}, asItIs, { signal: AbortSignal.abort('no') }))).toBe('no')
  expect(fetch).not.toHaveBeenCalled()
})

it('logs that a call has succeeded', async () => {
  const { transport, log } = setUp()

  await transport.get(target, {}, asItIs)

  expect(log.mock.calls.map(([level, message]) => [level, message()])).toEqual([
    ['debug', 'GET /guild/{platformId} succeeded with 200 (attempt 1)'],
  ])
})

it('warns of a key that has expired', async () => {
  const { transport, log } = setUp(page, { keyExpiresAt: Date.now() - 1 })

  await transport.get(target, {}, asItIs)

  expect(log.mock.calls[0]).toEqual(['warn', expect.stringMatching(/^The API key has expired /)])
})

it('leaves no timer and no listener behind', async () => {
  const { signal } = new AbortController()
  const { transport } = setUp()

  await transport.get(target, {}, asItIs, { signal, timeoutMs: 500 })

  expect(vi.getTimerCount()).toBe(0)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

it('hands on a page with its response and the details of its request', async () => {
  const { throttle } = recordingThrottle()
  const acquire: Throttle['acquire'] = async () => {
    await new Promise((resolve) => setTimeout(resolve, 70))
    return { release: () => {} }
  }
  const { transport } = setUp(page, { throttle: { ...throttle, acquire } })
  const used = transport.page(target, { page: 2 }, asItIs, undefined, (body, details) => ({ body, details: details() }))
  await vi.advanceTimersByTimeAsync(70)

  const { body, details } = await used

  expect(details).toEqual({
    method: 'GET',
    endpoint: '/guild/{platformId}',
    url: 'https://ledger.example/v1/guild/{platformId}?page=2',
    attempts: 1,
    callId: expect.any(String),
  })
  const response = responseOf(body)
  expect(response).toEqual({
    status: 200,
    headers: expect.any(Headers),
    attempts: 1,
    queuedMs: 70,
    callId: details.callId,
  })
  expect(response?.headers.get('content-type')).toBe('application/json')
})

it('redacts a key that was passed in a path, wherever it shows', async () => {
  const { transport, log } = setUp(async () => Response.json({}, { status: 418 }))

  const failure = await failureOf(
    transport.get({ path: `/${key}`, endpoint: `/x/${key}` }, { page: 2, token: key }, asItIs),
  )

  expect(failure).toMatchObject({
    method: 'GET',
    endpoint: '/x/[api key]',
    url: 'https://ledger.example/v1/x/[api key]?page=2&token=[redacted]',
    attempts: 1,
    callId: expect.any(String),
    message: expect.stringMatching(/^GET \/x\/\[api key\] failed: 418 /),
  })
  const [level, message, fields] = log.mock.calls[0] ?? []
  expect([level, message]).toEqual(['error', (failure as Error).message])
  expect(fields()).toMatchObject({ endpoint: '/x/[api key]', status: 418, attempt: 1 })
})

it.each([
  ['page 3', { page: 3 }],
  ['watch', {}],
])('logs that the call for a %s is made again', (progress, details) => {
  const { transport, log } = setUp()
  const error = Object.assign(new Error('x'), details, { callId: '7', attempts: 2 })

  transport.logRetry(`/${key}`, error, 1000)

  const [level, message, fields] = log.mock.calls[0] ?? []
  expect([level, message]).toEqual(['warn', `GET /[api key] failed with an error, retrying in 1000 ms (${progress})`])
  expect(fields()).toEqual({ callId: '7', attempt: 2, waitMs: 1000 })
})

it('fails further calls once it is closed, and ends the requests that were given up', async () => {
  const stop = new AbortController()
  const network: AbortSignal[] = []
  const { transport, fetch } = setUp(
    (_url, { signal }) => {
      network.push(signal)
      return new Promise(() => {})
    },
    { throttle: recordingThrottle().throttle },
  )
  const aborted = failureOf(transport.get(target, {}, asItIs, { signal: stop.signal }))
  await vi.advanceTimersByTimeAsync(1)
  stop.abort('enough')
  expect(await aborted).toBe('enough')
  expect(network.map((signal) => signal.aborted)).toEqual([false])

  transport.close()

  expect(network.map((signal) => signal.aborted)).toEqual([true])
  expect(await failureOf(transport.get(target, {}, asItIs))).toMatchObject({
    code: 'client_closed',
    option: 'close',
    message: 'The client was closed: make a new one for further calls.',
  })
  expect(fetch).toHaveBeenCalledOnce()
})
