import { describe, expect, it, vi } from 'vitest'
import {
  ApiError,
  type ApiErrorCode,
  ConfigurationError,
  ConnectionError,
  InvalidParameterError,
} from '../errors/index.ts'
import { createWatchRetry, pollDelayMs } from './watch.ts'

const apiError = (status: number, code: ApiErrorCode = 'http_error', retryAfterMs?: number) =>
  new ApiError('x', { code, status, reason: undefined, headers: new Headers(), body: '', retryAfterMs })

describe('a failure of a watch', () => {
  it.each<[string, Error, boolean, boolean]>([
    ['of the connection', new ConnectionError('x'), true, true],
    ['of the service', apiError(503, 'server_error'), true, true],
    ['by the rate limit', apiError(429, 'rate_limited'), true, true],
    ['for a key that is not valid', apiError(401), false, true],
    ['for a path that does not exist', apiError(404), false, true],
    ['of an unknown kind', new TypeError('x'), true, true],
    ['of configuration', new ConfigurationError('x', 'apiKey'), false, false],
    ['of a parameter', new InvalidParameterError([]), false, false],
  ])('%s is retried, before the first good poll or after it', (_what, error, before, after) => {
    let hasSucceeded = false
    const { isTransient } = createWatchRetry(5000, [], () => hasSucceeded)

    const first = isTransient(error)
    hasSucceeded = true

    expect([first, isTransient(error)]).toEqual([before, after])
  })

  it('is retried after the interval, then after twice as long each time, five minutes at most, for an hour', () => {
    const { baseDelayMs, maxDelayMs, forMs } = createWatchRetry(5000, [], () => true)

    expect([baseDelayMs, maxDelayMs, forMs]).toEqual([5000, 300_000, 3_600_000])
    expect([1, 2, 3, 7, 8].map((failures) => pollDelayMs(new ConnectionError('x'), failures, 5000))).toEqual([
      5000, 10_000, 20_000, 300_000, 300_000,
    ])
    expect(
      [60_000, 900_000].map((retryAfterMs) => pollDelayMs(apiError(429, 'rate_limited', retryAfterMs), 1, 5000)),
    ).toEqual([60_000, 300_000])
  })

  it('is reported to each listener, whatever another one throws', () => {
    const onError = vi.fn(() => {
      throw new Error('bug')
    })
    const second = vi.fn<() => void>()
    const error = new ConnectionError('x')

    createWatchRetry(5000, [onError, undefined, second], () => true).onRetry?.(error, { retryInMs: 7 })

    expect([onError.mock.calls, second.mock.calls]).toEqual([[[error, { retryInMs: 7 }]], [[error, { retryInMs: 7 }]]])
  })
})
