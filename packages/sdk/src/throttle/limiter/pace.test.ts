import { describe, expect, it } from 'vitest'
import { createThrottle, type PaceChange, type ThrottleOptions } from '../index.ts'
import { afterCompleted, afterQuiet, afterRateLimit, startPace, type PaceState } from './pace.ts'
import type { Outcome, Permit, Throttle } from '../types.ts'
import { createVirtualTime, type VirtualTime } from '@guild-ledger/test-kit'

/** Decides from the times of earlier arrivals whether one more may pass. */
type Limiter = (arrivals: readonly number[], now: number) => boolean

/** Weighs the previous window by the part of it that a sliding second still covers. */
const slidingCounter: Limiter = (arrivals, now) => {
  const begin = Math.floor(now / 1000) * 1000
  const before = arrivals.filter((time) => time >= begin - 1000 && time < begin).length
  const current = arrivals.filter((time) => time >= begin).length
  return before * (1 - (now - begin) / 1000) + current + 1 <= 10
}

const start = (options: ThrottleOptions = {}) => {
  const time = createVirtualTime()
  const changes: PaceChange[] = []
  const onPaceChange = (change: PaceChange) => void changes.push(change)
  return { time, changes, throttle: createThrottle({ clock: time.clock, onPaceChange, ...options }) }
}

/** No burst at all, and slower than documented. */
const everyMs =
  (ms: number): Limiter =>
  (arrivals, now) =>
    now - (arrivals.at(-1) ?? -Infinity) >= ms

const send429s = async (limiter: Limiter, count: number, options: ThrottleOptions = {}, roundTripMs = 40) => {
  const { time, changes, throttle } = start(options)
  const passed: number[] = []
  const sent: number[] = []
  const limitedAt: number[] = []
  const send = async (): Promise<void> => {
    const permit = await throttle.acquire()
    sent.push(time.now())
    const arrives = time.now() + roundTripMs / 2
    const status = limiter(passed, arrives) ? 200 : 429
    if (status === 200) passed.push(arrives)
    else limitedAt.push(time.now())
    time.at(arrives + roundTripMs / 2, () => permit.release({ kind: 'completed', status }))
  }
  for (let i = 0; i < count; i++) void send()
  await time.run()
  return { throttle, changes, sent, limitedAt }
}

describe('the pace after a 429', () => {
  it('is nine slots 112 ms apart, which a sliding counter accepts', async () => {
    const { throttle, changes, limitedAt } = await send429s(slidingCounter, 300, { requestsPerSecond: 10 })

    expect(changes).toEqual([{ from: 'arrival', to: 'spaced', reason: 'rate-limited' }])
    expect(throttle.stats.pace).toBe('spaced')
    expect(Math.max(...limitedAt)).toBeLessThan(3000)
  })

  it('begins with a pause of one second, then sends are 112 ms apart and nine slots are held at most', async () => {
    const { time, throttle } = start()
    const first = await throttle.acquire()
    first.release({ kind: 'completed', status: 429 })
    const sent: number[] = []
    const send = async (): Promise<void> => {
      const permit = await throttle.acquire()
      sent.push(time.now())
      time.at(time.now() + 300, () => permit.release({ kind: 'completed', status: 200 }))
    }
    for (let i = 0; i < 12; i++) void send()

    await time.run()

    expect(sent).toEqual([1002, 1114, 1226, 1338, 1450, 1562, 1674, 1786, 1898, 2304, 2416, 2528])
  })

  it('is one request at a time after a second 429, 102 ms after each response', async () => {
    const { throttle, changes, sent, limitedAt } = await send429s(everyMs(120), 60)

    expect(changes.map(({ to }) => to)).toEqual(['spaced', 'sequential'])
    expect(throttle.stats.pace).toBe('sequential')
    const later = sent.filter((time) => time > Math.max(...limitedAt)).slice(1)
    expect(new Set(later.slice(1).map((time, i) => time - (later[i] ?? 0)))).toEqual(new Set([142]))
  })

  it.each([
    [1, 1001],
    [2, 1001],
    [5, 251],
  ])('keeps, for %d requests a second, %d ms between two', async (requestsPerSecond, apart) => {
    const { time, throttle } = start({ requestsPerSecond, marginMs: 0 })
    const first = await throttle.acquire()
    first.release({ kind: 'completed', status: 429 })
    await time.run(5000)
    const second = await throttle.acquire()
    second.release({ kind: 'completed', status: 200 })

    const permit = throttle.acquire().then(() => time.now())
    await time.run()

    expect((await permit) - 5000).toBe(apart)
  })
})

const minute = 60_000

/** A pace after 429s at these times. */
const after429s = (...times: readonly number[]): PaceState =>
  times.reduce((state, at) => afterRateLimit(afterQuiet(state, at), at), startPace())

describe('the pace in quiet time', () => {
  it.each([
    ['one 429', after429s(0), 10 * minute - 1, 'spaced'],
    ['one 429', after429s(0), 10 * minute, 'arrival'],
    ['two 429s', after429s(0, 0), 10 * minute, 'spaced'],
    ['two 429s', after429s(0, 0), 20 * minute, 'arrival'],
    ['five 429s', after429s(0, 0, 0, 0, 0), 20 * minute, 'arrival'],
    ['a 429 soon after a step up', after429s(0, 11 * minute), 30 * minute, 'spaced'],
    ['a 429 soon after a step up', after429s(0, 11 * minute), 31 * minute, 'arrival'],
    ['a 429 sooner after a step up than that took', after429s(0, 11 * minute, 46 * minute), 85 * minute, 'spaced'],
    ['a 429 long after a step up', after429s(0, 20 * minute), 30 * minute, 'arrival'],
    ['a 429 long after a step up', after429s(0, 21 * minute), 31 * minute, 'arrival'],
    ['two 429s soon after a step up', after429s(0, 11 * minute, 12 * minute), 52 * minute - 1, 'spaced'],
    ['two 429s soon after a step up', after429s(0, 11 * minute, 12 * minute), 52 * minute, 'arrival'],
  ])('after %s: %#', (_name, state, now, pace) => {
    expect(afterQuiet(state, now).pace).toBe(pace)
  })

  it('needs twice as long after each 429 that follows a step up soon, at most a day', () => {
    let state = after429s(0)
    let now = 0
    const quietTimes: number[] = []
    for (let i = 0; i < 10; i++) {
      quietTimes.push(state.quietMs / minute)
      now += state.quietMs
      state = afterRateLimit(afterQuiet(state, now), now)
    }

    expect(quietTimes).toEqual([10, 20, 40, 80, 160, 320, 640, 1280, 1440, 1440])
  })

  it('has a number of its own for each step, in whichever direction', () => {
    const slow = after429s(0, 0, 0)
    const eased = Array.from({ length: 20 }).reduce<PaceState>(afterCompleted, slow)
    const quiet = afterQuiet(eased, 10 * minute)
    const states = [startPace(), after429s(0), after429s(0, 0), slow, eased, quiet, afterRateLimit(quiet, 0)]

    expect(new Set(states.map(({ step }) => step)).size).toBe(states.length)
  })

  it.each(['calls', 'waits', 'looks'])('returns to the first pace when a program %s', async (what) => {
    const { time, changes, throttle } = start()
    const permit = await throttle.acquire()
    permit.release({ kind: 'completed', status: 429, retryAfterMs: 11 * minute })
    if (what === 'waits') void throttle.acquire()
    await time.run(11 * minute)
    if (what === 'calls') void throttle.acquire()
    if (what === 'looks') void throttle.stats.pace

    expect(changes[1]).toEqual({ from: 'spaced', to: 'arrival', reason: 'quiet' })
  })
})

describe('the gap between sequential requests', () => {
  const sequential = after429s(0, 0)
  const slowdowns = (state: PaceState, completed: number): number =>
    Array.from({ length: completed }).reduce<PaceState>(afterCompleted, state).slowdown

  it('doubles with each further 429, up to 16 times', () => {
    const slower = [1, 2, 3, 4, 5].map((count) =>
      Array.from({ length: count }).reduce<PaceState>((state) => afterRateLimit(state, 0), sequential),
    )

    expect(slower.map(({ slowdown }) => slowdown)).toEqual([2, 4, 8, 16, 16])
  })

  it.each([500, 667, 1000])('lets a limiter that takes one request in %i ms refuse few', async (ms) => {
    const { sent, limitedAt } = await send429s(everyMs(ms), 300)
    const from = sent[100] ?? 0

    expect(limitedAt.filter((at) => at >= from).length).toBeLessThan(12)
  })

  it('is halved after 20 requests that completed without a 429', () => {
    const slow = afterRateLimit(afterRateLimit(sequential, 0), 0)

    expect([19, 20, 39, 40, 100].map((count) => slowdowns(slow, count))).toEqual([4, 2, 2, 1, 1])
  })
})

describe('a throttle after three 429s', () => {
  const ok = { kind: 'completed', status: 200 } as const
  /** Sends a request, which ends at once. Returns when it was sent. */
  const send = async (time: VirtualTime, throttle: Throttle, outcome: Outcome): Promise<number> => {
    const sent = throttle.acquire().then((permit) => {
      permit.release(outcome)
      return time.now()
    })
    await time.run()
    return sent
  }
  const apart = (times: readonly number[]) => times.slice(1).map((at, i) => at - (times[i] ?? 0))
  const sendAll = async (time: VirtualTime, throttle: Throttle, outcomes: readonly Outcome[]): Promise<number[]> => {
    const sent: number[] = []
    for (const outcome of outcomes) sent.push(await send(time, throttle, outcome))
    return apart(sent)
  }
  const limited = { kind: 'completed', status: 429 } as const

  it('keeps 202 ms between requests until 20 have completed, then 102', async () => {
    const { time, throttle } = start()
    await sendAll(time, throttle, [limited, limited, limited])
    expect(throttle.stats).toMatchObject({ pace: 'sequential', requestsPerSecond: 5 })

    const outcomes = Array.from({ length: 27 }, (_, i): Outcome => (i >= 19 && i < 24 ? { kind: 'failed' } : ok))

    expect(await sendAll(time, throttle, outcomes)).toEqual([...Array<number>(24).fill(202), 102, 102])
  })

  it('does not count the late responses to requests that were sent before', async () => {
    const { time, throttle } = start()
    const early: Permit[] = []
    for (let i = 0; i < 20; i++) {
      void throttle.acquire().then((permit) => {
        permit.release({ kind: 'aborted' })
        return early.push(permit)
      })
    }
    await time.run(30_000)
    await sendAll(time, throttle, [limited, limited, limited])

    for (const permit of early) permit.release(ok)

    expect(early).toHaveLength(20)
    expect(await sendAll(time, throttle, [ok, ok, ok])).toEqual([202, 202])
  })
})

/** Counts all arrivals of the last second, those of another program too. */
const exactWindow: Limiter = (arrivals, now) => arrivals.filter((time) => time > now - 1000).length < 10

it.each([0, 50, 150, 400])(
  'an export of 60 pages gets through beside another program at 5 requests per second, with a round trip of %d ms',
  async (roundTripMs) => {
    const { time, throttle } = start()
    const counted: number[] = []
    const respond = (at: number): number => {
      if (!exactWindow(counted, at)) return 429
      counted.push(at)
      return 200
    }
    for (let at = 0; at < 120_000; at += 200) time.at(at, () => void respond(at))
    let done = 0
    const request = async (budget: number): Promise<void> => {
      const permit = await throttle.acquire()
      await new Promise<void>((resolve) => time.at(time.now() + roundTripMs / 2, resolve))
      const status = respond(time.now())
      await new Promise<void>((resolve) => time.at(time.now() + roundTripMs / 2, resolve))
      permit.release({ kind: 'completed', status })
      if (status === 200) done++
      else if (budget > 0) await request(budget - 1)
    }
    for (let page = 0; page < 60; page++) void request(10)

    await time.run(120_000)

    expect(done).toBe(60)
  },
)
