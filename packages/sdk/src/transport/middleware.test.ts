import { errorBody, failureOf } from '@guild-ledger/test-kit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createApiKeys } from './api-keys.ts'
import { createAttempt } from './retry.ts'
import { createAuthentication } from './auth.ts'
import { createLingeringRequests } from './send.ts'
import type { Middleware } from './options.ts'
import { createSend, type Call } from './send.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const retry = { maxRetries: 0, maxRateLimitRetries: 0, baseDelayMs: 0, maxDelayMs: 0 }

/** Attempts to which the service responds one after the other so. */
const setUp = (responses: readonly Response[], ...middleware: readonly Middleware[]) => {
  const left = [...responses]
  const fetch = vi.fn(async () => left.shift() ?? new Response('{}'))
  const baseUrl = 'https://ledger.example'
  const keys = createApiKeys('key', () => {})
  const auth = createAuthentication({ keys, fetch, baseUrl, userAgent: {}, maxResponseBytes: 1000 })
  const attempt = createAttempt(middleware, createSend({ throttle: undefined, retry }, auth, createLingeringRequests()))
  const once = async (): Promise<Response> => {
    const call: Call = {
      label: 'GET /x',
      trace: { callId: '1', method: 'GET', endpoint: '/x', attempts: 0, queuedMs: 0 },
      signal: new AbortController().signal,
      timeLeftMs: () => Infinity,
      attemptTimeoutMs: 1000,
      priority: 'interactive',
      isQueued: false,
      onSend: () => {},
    }
    return attempt(new Request(baseUrl), call)
  }
  return { once }
}

const respond = (status: number, message = 'x') => Response.json(errorBody(message), { status })

it.each([
  ['a response of the highest status that a Response can have', 599, [599]],
  ['no response of a higher status', 600, []],
])('passes %s through middleware', async (_, status, expected) => {
  const seen: number[] = []
  const response = Object.defineProperty(respond(500), 'status', { value: status })
  const { once } = setUp([response], async (request, next) => {
    const passed = await next(request)
    seen.push(passed.status)
    return passed
  })

  expect(await failureOf(once())).toMatchObject({ code: 'server_error', status, reason: 'x' })
  expect(seen).toEqual(expected)
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
  const { once } = setUp([respond(503)], layer)

  expect(await failureOf(once())).toMatchObject({
    option: 'middleware',
    message: `\`middleware\` must return a Response, got ${fault}`,
  })
})

it('gives middleware the time of an attempt', async () => {
  const failure = failureOf(setUp([], () => new Promise(() => {})).once())
  await vi.advanceTimersByTimeAsync(1000)

  expect(await failure).toMatchObject({ code: 'timeout', phase: 'attempt', timeoutMs: 1000 })
})
