import { expect, it } from 'vitest'
import { ApiError, ConnectionError, RedirectError, TimeoutError } from '../errors/index.ts'
import { retryDelayMs } from './retry.ts'

const settings = { baseDelayMs: 300, maxDelayMs: 20_000 }
const apiError = (status: number, retryAfterMs?: number) =>
  new ApiError('x', {
    code: 'http_error',
    status,
    reason: undefined,
    headers: new Headers(),
    body: '',
    retryAfterMs,
  })

it.each([
  [1, 150],
  [2, 300],
  [3, 600],
  [7, 9_600],
  [8, 10_000],
  [100, 10_000],
])('waits before retry %i for half of its bound if the random number is 0.5: %i ms', (retry, expectedMs) => {
  expect(retryDelayMs(new ConnectionError('x'), retry, settings, () => 0.5)).toBe(expectedMs)
})

it.each([
  [0, 0],
  [7_000, 7_000],
  [20_000, 20_000],
  [20_001, undefined],
])('waits for a Retry-After of %i ms: %s', (retryAfterMs, expected) => {
  expect(retryDelayMs(apiError(429, retryAfterMs), 1, settings, () => 0.5)).toBe(expected)
})

it.each<[string, Error, boolean]>([
  ['a 408', apiError(408), true],
  ['a 429', apiError(429), true],
  ['a 500', apiError(500), true],
  ['a 501', apiError(501), false],
  ['a 502', apiError(502), true],
  ['a 503', apiError(503), true],
  ['a 504', apiError(504), true],
  ['a 401', apiError(401), false],
  ['a 404', apiError(404), false],
  ['a failed connection', new ConnectionError('x'), true],
  ['a redirect', new RedirectError('x'), false],
  ['a timeout of an attempt', new TimeoutError('x', 1, 'attempt'), true],
  ['a timeout of the call', new TimeoutError('x', 1, 'call'), false],
  ['a timeout in the queue', new TimeoutError('x', 1, 'queue'), false],
  ['an error of another kind', new TypeError('fetch failed'), false],
])('decides whether to retry %s', (_, error, isRetried) => {
  expect(retryDelayMs(error, 1, settings, () => 0) !== undefined).toBe(isRetried)
})
