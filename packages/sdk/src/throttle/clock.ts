import { longestTimerMs } from '@guild-ledger/validation'
import type { Clock } from './types.ts'

/** The clock of the runtime. Looked up at each call, so that fake timers work; `Date.now()` is no use, it steps. */
export const systemClock: Clock = {
  now: () => performance.now(),
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: (timer) => clearTimeout(timer as number),
}

/** Timers may fire early, one after another; not by so much in sum, or the clock stands. */
const mostEarlyMs = 1000

/**
 * A clock that never goes back, and that moves with its timers. Test libraries replace only a part of what tells the time:
 * with fake timers and a real clock, time would stand; once real clocks are back, they would be behind for as long as the
 * fake ones were ahead.
 */
export const steady = (clock: Clock): Clock => {
  let last = clock.now()
  let offset = 0
  /** By how much timers were ahead of the clock, in sum, since the clock moved with one. */
  let ahead = 0
  const read = (): number => {
    const raw = clock.now()
    if (raw < last) offset += Math.ceil(last - raw) // whole, so that differences stay exact
    last = raw
    return raw + offset
  }
  const noteTimer = (setAt: number, ms: number): void => {
    const passed = read() - setAt
    if (passed >= ms / 2) ahead = 0
    else ahead += ms - passed
    if (ahead <= mostEarlyMs) return
    offset += Math.ceil(ahead)
    ahead = 0
  }
  return {
    now: read,
    setTimeout(callback, ms) {
      const setAt = read()
      return clock.setTimeout(() => {
        noteTimer(setAt, ms)
        callback()
      }, ms)
    },
    clearTimeout: (timer) => clock.clearTimeout(timer),
  }
}

const processClock = steady(systemClock)

/** Milliseconds since some moment, as this process counts them: for durations. They never go back. */
export const timeNow = (): number => processClock.now()

/** Whether a timer dies with the request it was set in: on Cloudflare Workers. */
export const timersDieWithRequests = globalThis.navigator?.userAgent === 'Cloudflare-Workers'

/** A delay that a timer takes: whole, because runtimes cut fractions off and would be early. */
export const timerMs = (ms: number): number => Math.min(Math.max(Math.ceil(ms), 0), longestTimerMs)

interface Deno {
  readonly Deno?: { unrefTimer?(timer: number): void }
}

/** Lets the process end although `timer` is set, where runtimes know such a thing. */
export const unref = (timer: unknown): void => {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer) (timer as { unref(): void }).unref()
  else if (typeof timer === 'number') (globalThis as Deno).Deno?.unrefTimer?.(timer)
}

/** A timer that is late by more than its own length means that the process stood still. */
const partMs = 1000

/** Calls `onEnd` after `ms` milliseconds, without those of a standstill of this process. Returns what calls it off. */
export const countDown = (clock: Clock, ms: number, onEnd: () => void): (() => void) => {
  const part = Math.min(partMs, ms / 4)
  let left = ms
  let timer: unknown
  const next = (): void => {
    const from = clock.now()
    const tick = (): void => {
      const passed = clock.now() - from
      if (passed <= 2 * part) left -= passed
      if (left > 0) next()
      else onEnd()
    }
    timer = clock.setTimeout(tick, timerMs(Math.min(part, left)))
    unref(timer)
  }
  next()
  return () => clock.clearTimeout(timer)
}

/** One wake-up call, moved at will. Timers fire up to a millisecond early and any time late, so `ring` reads the clock. */
export const createAlarm = (clock: Clock, ring: () => void, prepare = (_timer: unknown): void => {}) => {
  let timer: unknown
  let setFor = Infinity
  return {
    /** Rings at `at`, or later, or earlier. `Infinity` turns it off. */
    set(at: number, now: number): void {
      if (at === setFor) return
      if (setFor !== Infinity) clock.clearTimeout(timer)
      setFor = at
      if (at === Infinity) return
      timer = clock.setTimeout(
        () => {
          setFor = Infinity
          ring()
        },
        timerMs(at - now),
      )
      prepare(timer)
    },
  }
}
