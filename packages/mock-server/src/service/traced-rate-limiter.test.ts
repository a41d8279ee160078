import { afterEach, expect, it } from 'vitest'
import { assume, setProcessWide, type Assumptions } from '../assumptions/index.ts'
import { createAddressUsages, createRateLimiter, type RateLimit } from '../rate-limit/index.ts'
import { traceRateLimiter } from './traced-rate-limiter.ts'

afterEach(() => setProcessWide(undefined))

/** A limiter, and what each request was reported to depend on. */
const traced = (limit: RateLimit, assumptions: Partial<Assumptions> = {}) => {
  const current = () => assume(assumptions)
  setProcessWide({ onTrace: () => {} })
  const reported: string[][] = []
  const byAddress = createAddressUsages()
  const limiter = traceRateLimiter(createRateLimiter(limit, current), current, byAddress)
  const passes = (at: number, keyId = 'key-1', address?: string) => {
    const decision = limiter.admit({ keyId, address }, at)
    reported.push(limiter.dependsOn().map(({ key, value }) => `${key}=${String(value)}`))
    return decision.passes
  }
  return { limiter, passes, reported, addresses: () => [...byAddress.state().keys()] }
}
const headers = ['rateLimitHeaders=x-ratelimit', 'rateLimitHeaders=ratelimit']

it('a request that passes depends on the headers that all responses have', () => {
  const { passes, reported } = traced(1)

  expect(passes(0)).toBe(true)
  expect(reported).toEqual([headers])
})

it('a rejected request depends on the status, and on all headers', () => {
  const { passes, reported } = traced(1, { rateLimitHeaders: 'none' })

  expect([passes(0), passes(0)]).toEqual([true, false])
  expect(reported[1]?.map((one) => one.split('=')[0])).toContain('rateLimitStatus')
  expect(reported[1]).toContain('rateLimitHeaders=retry-after')
  expect(reported[1]).not.toContain('rateLimitHeaders=none')
})

it.each([
  ['rateLimitAlgorithm=fixed-window', [[999], [1000]]],
  ['rateLimitScope=guild', [[0], [0, 'key-2']]],
  ['rateLimitedRequestsCount=true', [[0], [500], [1000]]],
] as const)('a request depends on %s where it would pass or be rejected with that', (alternative, requests) => {
  const { passes, reported } = traced(1)

  for (const [at, keyId] of requests) passes(at, keyId)

  expect(reported.map((one) => one.includes(alternative))).toEqual(requests.map((_, i) => i === requests.length - 1))
})

it('a traced limiter counts by address apart for each other value', () => {
  const { passes, reported, addresses } = traced(1)

  passes(0, 'key-1', 'a')
  passes(0, 'key-2', 'a')
  passes(2000, 'key-2', 'b')

  expect(reported.map((one) => one.includes('rateLimitScope=address'))).toEqual([false, true, false])
  expect(addresses()).toEqual(['rateLimitScope=address sliding-window 1'])
})

it('a traced limiter has the limit that is set, also under other values', () => {
  const { limiter, passes, reported } = traced(1)
  limiter.limit = 'off'

  expect([passes(0), passes(0), limiter.limit]).toEqual([true, true, 'off'])
  expect(reported).toEqual([[], []])
})

it('a traced limiter goes back to a state, also under other values', () => {
  const { limiter, passes, reported } = traced(1)
  const fresh = limiter.state()
  limiter.limit = 5
  for (let i = 0; i < 5; i++) passes(0)

  limiter.restore(fresh)

  expect([limiter.limit, passes(0), passes(0)]).toEqual([1, true, false])
  expect(reported.at(-2)).toEqual(headers)
})
