import { longestTimerMs } from '@guild-ledger/validation'

/** Where a throttle takes its time from. Milliseconds; `now` must never go back. */
export interface Clock {
  /** Milliseconds since some fixed moment. */
  now(): number
  /** Calls `callback` once, `ms` milliseconds from now; what it returns goes to `clearTimeout`. */
  setTimeout(callback: () => void, ms: number): unknown
  /** Calls a timer off. */
  clearTimeout(timer: unknown): void
}

/** The clock of the runtime. Looked up at each call, so that fake timers work; `Date.now()` is no use, it steps. */
export const systemClock: Clock = {
  now: () => performance.now(),
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: (timer) => clearTimeout(timer as number),
}

/**
 * Whether a timer dies with the request it was set in, as on Cloudflare Workers: there nobody can be sure to be woken by
 * a timer that another one set.
 */
export const timersDieWithRequests = globalThis.navigator?.userAgent === 'Cloudflare-Workers'

/** A delay that a timer takes: whole, because runtimes cut fractions off and would be early. */
export const timerMs = (ms: number): number => Math.min(Math.max(Math.ceil(ms), 0), longestTimerMs)

/** Lets the process end although `timer` is set, where runtimes know such a thing. */
export const unref = (timer: unknown): void => {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer) (timer as { unref(): void }).unref()
}

/** One wake-up call, moved at will. */
export interface Alarm {
  /** Rings at `at`, or later, or earlier: whoever is woken looks at the clock. `Infinity` turns it off. */
  set(at: number, now: number): void
}

/** Timers fire up to a millisecond early and any time late, so `ring` has to read the clock again. */
export const createAlarm = (clock: Clock, ring: () => void, prepare = (_timer: unknown): void => {}): Alarm => {
  let timer: unknown
  let setFor = Infinity
  return {
    set(at, now) {
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
