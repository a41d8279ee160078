import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assume, type Assumptions } from '../assumptions/index.ts'
import { createRateLimiter } from './index.ts'

const caller = { keyId: 'key-1', address: '127.0.0.1' }
const limiterOf = (assumptions: Partial<Assumptions>, limit: number | 'off' = 10) =>
  createRateLimiter(limit, () => assume(assumptions))
/** Which of the requests at these times pass. */
const passes = (assumptions: Partial<Assumptions>, times: readonly number[], limit = 10) => {
  const limiter = limiterOf(assumptions, limit)
  return times.map((at) => limiter.admit(caller, at).passes)
}
const yes = (count: number) => Array.from({ length: count }, () => true)
const no = (count: number) => Array.from({ length: count }, () => false)
const at = (time: number, count: number) => Array.from({ length: count }, () => time)

describe('algorithms', () => {
  it('allow ten in any second with sliding-window, and the eleventh a second after the first', () => {
    const times = [...at(500, 5), ...at(900, 6), 1499, 1500, 1501]

    expect(passes({}, times)).toEqual([...yes(10), false, false, true, true])
  })

  it('allow ten in each second of the clock with fixed-window, so twenty within a moment', () => {
    const times = [...at(999, 11), ...at(1000, 11)]

    expect(passes({ rateLimitAlgorithm: 'fixed-window' }, times)).toEqual([...yes(10), false, ...yes(10), false])
  })

  it.each(['token-bucket', 'gcra'] as const)(
    'allow ten at once with %s, then one every tenth of a second',
    (algorithm) => {
      const times = [...at(0, 11), 99, 100, 100, 250, 1250, ...at(1250, 10)]

      expect(passes({ rateLimitAlgorithm: algorithm }, times)).toEqual([
        ...yes(10),
        false,
        false,
        true,
        false,
        true,
        true,
        ...yes(9),
        false,
      ])
    },
  )

  it('decide alike with token-bucket and gcra, whatever comes when', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(400), { maxLength: 60 }),
        fc.integer({ min: 1, max: 20 }),
        fc.boolean(),
        (pauses, limit, rateLimitedRequestsCount) => {
          let time = 1_767_225_600_000
          const times = pauses.map((pause) => (time += pause))
          const decisions = (['token-bucket', 'gcra'] as const).map((rateLimitAlgorithm) =>
            passes({ rateLimitAlgorithm, rateLimitedRequestsCount }, times, limit),
          )
          expect(decisions[0]).toEqual(decisions[1])
        },
      ),
    )
  })

  it.each([
    ['sliding-window', 10],
    ['fixed-window', 20],
    ['token-bucket', 20],
    ['gcra', 20],
  ] as const)('never allow with %s more than %d within a second', (rateLimitAlgorithm, most) => {
    fc.assert(
      fc.property(fc.array(fc.nat(120), { maxLength: 80 }), fc.boolean(), (pauses, rateLimitedRequestsCount) => {
        let time = 0
        const times = pauses.map((pause) => (time += pause))
        const decisions = passes({ rateLimitAlgorithm, rateLimitedRequestsCount }, times)
        const passed = times.filter((_, i) => decisions[i])
        for (const start of passed) {
          expect(passed.filter((each) => each >= start && each < start + 1000).length).toBeLessThanOrEqual(most)
        }
      }),
    )
  })
})

describe('rateLimitedRequestsCount', () => {
  it.each([
    ['sliding-window', [...yes(10), ...no(5)]],
    ['token-bucket', [...yes(10), ...no(5)]],
    ['gcra', [...yes(10), ...no(5)]],
  ] as const)('rejects a caller that never pauses, with %s', (rateLimitAlgorithm, expected) => {
    const times = [...at(0, 10), 90, 180, 270, 360, 450]

    expect(passes({ rateLimitAlgorithm, rateLimitedRequestsCount: true }, times)).toEqual(expected)
  })

  it('counts no rejected requests by default', () => {
    const times = [...at(0, 10), ...at(500, 50), 1000]

    expect(passes({}, times).at(-1)).toBe(true)
    expect(passes({ rateLimitedRequestsCount: true }, times).at(-1)).toBe(false)
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
    expect(verdicts('none').map(({ headers }) => headers)).toEqual([{}, {}, {}])
  })

  it('sends x-ratelimit with every response, the reset as a time', () => {
    const headersOf = (remaining: number, reset: number) => ({
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': String(reset),
    })

    expect(verdicts('x-ratelimit').map(({ headers }) => headers)).toEqual([
      headersOf(1, 6),
      headersOf(0, 7),
      headersOf(0, 7),
    ])
  })

  it('sends ratelimit with every response, the reset in seconds', () => {
    const headersOf = (remaining: number) => ({
      ratelimit: `"default";r=${remaining};t=1`,
      'ratelimit-policy': '"default";q=2;w=1',
    })

    expect(verdicts('ratelimit').map(({ headers }) => headers)).toEqual([headersOf(1), headersOf(0), headersOf(0)])
  })

  it.each(['sliding-window', 'fixed-window', 'token-bucket', 'gcra'] as const)(
    'allows a caller with %s once it has waited as long as retry-after says',
    (rateLimitAlgorithm) => {
      fc.assert(
        fc.property(fc.array(fc.nat(200), { maxLength: 60 }), fc.boolean(), (pauses, rateLimitedRequestsCount) => {
          const limiter = limiterOf({ rateLimitAlgorithm, rateLimitedRequestsCount })
          let time = 0
          for (const pause of pauses) {
            time += pause
            const { retryAfterMs } = limiter.admit(caller, time)
            if (retryAfterMs === undefined) continue
            time += retryAfterMs
            expect(limiter.admit(caller, time).passes).toBe(true)
          }
        }),
      )
    },
  )
})

it('allows everything when off, without headers', () => {
  const limiter = limiterOf({ rateLimitHeaders: 'x-ratelimit' }, 'off')

  expect(at(0, 100).map((time) => limiter.admit(caller, time))).toEqual(
    Array.from({ length: 100 }, () => ({ passes: true, headers: {} })),
  )
})

describe('memory of the rate limit', () => {
  it.each(['sliding-window', 'fixed-window', 'token-bucket', 'gcra'] as const)(
    'is not filled by addresses that come once: %s',
    (rateLimitAlgorithm) => {
      const limiter = limiterOf({ rateLimitAlgorithm, rateLimitScope: 'address' }, 1)

      for (let i = 0; i < 20_000; i++) limiter.admit({ keyId: 'key-1', address: `10.0.${i >> 8}.${i & 255}` }, i * 10)

      expect(limiter.state().usages.size).toBeLessThan(1200)
    },
  )

  it('keeps every address that still has to wait', () => {
    const limiter = limiterOf({ rateLimitScope: 'address' }, 1)
    const isAllowed = (i: number) => limiter.admit({ keyId: 'key-1', address: String(i) }, 500).passes
    for (let i = 0; i < 5000; i++) isAllowed(i)

    expect(Array.from({ length: 5000 }, (_, i) => isAllowed(i))).not.toContain(true)
  })
})
