import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError, ConnectionError, TimeoutError } from '../errors/index.ts'
import { isTransient, retryDelayMs, withRetries, type PageRetry } from './page-retry.ts'

const apiError = (retryAfterMs?: number) =>
  new ApiError('x', {
    code: 'http_error',
    status: 503,
    reason: undefined,
    headers: new Headers(),
    body: '',
    retryAfterMs,
  })

describe('the wait before a page is requested again', () => {
  it.each([
    [1, 1000],
    [2, 2000],
    [5, 16_000],
    [6, 30_000],
    [40, 30_000],
  ])('after %d failures in a row is %d ms', (failures, expected) => {
    expect(retryDelayMs(new ConnectionError('x'), failures, 1000, 30_000)).toBe(expected)
  })

  it.each([
    [undefined, 2000],
    [1999, 2000],
    [45_000, 45_000],
    [300_000, 300_000],
    [300_001, 300_000],
  ])('is no shorter than a Retry-After of %s ms, up to five minutes: %d ms', (retryAfterMs, expected) => {
    expect(retryDelayMs(apiError(retryAfterMs), 2, 1000, 30_000)).toBe(expected)
  })
})

it.each<[string, unknown, boolean]>([
  ['a failed connection', new ConnectionError('x'), true],
  ['an attempt that took too long', new TimeoutError('x', 1, 'attempt'), true],
  ['an error of another kind', new TypeError('fetch failed'), false],
  ['nothing', undefined, false],
])('%s is transient or not', (_what, error, expected) => {
  expect(isTransient(error)).toBe(expected)
})

describe('a page that fails', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const lost = new ConnectionError('lost')
  const signal = new AbortController().signal
  /** When it was requested, first and again, by a service that is back after `backAt` milliseconds, and how it ended. */
  const requestUntil = async (backAt: number, retry: Partial<PageRetry> | undefined, abort = signal) => {
    const start = Date.now()
    const requests: string[] = []
    const request = (which: string) => async () => {
      requests.push(`${which} ${Date.now() - start}`)
      if (Date.now() - start < backAt) throw lost
      return 'page'
    }
    const all = retry && { isTransient, baseDelayMs: 1000, maxDelayMs: 30_000, forMs: 10_000, ...retry }
    const result = withRetries(request('again'), all, abort, request('first')).catch((error: unknown) => error)
    await vi.runAllTimersAsync()
    return { requests, result: await result }
  }

  it('is requested a last time when the time for retries is over', async () => {
    const { requests, result } = await requestUntil(Infinity, {})

    expect(requests).toEqual(['first 0', 'again 1000', 'again 3000', 'again 7000', 'again 10000'])
    expect(result).toBe(lost)
  })

  it('is not requested again once the signal has fired, whether in a request or in a wait', async () => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(new Error('stop')), 1500)

    const { requests, result } = await requestUntil(Infinity, {}, controller.signal)
    const { result: later } = await requestUntil(Infinity, {}, controller.signal)

    expect([requests, result]).toEqual([['first 0', 'again 1000'], new Error('stop')])
    expect(later).toBe(lost)
  })
})
