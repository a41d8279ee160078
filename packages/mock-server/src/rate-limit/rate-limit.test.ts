import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assume, type Assumptions } from '../assumptions/values.ts'
import { createRateLimiter, type Usages } from './rate-limit.ts'

const caller = { keyId: 'key-1', address: '127.0.0.1' }
const limiterOf = (assumptions: Partial<Assumptions>, limit: number | 'off' = 10) =>
  createRateLimiter(limit, () => assume(assumptions))
/** Which of the requests at these times pass: `y` or `n` for each. */
const passes = (assumptions: Partial<Assumptions>, times: readonly number[]) => {
  const limiter = limiterOf(assumptions)
  return times.map((at) => (limiter.admit(caller, at).passes ? 'y' : 'n')).join('')
}
const everyAlgorithm = ['sliding-window', 'fixed-window', 'token-bucket', 'leaky-bucket'] as const
const ten = 'yyyyyyyyyy'
const at = (time: number, count: number) => Array.from({ length: count }, () => time)

describe('algorithms', () => {
  it.each([
    ['ten in any second', 'sliding-window', [...at(500, 5), ...at(900, 6), 1499, 1500, 1501], `${ten}nnyy`],
    ['ten in each second of the clock', 'fixed-window', [...at(999, 11), ...at(1000, 11)], `${ten}n${ten}n`],
    [
      'ten at once, then one every tenth of a second',
      'token-bucket',
      [...at(0, 11), 99, 100, 100, 250, 1250, ...at(1250, 10)],
      `${ten}nnyny${ten}n`,
    ],
    [
      'one every tenth of a second, and no burst after a pause',
      'leaky-bucket',
      [0, 0, 99, 100, 199, 200, 5000, 5000, 5050, 5100],
      'ynnynyynny',
    ],
  ] as const)('allow %s with %s', (_how, rateLimitAlgorithm, times, expected) => {
    expect(passes({ rateLimitAlgorithm }, times)).toBe(expected)
  })

  it.each([
    ['sliding-window', 10],
    ['fixed-window', 20],
    ['token-bucket', 20],
    ['leaky-bucket', 10],
  ] as const)('never allow with %s more than %d within a second', (rateLimitAlgorithm, most) => {
    fc.assert(
      fc.property(fc.array(fc.nat(120), { maxLength: 80 }), fc.boolean(), (pauses, rateLimitedRequestsCount) => {
        let time = 0
        const times = pauses.map((pause) => (time += pause))
        const decisions = passes({ rateLimitAlgorithm, rateLimitedRequestsCount }, times)
        const passed = times.filter((_, i) => decisions[i] === 'y')
        for (const start of passed)
          expect(passed.filter((each) => each >= start && each < start + 1000).length).toBeLessThanOrEqual(most)
      }),
    )
  })
})

describe('rateLimitedRequestsCount', () => {
  it.each([
    ['sliding-window', `${ten}nnnnn`],
    ['token-bucket', `${ten}nnnnn`],
    ['leaky-bucket', 'ynnnnnnnnnnnnnn'],
  ] as const)('rejects a caller that never pauses, with %s', (rateLimitAlgorithm, expected) => {
    const times = [...at(0, 10), 90, 180, 270, 360, 450]

    expect(passes({ rateLimitAlgorithm, rateLimitedRequestsCount: true }, times)).toBe(expected)
  })

  it('counts no rejected requests by default', () => {
    const times = [...at(0, 10), ...at(500, 50), 1000]

    expect([passes({}, times).at(-1), passes({ rateLimitedRequestsCount: true }, times).at(-1)]).toEqual(['y', 'n'])
  })
})

describe('rateLimitScope', () => {
  const callers = [
    { keyId: 'a', address: '10.0.0.1' },
    { keyId: 'b', address: '10.0.0.1' },
    { keyId: 'a', address: '10.0.0.2' },
    { keyId: 'b', address: undefined },
  ]
  it.each([
    ['key', [true, true, false, false]],
    ['guild', [true, false, false, false]],
    ['address', [true, false, true, true]],
  ] as const)('counts by %s', (rateLimitScope, expected) => {
    const limiter = limiterOf({ rateLimitScope }, 1)

    expect(callers.map((each) => limiter.admit(each, 0).passes)).toEqual(expected)
  })
})

it('what was used is forgotten when the assumptions change, and change back', () => {
  let assumptions: Partial<Assumptions> = {}
  const limiter = createRateLimiter(1, () => assume(assumptions))
  const isAllowed = () => limiter.admit(caller, 0).passes
  const before = [isAllowed(), isAllowed()]

  assumptions = { rateLimitScope: 'guild' }
  isAllowed()
  assumptions = {}

  expect([...before, isAllowed()]).toEqual([true, false, true])
})

describe('rateLimitHeaders', () => {
  const verdicts = (rateLimitHeaders: Assumptions['rateLimitHeaders']) => {
    const limiter = limiterOf({ rateLimitHeaders }, 2)
    return [5000, 5300, 5400].map((time) => limiter.admit(caller, time))
  }

  it('sends retry-after in seconds, rounded up, with rejected requests only', () => {
    expect(verdicts('retry-after')).toEqual([
      { passes: true, headers: {} },
      { passes: true, headers: {} },
      { passes: false, headers: { 'retry-after': '1' }, retryAfterMs: 1000 },
    ])
  })

  it('sends no headers with none', () => {
    expect(verdicts('none')).toEqual([true, true, false].map((isAllowed) => ({ passes: isAllowed, headers: {} })))
  })

  it('sends ratelimit with every response, the reset in seconds', () => {
    const headersOf = (remaining: number) => ({
      ratelimit: `"default";r=${remaining};t=1`,
      'ratelimit-policy': '"default";q=2;w=1',
    })

    expect(verdicts('ratelimit').map(({ headers }) => headers)).toEqual([headersOf(1), headersOf(0), headersOf(0)])
  })

  it.each([
    ['sliding-window', '3/4/6 2/4/6 1/4/7 2/4/7 1/4/8'],
    ['fixed-window', '3/4/6 2/4/6 1/4/6 3/4/7 2/4/7'],
    ['token-bucket', '3/4/6 2/4/6 2/4/6 3/4/7 2/4/7'],
    ['leaky-bucket', '0/4/6 0/4/6 0/4/6 0/4/7 0/4/7'],
  ] as const)(
    'says with %s what remains of the limit, and the second from which on all does, rejected or not',
    (rateLimitAlgorithm, expected) => {
      const limiter = limiterOf({ rateLimitAlgorithm, rateLimitHeaders: 'x-ratelimit' }, 4)
      const said = [5000, 5000, 5250, 6000, 6240].map((time) => {
        const { headers } = limiter.admit(caller, time)
        return ['remaining', 'limit', 'reset'].map((name) => headers[`x-ratelimit-${name}`]).join('/')
      })

      expect(said.join(' ')).toBe(expected)
    },
  )

  it.each(everyAlgorithm)(
    'says with %s that nothing remains, however many rejected requests were counted',
    (rateLimitAlgorithm) => {
      const limiter = limiterOf(
        { rateLimitAlgorithm, rateLimitHeaders: 'ratelimit', rateLimitedRequestsCount: true },
        2,
      )
      const said = at(5000, 5).map((time) => limiter.admit(caller, time).headers['ratelimit'])

      expect(said.at(-1)).toBe('"default";r=0;t=1')
    },
  )

  it.each(everyAlgorithm)(
    'allows a caller with %s once it has waited for the second that retry-after says',
    (rateLimitAlgorithm) => {
      fc.assert(
        fc.property(
          fc.array(fc.nat(80), { minLength: 20, maxLength: 60 }),
          fc.boolean(),
          (pauses, rateLimitedRequestsCount) => {
            const limiter = limiterOf({ rateLimitAlgorithm, rateLimitedRequestsCount })
            let time = 0
            for (const pause of pauses) {
              time += pause
              const { retryAfterMs } = limiter.admit(caller, time)
              if (retryAfterMs === undefined) continue
              expect(retryAfterMs).toBe(1000)
              time += retryAfterMs
              expect(limiter.admit(caller, time).passes).toBe(true)
            }
          },
        ),
      )
    },
  )
})

it('the rate limit is counted apart for an address by limiters with different limits, together by others', () => {
  const addresses: Usages = new Map()
  const isAllowed = [1, 1, 2, 2].map((limit) => {
    const limiter = createRateLimiter(limit, () => assume({ rateLimitScope: 'address' }), addresses)
    return () => limiter.admit(caller, 0).passes
  })

  expect(isAllowed.map((one) => one())).toEqual([true, false, true, true])
})

describe('the limit of a limiter', () => {
  it('can be changed, and forgets what was used', () => {
    const addresses: Usages = new Map()
    const limiter = createRateLimiter(1, () => assume({}), addresses)
    const byAddress = createRateLimiter(1, () => assume({ rateLimitScope: 'address' }), addresses)
    const isAllowed = () => limiter.admit(caller, 0).passes
    const before = [isAllowed(), isAllowed(), byAddress.admit(caller, 0).passes, byAddress.admit(caller, 0).passes]

    limiter.limit = 2

    expect(before).toEqual([true, false, true, false])
    expect(limiter.limit).toBe(2)
    expect([isAllowed(), isAllowed(), isAllowed()]).toEqual([true, true, false])
    expect(byAddress.admit(caller, 0).passes).toBe(true)
  })
})
