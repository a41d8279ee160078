import { aFunction, check, number, validate, validateValue, worded, type Check } from '@guild-ledger/validation'
import { defaults } from '../defaults.ts'
import { invalidOption } from '../errors/index.ts'
import { steady, systemClock } from './clock.ts'
import type { Clock, PaceChange } from './types.ts'

/** Options of a throttle. */
export interface ThrottleOptions {
  /**
   * Requests that may arrive at the service in any one second, wherever that second begins. Spec: Limits.
   *
   * Below 10 leaves room for other programs with the same key. Above 10 only if the service has allowed you more: its
   * response above the limit is unspecified. Below 1 means one request in so many seconds (0.5: one in two seconds);
   * above 1 fractions are cut off.
   *
   * @default 10
   */
  readonly requestsPerSecond?: number | undefined
  /**
   * Splits the rate evenly over `of` processes that do not know each other; `of` may not exceed `requestsPerSecond`.
   * With an `index` (0 to `of` - 1, different in each process) the remainder is handed out too: 3, 3, 2, 2 for four.
   *
   * @default one process has the whole rate
   */
  readonly share?:
    | {
        /** Number of processes. */
        readonly of: number
        /** Which of them this is, from 0. */
        readonly index?: number | undefined
      }
    | undefined
  /**
   * Interactive calls that may wait at once; one more is rejected with a `ThrottleError` (`queue_full`). Background
   * work (`pages`, `iterate`, `watch`) does not count: it limits itself.
   *
   * @default Infinity
   */
  readonly maxQueue?: number | undefined
  /**
   * Milliseconds added to the second, for coarse timers and clocks that run a little fast.
   *
   * @default 2, and 5 in browsers, whose clocks are coarser
   */
  readonly marginMs?: number | undefined
  /**
   * Called when the throttle becomes more careful, because the service responded with 429 although the limit was kept,
   * and when it becomes less careful again. What it throws or rejects with is ignored.
   */
  readonly onPaceChange?: ((change: PaceChange) => void) | undefined
  /** The source of time. @default the clock and timers of the runtime */
  readonly clock?: Clock | undefined
}

/** The options, checked and converted. */
export interface ThrottleSettings {
  readonly slots: number
  readonly windowMs: number
  readonly marginMs: number
  readonly maxQueue: number
}

const duration = worded(number(0), 'a number of milliseconds ≥ 0')

export const throttleChecks: Record<keyof ThrottleOptions, Check> = {
  requestsPerSecond: check((value) => Number.isFinite(value) && Number(value) > 0, 'a number > 0, such as 10'),
  share: check(
    (value) => typeof value === 'object' && value !== null && isShare(value),
    '{ of, index }, integers with 1 ≤ of ≤ requestsPerSecond and 0 ≤ index < of',
  ),
  maxQueue: check((value) => typeof value === 'number' && value >= 0, 'a number ≥ 0'),
  marginMs: duration,
  onPaceChange: aFunction,
  clock: check(
    (value) => typeof value === 'object' && value !== null && 'now' in value,
    '{ now, setTimeout, clearTimeout }',
  ),
}

const isShare = ({ of, index = 0 }: { of?: unknown; index?: unknown }): boolean =>
  Number.isInteger(of) && Number.isInteger(index) && 0 <= Number(index) && Number(index) < Number(of)

/** Rejects a pause that is no number of milliseconds, or would never end. */
export const checkPause = (ms: unknown): void => validateValue(duration, 'pause', ms, invalidOption)

/** Pages and their workers. */
const hasCoarseClock = () => 'document' in globalThis || 'importScripts' in globalThis

/** Slots and window for a rate: whole slots in one second, or one slot in so many seconds. */
const spread = (perSecond: number) =>
  perSecond < 1 ? { slots: 1, windowMs: 1000 / perSecond } : { slots: Math.floor(perSecond), windowMs: 1000 }

export const settingsOf = (given: ThrottleOptions = {}): ThrottleSettings & { readonly clock: Clock } => {
  const options = validate(throttleChecks, given, invalidOption)
  const { requestsPerSecond = defaults.throttle.requestsPerSecond, share = { of: 1 } } = options
  const { slots, windowMs } = spread(requestsPerSecond)
  if (share.of > slots) {
    invalidOption(
      'share',
      `\`share.of\` must be an integer from 1 to ${slots}, got ${share.of}: run fewer processes, or share one throttle through Redis`,
    )
  }
  const remainder = Number(share.index) < slots % share.of ? 1 : 0 // NaN without an index
  return {
    slots: Math.floor(slots / share.of) + remainder,
    windowMs,
    marginMs: options.marginMs ?? (hasCoarseClock() ? defaults.throttle.coarseMarginMs : defaults.throttle.marginMs),
    maxQueue: options.maxQueue ?? defaults.throttle.maxQueue,
    clock: steady(options.clock ?? systemClock),
  }
}

export const stricter = (one: ThrottleSettings, other: ThrottleSettings): ThrottleSettings => ({
  slots: Math.min(one.slots, other.slots),
  windowMs: Math.max(one.windowMs, other.windowMs),
  marginMs: Math.max(one.marginMs, other.marginMs),
  maxQueue: Math.min(one.maxQueue, other.maxQueue),
})
