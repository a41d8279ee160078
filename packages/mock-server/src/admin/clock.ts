import { aFunction, describeValue, integer } from '@guild-ledger/validation'
import { timeOf } from '../date-time.ts'
import { checkedValue } from '../type-error.ts'

/** A clock that can be stopped and advanced. Pass `now` to `createMockLedger` and the clock itself to `createAdmin`. */
export interface MockClock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Whether the clock is stopped. */
  readonly frozen: boolean
  /**
   * Stops the clock, at the current time or at another.
   *
   * @throws {TypeError} `at` is not a date.
   */
  freeze(at?: Date | string | number): void
  /**
   * Advances the clock, stopped or running.
   *
   * @throws {TypeError} `ms` is not an integer ≥ 0, or leads past the last time a `Date` can hold.
   */
  advance(ms: number): void
  /** Lets the clock run on from its current time. */
  resume(): void
  /** Sets the clock back to the time of the machine. */
  reset(): void
}

const latestTime = 8.64e15

/** Creates a clock that follows `machineNow`, milliseconds since 1970, until it is stopped or advanced. */
export const createMockClock = (machineNow: () => number = () => Date.now()): MockClock => {
  checkedValue(aFunction, 'machineNow', machineNow)
  let offset = 0
  let frozenAt: number | undefined
  const now = () => frozenAt ?? machineNow() + offset
  return {
    now,
    get frozen() {
      return frozenAt !== undefined
    },
    freeze(at = now()) {
      const time = typeof at === 'number' ? new Date(at).getTime() : timeOf(at)
      if (Number.isNaN(time)) {
        throw new TypeError(`\`at\` must be a date such as '2026-02-01T00:00:00Z', got ${describeValue(at)}`)
      }
      frozenAt = time
    },
    advance(ms) {
      checkedValue(integer(0), 'ms', ms)
      if (now() + ms > latestTime) {
        throw new TypeError(`\`ms\` must not lead past ${new Date(latestTime).toISOString()}, got ${ms}`)
      }
      if (frozenAt === undefined) offset += ms
      else frozenAt += ms
    },
    resume() {
      if (frozenAt !== undefined) offset = frozenAt - machineNow()
      frozenAt = undefined
    },
    reset() {
      offset = 0
      frozenAt = undefined
    },
  }
}
