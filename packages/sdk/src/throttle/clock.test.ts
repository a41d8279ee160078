import { afterEach, describe, expect, it, vi } from 'vitest'
import { createAlarm, systemClock, timerMs, unref } from './clock.ts'

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

it('lets a process end although a timer is set, where the runtime knows such a thing', () => {
  const timer = { unref: vi.fn<() => void>() }

  for (const one of [timer, 7, null, undefined, {}, 'x']) unref(one)

  expect(timer.unref).toHaveBeenCalledOnce()
})

describe('an alarm', () => {
  const createAlarmClock = () => {
    const calls: string[] = []
    const callbacks: (() => void)[] = []
    const clock = {
      now: () => 0,
      setTimeout(callback: () => void, ms: number) {
        callbacks.push(callback)
        calls.push(`set ${ms}`)
        return callbacks.length
      },
      clearTimeout: (timer: unknown) => void calls.push(`clear ${String(timer)}`),
    }
    return { clock, calls, callbacks }
  }

  it('sets one timer for one time, and clears none that it has not set', () => {
    const { clock, calls } = createAlarmClock()
    const alarm = createAlarm(clock, () => {})

    alarm.set(Infinity, 0)
    alarm.set(50, 10)
    alarm.set(50, 20)
    alarm.set(30, 20)
    alarm.set(Infinity, 20)
    alarm.set(60, 20)

    expect(calls).toEqual(['set 40', 'clear 1', 'set 10', 'clear 2', 'set 40'])
  })

  it('can be set again for the same time after it rang, because timers may be early', () => {
    const { clock, calls, callbacks } = createAlarmClock()
    const ring = vi.fn<() => void>()
    const alarm = createAlarm(clock, ring)
    alarm.set(50, 0)

    callbacks[0]?.()
    alarm.set(50, 49)

    expect(ring).toHaveBeenCalledOnce()
    expect(calls).toEqual(['set 50', 'set 1'])
  })

  it('prepares each timer', () => {
    const prepare = vi.fn<(timer: unknown) => void>()
    const alarm = createAlarm(createAlarmClock().clock, () => {}, prepare)

    alarm.set(50, 0)
    alarm.set(40, 0)

    expect(prepare.mock.calls).toEqual([[1], [2]])
  })
})
