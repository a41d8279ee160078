import type { Assumptions } from '@guild-ledger/mock-server'
import { describe, expect, it } from 'vitest'
import type { KeyName } from '../../src/probe/rate-limit/hypotheses.ts'
import { burstAt, mockThatCounts, type Admit, type Between } from './burst-service.ts'

const counting = ['rateLimitAlgorithm', 'rateLimitedRequestsCount', 'rateLimitScope'] as const
const algorithms = ['sliding-window', 'fixed-window', 'token-bucket'] as const
const decided = (value: unknown) => ({ verdict: 'decided', value })

/** What each algorithm lets a probe conclude. */
const conclusions = {
  'sliding-window': decided('sliding-window'),
  'fixed-window': decided('fixed-window'),
  'token-bucket': decided('token-bucket'),
}

const isThorough = process.env['CI'] !== undefined

const paths: readonly (readonly [string, Between])[] = [
  ['without delay', {}],
  ['with 60 ms each way and up to 15 ms more', { pathMs: 60, jitterMs: 15 }],
  ['with connections that take up to 60 ms to open', { pathMs: 20, jitterMs: 5, handshakeMs: 60 }],
]

describe.each(paths)('a burst %s', (_, between) => {
  describe.each(algorithms)('on a service that counts by %s', (rateLimitAlgorithm) => {
    it.each([false, true])('with rejected requests counted: %s, finds out how it counts', async (count) => {
      const admit = mockThatCounts({ rateLimitAlgorithm, rateLimitedRequestsCount: count })

      const { verdictOf, sent } = await burstAt(admit, { ...between, seed: 3 })

      expect(verdictOf('rateLimitAlgorithm')).toMatchObject(conclusions[rateLimitAlgorithm])
      expect(verdictOf('rateLimitedRequestsCount')).toMatchObject(
        rateLimitAlgorithm === 'fixed-window' ? { verdict: 'unobservable', candidates: [false, true] } : decided(count),
      )
      expect(verdictOf('rateLimitScope')).toMatchObject({ verdict: 'skipped' })
      expect(sent).toBeLessThanOrEqual(86)
    })
  })
})

describe.each([
  ['key', 18],
  // A limit that keys share is confirmed by two more rounds.
  ['guild', 4 * 18],
  ['address', 6 * 18],
] as const)('a burst on a service that counts by %s', (rateLimitScope, ofKeys) => {
  const service = () => mockThatCounts({ rateLimitScope })

  it('decides the scope with both further keys', async () => {
    const { verdictOf, sent } = await burstAt(service(), { keys: ['sameGuild', 'otherGuild'], pathMs: 30, jitterMs: 5 })

    expect(verdictOf('rateLimitScope')).toMatchObject(decided(rateLimitScope))
    expect(sent).toBe(43 + ofKeys)
  })
})

it.each<[scope: Assumptions['rateLimitScope'], keys: readonly KeyName[], found: object, needs: RegExp]>([
  ['key', ['sameGuild'], decided('key'), /^$/],
  ['guild', ['sameGuild'], { candidates: ['guild', 'address'] }, /keys\.otherGuild/],
  ['address', ['sameGuild'], { candidates: ['guild', 'address'] }, /keys\.otherGuild/],
  ['key', ['otherGuild'], { candidates: ['key', 'guild'] }, /keys\.sameGuild/],
  ['guild', ['otherGuild'], { candidates: ['key', 'guild'] }, /keys\.sameGuild/],
  ['address', ['otherGuild'], decided('address'), /^$/],
])('a burst with one further key, on a service that counts by %s, %j', async (rateLimitScope, keys, found, needs) => {
  const { verdictOf } = await burstAt(mockThatCounts({ rateLimitScope }), { keys })
  const scope = verdictOf('rateLimitScope')

  expect(scope).toMatchObject(found)
  expect(scope?.needs ?? '').toMatch(needs)
})

describe('a burst next to another program with the same key', () => {
  it.each(algorithms)('concludes nothing wrong about %s', async (rateLimitAlgorithm) => {
    const wrong: string[] = []
    for (const count of [false, true])
      for (const others of [0.3, 1, 3, 6, 10])
        for (const seed of Array.from({ length: isThorough ? 15 : 1 }, (_, i) => i)) {
          const admit = mockThatCounts({ rateLimitAlgorithm, rateLimitedRequestsCount: count, rateLimitScope: 'guild' })
          const { verdictOf } = await burstAt(admit, {
            seed,
            others,
            pathMs: 20,
            jitterMs: 10,
            keys: ['sameGuild', 'otherGuild'],
          })
          const truth = { rateLimitAlgorithm, rateLimitedRequestsCount: count, rateLimitScope: 'guild' }
          for (const key of counting) {
            const { verdict, value, candidates = [] } = verdictOf(key) ?? {}
            const isWrong =
              verdict === 'outside' ||
              (verdict === 'decided' ? value !== truth[key] : !candidates.some((one) => one === truth[key]))
            if (isWrong) wrong.push(`${key} ${count} ${others} ${seed}: ${verdict} ${String(value)}`)
          }
        }

    expect(wrong).toEqual([])
  })
})

it.each([
  ['sameGuild', 'key'],
  ['otherGuild', 'guild'],
] as const)('does not take a burst of another program for a limit shared with %s', async (trigger, rateLimitScope) => {
  const admit = mockThatCounts({ rateLimitScope })
  let isOver = false
  const nextToBurst: Admit = (key, time) => {
    if (key === trigger && !isOver) {
      isOver = true
      for (let i = 0; i < 10; i++) admit('own', time)
    }
    return admit(key, time)
  }

  const { verdictOf } = await burstAt(nextToBurst, { keys: ['sameGuild', 'otherGuild'], pathMs: 20, jitterMs: 10 })

  expect(verdictOf('rateLimitScope')).toMatchObject({
    verdict: 'consistent',
    candidates: expect.arrayContaining([rateLimitScope]),
  })
})

describe('a burst over a connection that is too unsteady', () => {
  it.each(algorithms)('concludes nothing wrong about %s', async (rateLimitAlgorithm) => {
    for (const count of [false, true])
      for (const jitterMs of [50, 100, 400]) {
        const admit = mockThatCounts({ rateLimitAlgorithm, rateLimitedRequestsCount: count })
        const { verdictOf } = await burstAt(admit, { jitterMs, pathMs: 20, handshakeMs: 300, seed: jitterMs })
        const algorithm = verdictOf('rateLimitAlgorithm')
        const rejected = verdictOf('rateLimitedRequestsCount')

        expect(algorithm?.candidates).toContain(rateLimitAlgorithm)
        expect(rejected?.candidates).toContain(count)
      }
  })
})

/** A service that is none of the values, with a limit for each key. */
const perKey = (create: () => (time: number) => boolean): Admit => {
  const limiters = new Map<string, (time: number) => boolean>()
  return (key, time) => {
    const limiter = limiters.get(key) ?? create()
    limiters.set(key, limiter)
    return limiter(time)
  }
}

const windowFromFirst = () => {
  let [start, count] = [-Infinity, 0]
  return (time: number) => {
    if (time >= start + 1000) [start, count] = [time, 0]
    return ++count <= 10
  }
}

const weightedWindows = () => {
  let [window, count, before] = [0, 0, 0]
  return (time: number) => {
    const current = Math.floor(time / 1000)
    if (current !== window) [window, count, before] = [current, 0, current === window + 1 ? count : 0]
    const isAccepted = before * (1 - (time % 1000) / 1000) + count + 1 <= 10
    if (isAccepted) count++
    return isAccepted
  }
}

const slidingOf = (limit: number, windowMs: number) => () => {
  let accepted: number[] = []
  return (time: number) => {
    accepted = accepted.filter((at) => at > time - windowMs)
    if (accepted.length >= limit) return false
    accepted.push(time)
    return true
  }
}

const bucketOf = (size: number, perSecond: number) => () => {
  let [tokens, last] = [size, 0]
  return (time: number) => {
    tokens = Math.min(size, tokens + ((time - last) * perSecond) / 1000)
    last = time
    if (tokens < 1) return false
    tokens--
    return true
  }
}

const blockedUntilSilent = () => {
  const accepts = slidingOf(10, 1000)()
  let until = -Infinity
  return (time: number) => {
    if (time < until || !accepts(time)) {
      until = time + 1000
      return false
    }
    return true
  }
}

const severalNodes = (nodes: number, limit: number) => () => {
  const each = Array.from({ length: nodes }, slidingOf(limit, 1000))
  let next = 0
  return (time: number) => each[next++ % nodes]?.(time) ?? false
}

describe('a burst on a service that counts in another way', () => {
  it.each<[string, () => (time: number) => boolean, string]>([
    ['a window that begins with the first request', windowFromFirst, 'consistent'],
    ['a window with a share of the one before', weightedWindows, 'consistent'],
    ['a limit of 5', slidingOf(5, 1000), 'consistent'],
    ['a limit of 11', slidingOf(11, 1000), 'consistent'],
    ['a limit of 40', slidingOf(40, 1000), 'skipped'],
    ['10 requests in two seconds', slidingOf(10, 2000), 'consistent'],
    ['10 requests in 900 ms', slidingOf(10, 900), 'consistent'],
    ['a bucket that is refilled at 5 per second', bucketOf(10, 5), 'consistent'],
    ['a bucket that is refilled at 20 per second', bucketOf(10, 20), 'outside'],
    ['a bucket of 20', bucketOf(20, 10), 'skipped'],
    ['a client that is blocked until it is silent for a second', blockedUntilSilent, 'consistent'],
    ['two nodes with 10 each', severalNodes(2, 10), 'skipped'],
  ])('decides no value for %s', async (_, create, verdict) => {
    for (const seed of isThorough ? [1, 2, 3, 4, 5, 6, 7, 8] : [1, 2]) {
      const { verdictOf } = await burstAt(perKey(create), { seed, pathMs: 10, jitterMs: 5 })

      expect(verdictOf('rateLimitAlgorithm')?.verdict).toBe(verdict)
      expect(verdictOf('rateLimitedRequestsCount')?.verdict).toBe(verdict === 'skipped' ? 'skipped' : 'consistent')
    }
  })
})

it('decides the same where two nodes share a limit as one would', async () => {
  const { verdictOf } = await burstAt(perKey(severalNodes(2, 5)))

  expect(verdictOf('rateLimitAlgorithm')).toMatchObject(decided('sliding-window'))
})

describe('a burst', () => {
  const admit = () => mockThatCounts({})

  it('is not sent if too few requests are left, and says how many it needs', async () => {
    const { verdictOf, sent } = await burstAt(admit(), { maxRequests: 42 })

    expect(sent).toBe(0)
    expect(verdictOf('rateLimitAlgorithm')).toMatchObject({
      verdict: 'skipped',
      needs: '43 requests more for `burst`: raise `maxRequests`',
    })
  })

  it('keeps what it knows if too few are left to confirm it, without deciding it', async () => {
    const { verdictOf, sent } = await burstAt(mockThatCounts({ rateLimitAlgorithm: 'fixed-window' }), {
      maxRequests: 80,
    })

    expect(sent).toBe(43)
    expect(verdictOf('rateLimitAlgorithm')).toMatchObject({
      verdict: 'consistent',
      candidates: expect.arrayContaining(['fixed-window']),
      needs: '43 requests more for `burst`: raise `maxRequests`',
    })
  })

  it('takes about 7 seconds, or 14', async () => {
    const [short, long] = await Promise.all([
      burstAt(admit()),
      burstAt(mockThatCounts({ rateLimitAlgorithm: 'fixed-window' })),
    ])

    expect([short.ms, long.ms]).toEqual([6600, 13_250])
  })

  it('ends with the first round if the service asks for a longer pause', async () => {
    const { verdictOf, sent } = await burstAt(admit(), { headers: { 'retry-after': '60' } })

    expect(sent).toBe(24)
    expect(verdictOf('rateLimitAlgorithm')).toMatchObject({
      verdict: 'consistent',
      needs: 'a service that does not ask for more than 2 s without requests',
    })
    expect(verdictOf('rateLimitHeaders')).toMatchObject(decided('retry-after'))
  })

  it('decides nothing about counting if a request fails', async () => {
    let count = 0
    const service = admit()
    const { verdictOf } = await burstAt((key, time) => {
      if (++count === 30) throw new Error('fails')
      return service(key, time)
    })

    expect(verdictOf('rateLimitAlgorithm')).toMatchObject({ needs: 'another attempt: a request of `burst` failed' })
    expect(verdictOf('rateLimitStatus')).toMatchObject(decided(429))
  })

  it('decides the status 503 of a limit that explains every response', async () => {
    const { verdictOf } = await burstAt(admit(), { status: 503 })

    expect(verdictOf('rateLimitStatus')).toMatchObject(decided(503))
  })
})
