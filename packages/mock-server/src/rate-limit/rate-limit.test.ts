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
  it('sliding-window: ten in any second, and the eleventh when the first is a second old', () => {
    const times = [...at(500, 5), ...at(900, 6), 1499, 1500, 1501]

    expect(passes({}, times)).toEqual([...yes(10), false, false, true, true])
  })

  it('fixed-window: ten in each second of the clock, so twenty within a moment', () => {
    const times = [...at(999, 11), ...at(1000, 11)]

    expect(passes({ rateLimitAlgorithm: 'fixed-window' }, times)).toEqual([...yes(10), false, ...yes(10), false])
  })

  it.each(['token-bucket', 'gcra'] as const)('%s: ten at once, then one each tenth of a second', (algorithm) => {
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
  })

  it('token-bucket and gcra decide alike, whatever comes when', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(400), { maxLength: 60 }),
        fc.integer({ min: 1, max: 20 }),
        fc.boolean(),
        (pauses, limit, refusalsCount) => {
          let time = 1_767_225_600_000
          const times = pauses.map((pause) => (time += pause))
          const decisions = (['token-bucket', 'gcra'] as const).map((rateLimitAlgorithm) =>
            passes({ rateLimitAlgorithm, refusalsCount }, times, limit),
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
  ] as const)('%s never lets more than %d through within a second', (rateLimitAlgorithm, most) => {
    fc.assert(
      fc.property(fc.array(fc.nat(120), { maxLength: 80 }), fc.boolean(), (pauses, refusalsCount) => {
        let time = 0
        const times = pauses.map((pause) => (time += pause))
        const decisions = passes({ rateLimitAlgorithm, refusalsCount }, times)
        const passed = times.filter((_, i) => decisions[i])
        for (const start of passed) {
          expect(passed.filter((each) => each >= start && each < start + 1000).length).toBeLessThanOrEqual(most)
        }
      }),
    )
  })
})

describe('refusalsCount', () => {
  it.each([
    ['sliding-window', [...yes(10), ...no(5)]],
    ['token-bucket', [...yes(10), ...no(5)]],
    ['gcra', [...yes(10), ...no(5)]],
  ] as const)('%s: who never stops asking is never let in again', (rateLimitAlgorithm, expected) => {
    const times = [...at(0, 10), 90, 180, 270, 360, 450]

    expect(passes({ rateLimitAlgorithm, refusalsCount: true }, times)).toEqual(expected)
  })

  it('counts nothing unless told so', () => {
    const times = [...at(0, 10), ...at(500, 50), 1000]

    expect(passes({}, times).at(-1)).toBe(true)
    expect(passes({ refusalsCount: true }, times).at(-1)).toBe(false)
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
  ] as const)('%s', (rateLimitScope, expected) => {
    const limiter = limiterOf({ rateLimitScope }, 1)

    expect(callers.map((each) => limiter.admit(each, 0).passes)).toEqual(expected)
  })
})

describe('rateLimitHeaders', () => {
  const verdicts = (rateLimitHeaders: Assumptions['rateLimitHeaders']) => {
    const limiter = limiterOf({ rateLimitHeaders }, 2)
    return [5000, 5300, 5400].map((time) => limiter.admit(caller, time))
  }

  it('retry-after: whole seconds, rounded up, on refusals only', () => {
    expect(verdicts('retry-after')).toEqual([
      { passes: true, headers: {} },
      { passes: true, headers: {} },
      { passes: false, headers: { 'retry-after': '1' }, retryAfterMs: 1000 },
    ])
  })

  it('none', () => {
    expect(verdicts('none').map(({ headers }) => headers)).toEqual([{}, {}, {}])
  })

  it('x-ratelimit: on every reply, the reset as a time', () => {
    const reply = (remaining: number, reset: number) => ({
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': String(reset),
    })

    expect(verdicts('x-ratelimit').map(({ headers }) => headers)).toEqual([reply(1, 6), reply(0, 7), reply(0, 7)])
  })

  it('ratelimit: on every reply, the reset as seconds', () => {
    const reply = (remaining: number) => ({
      ratelimit: `"default";r=${remaining};t=1`,
      'ratelimit-policy': '"default";q=2;w=1',
    })

    expect(verdicts('ratelimit').map(({ headers }) => headers)).toEqual([reply(1), reply(0), reply(0)])
  })

  it.each(['sliding-window', 'fixed-window', 'token-bucket', 'gcra'] as const)(
    '%s: who waits as long as told is let in',
    (rateLimitAlgorithm) => {
      fc.assert(
        fc.property(fc.array(fc.nat(200), { maxLength: 60 }), fc.boolean(), (pauses, refusalsCount) => {
          const limiter = limiterOf({ rateLimitAlgorithm, refusalsCount })
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

it('lets everything through when off, and says nothing', () => {
  const limiter = limiterOf({ rateLimitHeaders: 'x-ratelimit' }, 'off')

  expect(at(0, 100).map((time) => limiter.admit(caller, time))).toEqual(
    Array.from({ length: 100 }, () => ({ passes: true, headers: {} })),
  )
})

describe('memory', () => {
  it.each(['sliding-window', 'fixed-window', 'token-bucket', 'gcra'] as const)(
    'is not filled by addresses that come once: %s',
    (rateLimitAlgorithm) => {
      const limiter = limiterOf({ rateLimitAlgorithm, rateLimitScope: 'address' }, 1)

      for (let i = 0; i < 20_000; i++) limiter.admit({ keyId: 'key-1', address: `10.0.${i >> 8}.${i & 255}` }, i * 10)

      expect(limiter.state().usages.size).toBeLessThan(1200)
    },
  )

  it('keeps all who still have to wait', () => {
    const limiter = limiterOf({ rateLimitScope: 'address' }, 1)
    const ask = (i: number) => limiter.admit({ keyId: 'key-1', address: String(i) }, 500).passes
    for (let i = 0; i < 5000; i++) ask(i)

    expect(Array.from({ length: 5000 }, (_, i) => ask(i))).not.toContain(true)
  })
})
