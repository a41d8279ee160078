import { afterEach, describe, expect, it, vi } from 'vitest'
import { createVirtualTime } from '@guild-ledger/test-kit'
import { countDown, createAlarm, steady, systemClock, timerMs, unref } from './clock.ts'
import { createSlots } from './limiter/slots.ts'
import { createThrottle } from './shared.ts'

afterEach(() => void vi.useRealTimers())

describe('the clock of the runtime', () => {
  it('sets and clears timers, and does not step when the date does', () => {
    vi.useFakeTimers()
    const rung: string[] = []
    const before = systemClock.now()

    systemClock.setTimeout(() => rung.push('kept'), 10)
    systemClock.clearTimeout(systemClock.setTimeout(() => rung.push('cleared'), 10))
    vi.advanceTimersByTime(10)
    vi.setSystemTime(0)

    expect(rung).toEqual(['kept'])
    expect(systemClock.now() - before).toBe(10)
  })
})

it.each([
  [-1, 0],
  [0.2, 1],
  [5, 5],
  [3_000_000_000, 2_147_483_647],
])('a delay of %d ms is one of %d for a timer', (ms, expected) => {
  expect(timerMs(ms)).toBe(expected)
})

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

it('lets the process end although a slot counts down, and leaves timers of other runtimes alone', () => {
  const before = timers()
  countDown(systemClock, 60_000, () => {})
  createAlarm(systemClock, () => {}, unref).set(60_000, 0)
  for (const one of [7, null, {}]) unref(one)

  expect(timers()).toBe(before)
})

it('keeps the process alive while a call waits, and no longer', async () => {
  const throttle = createThrottle({ requestsPerSecond: 1 })
  ;(await throttle.acquire()).release({ kind: 'completed', status: 502 })
  const [before, leaving] = [timers(), new AbortController()]

  const waiting = throttle.acquire({ signal: leaving.signal })
  expect(timers()).toBe(before + 1)
  leaving.abort()
  await expect(waiting).rejects.toThrow('aborted')
  expect(timers()).toBe(before)
})

it('sets an alarm for a call that waits until the end of a slot is known', () => {
  const slots = createSlots(createVirtualTime().clock, () => {})
  const limits = { slots: 1, gapMs: 1002, spacingMs: 0, restMs: 0, requestsPerSecond: 1 }
  slots.end(slots.take(0, Infinity), { kind: 'aborted' }, 1002)
  expect(slots.opensAt(limits, 0)).toBeLessThan(Infinity)
})

describe('a steady clock', () => {
  /** A clock and timers that a test moves by themselves. */
  const parts = () => {
    const time = createVirtualTime()
    let now = 5000
    const clock = steady({ ...time.clock, now: () => now })
    return { time, clock, set: (at: number) => void (now = at) }
  }

  it('goes on where the clock goes back', () => {
    const { clock, set } = parts()
    set(3_605_000)
    const before = clock.now()

    set(7000)
    expect(clock.now()).toBe(before)
    set(7500)
    expect(clock.now()).toBe(before + 500)
  })

  it.each([5, 20, 112, 1002])('moves with timers of %i ms where the clock stands', async (ms) => {
    const { clock, time } = parts()
    const before = clock.now()
    const again = (): void => void clock.setTimeout(again, ms)
    again()

    await time.run(10_000)

    expect(clock.now() - before).toBeGreaterThan(8000)
    expect(clock.now() - before).toBeLessThanOrEqual(10_000 + ms)
  })

  it.each([0.1, 1, 20])('does not trust a timer that fires %d ms early', async (earlyMs) => {
    const time = createVirtualTime((due) => due - earlyMs)
    const clock = steady(time.clock)
    const again = (): void => void clock.setTimeout(again, 100)
    again()

    await time.run(60_000)

    expect(clock.now()).toBe(time.now())
  })
})

describe('a throttle in a test that replaces a part of the time', () => {
  it('lets all calls pass with fake timers and a real clock', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const throttle = createThrottle()
    let passed = 0
    const calls = Array.from({ length: 25 }, async () => {
      const permit = await throttle.acquire()
      passed++
      permit.release({ kind: 'completed', status: 200 })
    })

    await vi.advanceTimersByTimeAsync(5000)

    expect(passed).toBe(25)
    await Promise.all(calls)
  })

  it('lets a call pass with real timers after a test that was an hour ahead', async () => {
    vi.useFakeTimers()
    const throttle = createThrottle()
    await vi.advanceTimersByTimeAsync(3_600_000)
    const permits = await Promise.all(Array.from({ length: 10 }, () => throttle.acquire()))
    for (const permit of permits) permit.release({ kind: 'completed', status: 200 })
    vi.useRealTimers()

    expect(throttle.estimateMs()).toBeLessThanOrEqual(1003)
    await expect(throttle.acquire()).resolves.toBeDefined()
  })
})
