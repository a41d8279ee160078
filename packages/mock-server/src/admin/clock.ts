import { inWords } from '@guild-ledger/sdk/contract'
import { timeOf } from '../store/index.ts'

/** A clock that can be stopped and moved on. Give its `now` to `createMockLedger` and all of it to `createAdmin`. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Whether it stands still. */
  readonly frozen: boolean
  /**
   * Stops the clock, now or at another time.
   *
   * @throws {TypeError} `at` is no date.
   */
  freeze(at?: Date | string | number): void
  /**
   * Moves the clock on, whether it stands still or not.
   *
   * @throws {TypeError} `ms` is not a whole number of at least 0, or leads past the end of time.
   */
  advance(ms: number): void
  /** Lets the clock go on from where it stands. */
  resume(): void
  /** Back to the time of the machine. */
  reset(): void
}

const lastInstant = 8.64e15

/** Creates a clock that goes with `machine`, milliseconds since 1970, until it is stopped or moved on. */
export const createClock = (machine: () => number = () => Date.now()): Clock => {
  let ahead = 0
  let stopped: number | undefined
  const now = () => stopped ?? machine() + ahead
  return {
    now,
    get frozen() {
      return stopped !== undefined
    },
    freeze(at = now()) {
      const time = typeof at === 'number' ? new Date(at).getTime() : timeOf(at)
      if (Number.isNaN(time))
        throw new TypeError(`at must be a date such as '2026-02-01T00:00:00Z', not ${inWords(at)}.`)
      stopped = time
    },
    advance(ms) {
      if (!Number.isSafeInteger(ms) || ms < 0 || now() + ms > lastInstant) {
        throw new TypeError(`ms must be a whole number of at least 0 that time has room for, not ${inWords(ms)}.`)
      }
      if (stopped === undefined) ahead += ms
      else stopped += ms
    },
    resume() {
      if (stopped !== undefined) ahead = stopped - machine()
      stopped = undefined
    },
    reset() {
      ahead = 0
      stopped = undefined
    },
  }
}
