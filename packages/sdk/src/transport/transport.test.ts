import { failureOf } from '@guild-ledger/test-kit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { AcquireOptions, Throttle } from '../throttle/index.ts'
import { createApiKeys } from './api-keys.ts'
import type { Decoder } from './decode.ts'
import type { CallOptions, Fetch, TransportSettings } from './options.ts'
import { createTransport, type QueryParameters, type Target } from './transport.ts'

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
  const get = async <T>(what: Target, query: QueryParameters, decode: Decoder<T>, options: CallOptions = {}) =>
    (await transport.get({ ...what, query, decode, options })).value
  return { get, fetch, log, transport }
}

it('sends a request where the throttle is paused for no longer than timeoutMs', async () => {
  const { get } = setUp(page, { throttle: recordingThrottle(2000).throttle })

  expect(await get(target, {}, asItIs, { timeoutMs: 2000 })).toEqual({ success: true })
})

it('passes the priority and the time limit of an attempt to the throttle', async () => {
  const { throttle, acquireOptions } = recordingThrottle()
  const { get } = setUp(page, { throttle })

  await get(target, {}, asItIs)
  await get(target, {}, asItIs, { priority: 'background', attemptTimeoutMs: 500 })

  const signal = expect.any(AbortSignal)
  expect(acquireOptions).toEqual([
    { priority: 'interactive', attemptTimeoutMs: 1000, signal },
    { priority: 'background', attemptTimeoutMs: 500, signal },
  ])
})

it('redacts a key that was passed in a path, wherever it shows', async () => {
  const { get, log } = setUp(async () => Response.json({}, { status: 418 }))

  const failure = await failureOf(get({ path: `/${key}`, endpoint: `/x/${key}` }, { page: 2, token: key }, asItIs))

  expect(failure).toMatchObject({
    method: 'GET',
    endpoint: '/x/[api key]',
    url: 'https://ledger.example/v1/x/[api key]?page=2&token=[redacted]',
    attempts: 1,
    callId: expect.any(String),
    message: expect.stringMatching(/^GET \/x\/\[api key\] failed: 418 /),
  })
  const [level, event, message, fields] = log.mock.calls[0] ?? []
  expect([level, event, message]).toEqual(['error', 'call_failed', (failure as Error).message])
  expect(fields()).toMatchObject({ endpoint: '/x/[api key]', status: 418, attempt: 1 })
})

it('calls the listeners of `closed` that are left when the client closes', () => {
  const { transport } = setUp()
  const [left, removed] = [vi.fn(), vi.fn()]
  for (const listener of [left, removed]) transport.context.closed.addEventListener('abort', listener)
  transport.context.closed.removeEventListener('abort', removed)

  transport.close()

  expect([left.mock.calls.length, removed.mock.calls.length]).toEqual([1, 0])
})
