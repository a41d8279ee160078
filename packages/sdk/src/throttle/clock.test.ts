import { afterEach, describe, expect, it, vi } from 'vitest'
import { countDown, createAlarm, systemClock, timerMs, unref } from './clock.ts'

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

it('lets the process end although a slot counts down, and leaves timers of other runtimes alone', () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const before = timers()
  countDown(systemClock, 60_000, () => {})
  createAlarm(systemClock, () => {}, unref).set(60_000, 0)
  for (const one of [7, null, {}]) unref(one)

  expect(timers()).toBe(before)
})
