import { errorBody, failureOf } from '@guild-ledger/test-kit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createApiKeys } from './api-keys.ts'
import { createAttempt } from './attempt.ts'
import { createAuthentication } from './auth.ts'
import { fixedKey, type ApiKeys } from './fixed-key.ts'
import { createLingeringRequests } from './lingering.ts'
import type { Middleware } from './options.ts'
import type { Call } from './send.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const retry = { maxRetries: 0, maxRateLimitRetries: 0, baseDelayMs: 0, maxDelayMs: 0 }

/** Attempts to which the service responds one after the other so. */
const setUp = (responses: readonly Response[], keys: ApiKeys, ...middleware: readonly Middleware[]) => {
  const left = [...responses]
  const fetch = vi.fn(async () => left.shift() ?? new Response('{}'))
  const baseUrl = 'https://ledger.example'
  const auth = createAuthentication({ keys, fetch, baseUrl, userAgent: {}, maxResponseBytes: 1000 })
  const attempt = createAttempt({ throttle: undefined, middleware, retry }, auth, createLingeringRequests())
  const once = async (): Promise<Response> => {
    const call: Call = {
      keyVersion: -1,
      label: 'GET /x',
      trace: { callId: '1', method: 'GET', endpoint: '/x', attempts: 0, queuedMs: 0 },
      signal: undefined,
      timeLeftMs: () => Infinity,
      attemptTimeoutMs: 1000,
      priority: 'interactive',
      isQueued: false,
      onSend: () => {},
    }
    return attempt(new Request(baseUrl), call)
  }
  return { once, fetch }
}

const respond = (status: number, message = 'x') => Response.json(errorBody(message), { status })
const rejected = () => respond(401, 'Unauthorized - invalid API key')

it.each([
  ['a response of the highest status that a Response can have', 599, [599]],
  ['no response of a higher status', 600, []],
])('passes %s through middleware', async (_, status, expected) => {
  const seen: number[] = []
  const response = Object.defineProperty(respond(500), 'status', { value: status })
  const { once } = setUp([response], fixedKey('key'), async (request, next) => {
    const passed = await next(request)
    seen.push(passed.status)
    return passed
  })

  expect(await failureOf(once())).toMatchObject({ code: 'server_error', status, reason: 'x' })
  expect(seen).toEqual(expected)
})

it.each([204, 205])('resolves with a response of status %i, which has no body', async (status) => {
  const pass: Middleware = (request, next) => next(request)
  for (const middleware of [[], [pass]]) {
    const { once } = setUp([new Response(null, { status })], fixedKey('key'), ...middleware)
    const response = await once()

    expect([response.status, await response.text()]).toEqual([status, ''])
  }
})

it('resolves with a response whose text is known, with its status and headers', async () => {
  const headers = { 'x-test': 'yes' }
  const { once } = setUp([new Response('a page', { status: 201, headers })], fixedKey('key'))
  const response = await once()

  expect([response.status, response.headers.get('x-test')]).toEqual([201, 'yes'])
  expect(await response.text()).toBe('a page')
  expect(await response.text()).toBe('a page')
})

it.each([
  ['200, so the key was accepted', 200, 1],
  ['404, so the key was accepted', 404, 1],
  ['428, so the key was accepted', 428, 1],
  ['429, which says nothing about the key', 429, 0],
  ['503, which says nothing about the key', 503, 0],
])('tries a rejected key again after 10 seconds, and gets a %s', async (_, status, sent) => {
  const apiKey = vi.fn(() => 'key')
  const keys = createApiKeys(apiKey, () => {})
  const { once, fetch } = setUp([rejected(), respond(status)], keys)
  await failureOf(once())
  await vi.advanceTimersByTimeAsync(10_000)
  await once().catch(() => {})
  fetch.mockClear()

  await once().catch(() => {})

  expect(fetch).toHaveBeenCalledTimes(sent)
})

it.each([404, 503])('does not call the function of the key again after a %i', async (status) => {
  const apiKey = vi.fn(() => 'key')
  const { once } = setUp(
    [respond(status)],
    createApiKeys(apiKey, () => {}),
  )

  expect(await failureOf(once())).toMatchObject({ status })
  expect(apiKey).toHaveBeenCalledOnce()
})

it('sends a request once more after a 401 if the function returns another key, and no more than once', async () => {
  const keys = createApiKeys(
    vi
      .fn(() => 'third')
      .mockReturnValueOnce('first')
      .mockReturnValueOnce('second'),
    () => {},
  )
  const { once, fetch } = setUp([rejected(), rejected()], keys)

  expect(await failureOf(once())).toMatchObject({ code: 'invalid_api_key' })
  expect(fetch).toHaveBeenCalledTimes(2)
  expect(keys.current).toBe('second')
})

it('sends a request once after a 401 if the function returns the same key', async () => {
  const { once, fetch } = setUp(
    [rejected()],
    createApiKeys(
      () => 'key',
      () => {},
    ),
  )

  expect(await failureOf(once())).toMatchObject({
    code: 'invalid_api_key',
    message: expect.stringMatching(/^GET \/x failed: 401 /),
  })
  expect(fetch).toHaveBeenCalledOnce()
})

it('learns nothing about the second key from a response that middleware makes itself', async () => {
  let isCached = false
  const cache: Middleware = async (request, next) => (isCached ? new Response('{}') : next(request))
  const keys = createApiKeys(vi.fn(() => 'second').mockReturnValueOnce('first'), () => {})
  const { once, fetch } = setUp([rejected(), rejected()], keys, cache)
  await failureOf(once())
  await vi.advanceTimersByTimeAsync(10_000)

  isCached = true
  expect((await once()).status).toBe(200)
  isCached = false

  expect(await failureOf(once())).toMatchObject({ code: 'invalid_api_key' })
  expect(fetch).toHaveBeenCalledTimes(2)
})

it.each<[string, (response: Response) => Promise<unknown>, string]>([
  ['nothing', async () => undefined, 'something else'],
  ['something like a response', async () => ({ status: 200, ok: true, bodyUsed: false }), 'something else'],
  [
    'a response that it has read',
    async (response) => {
      await response.text()
      return response
    },
    'one whose body was read: return a clone',
  ],
])('rejects middleware that returns %s', async (_, returned, fault) => {
  const layer: Middleware = async (request, next) => returned(await next(request)) as Promise<Response>
  const { once } = setUp([respond(503)], fixedKey('key'), layer)

  expect(await failureOf(once())).toMatchObject({
    option: 'middleware',
    message: `\`middleware\` must return a Response, got ${fault}`,
  })
})

it('gives middleware the time of an attempt', async () => {
  const failure = failureOf(setUp([], fixedKey('key'), () => new Promise(() => {})).once())
  await vi.advanceTimersByTimeAsync(1000)

  expect(await failure).toMatchObject({ code: 'timeout', phase: 'attempt', timeoutMs: 1000 })
})
