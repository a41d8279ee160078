import { ConnectionError } from '@guild-ledger/sdk'
import { failureOf } from '@guild-ledger/test-kit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isTransient } from '../errors/index.ts'
import { createBackoff, type BackoffOptions } from './backoff.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const error = new ConnectionError('down')
const start = (options: Partial<BackoffOptions> = {}) => {
  const waits: number[] = []
  const onRetry: BackoffOptions['onRetry'] = (_, { retryInMs }) => void waits.push(retryInMs)
  const given = { isTransient, baseDelayMs: 1000, maxDelayMs: 30_000, forMs: 600_000, onRetry, ...options }
  const stop = new AbortController()
  return { backoff: createBackoff(given, stop.signal), stop, waits }
}
/** A request that fails so often, after so many milliseconds each time. */
const failing = (times: number, ms = 0) =>
  vi.fn<() => Promise<string>>(async () => {
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
    if (times-- > 0) throw error
    return 'good'
  })
const standingClock = () => void vi.spyOn(performance, 'now').mockReturnValue(1000)
const clockThatGoesBack = () => {
  let now = 1e9
  vi.spyOn(performance, 'now').mockImplementation(() => (now -= 60_000))
}
const clockThatJumpsAhead = () => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 8 * 3_600_000))
}

describe('backoff', () => {
  it('waits twice as long each time, up to its longest wait, and from the start again after reset()', async () => {
    const { backoff, waits } = start()

    const first = backoff.run(failing(7))
    await vi.advanceTimersByTimeAsync(91_000)
    expect(await first).toBe('good')
    backoff.reset()
    const second = backoff.run(failing(1))
    await vi.advanceTimersByTimeAsync(1000)

    expect(await second).toBe('good')
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 1000])
  })

  it.each<[string, () => void]>([
    ['that goes on', () => {}],
    ['that stands', standingClock],
    ['that goes back', clockThatGoesBack],
    ['that jumps ahead by hours', clockThatJumpsAhead],
  ])('ends when the waits add up to its time, by a clock %s', async (_, prepare) => {
    prepare()
    const { backoff, waits } = start({ forMs: 10_000 })
    const request = failing(Infinity)

    const failure = failureOf(backoff.run(request))
    await vi.advanceTimersByTimeAsync(9999)
    expect(request).toHaveBeenCalledTimes(4)
    await vi.advanceTimersByTimeAsync(1)

    expect(await failure).toBe(error)
    expect(waits).toEqual([1000, 2000, 4000, 3000])
  })

  it('counts what further attempts take, in whole seconds', async () => {
    const { backoff, waits } = start({ forMs: 10_000 })

    const failure = failureOf(backoff.run(failing(Infinity, 2500)))
    await vi.advanceTimersByTimeAsync(60_000)

    expect(await failure).toBe(error)
    // 1 s, an attempt of 2 s, 2 s, an attempt of 2 s, 3 s.
    expect(waits).toEqual([1000, 2000, 3000])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('rejects with the reason of its signal while it waits, and then retries nothing', async () => {
    const { backoff, stop } = start()
    const failure = failureOf(backoff.run(failing(Infinity)))
    await vi.advanceTimersByTimeAsync(500)

    stop.abort('enough')

    expect(await failure).toBe('enough')
    expect([backoff.isRetried(error), vi.getTimerCount()]).toEqual([false, 0])
  })
})

describe('waits of several', () => {
  /** When each of so many wakes, of those that begin to wait now. */
  const wakings = async (pauses: ((ms: number) => Promise<void>)[], ms: number) => {
    const startedAt = Date.now()
    const times: number[] = []
    const all = pauses.map(async (pause) => {
      await pause(ms)
      times.push(Date.now() - startedAt)
    })
    await vi.advanceTimersByTimeAsync(ms)
    await Promise.all(all)
    return times
  }
  const many = (count: number) => Array.from({ length: count }, () => start().backoff.pause)

  it('end apart: the first ones by up to half, later ones by up to a tenth, and none of them late', async () => {
    const pauses = many(200)

    const first = await wakings(pauses, 5000)
    const second = await wakings(pauses, 5000)

    expect(Math.min(...first)).toBeGreaterThanOrEqual(2500)
    expect(Math.min(...first)).toBeLessThan(2700)
    expect(Math.max(...first)).toBeLessThanOrEqual(5000)
    expect(Math.min(...second)).toBeGreaterThanOrEqual(4500)
    expect(Math.min(...second)).toBeLessThan(4600)
    expect(new Set(first.map((ms) => Math.floor(ms / 500))).size).toBeGreaterThanOrEqual(5)
  })

  it('take exactly their time where nobody else waits', async () => {
    const [pause] = many(1)
    const times = []
    for (let i = 0; i < 3; i++) times.push(await wakings([pause as (ms: number) => Promise<void>], 5000))

    expect(times).toEqual([[5000], [5000], [5000]])
  })

  it('take exactly their time after those of a test with other timers', async () => {
    void many(1)[0]?.(5000)
    vi.useRealTimers()
    vi.useFakeTimers()

    expect(await wakings(many(1), 5000)).toEqual([5000])
  })
})
