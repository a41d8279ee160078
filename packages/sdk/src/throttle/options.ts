import { aFunction, checked, checkOption, oneOf, type Check } from '../checks.ts'
import { limits } from '../contract/index.ts'
import { ConfigurationError } from '../errors/index.ts'
import { systemClock, type Clock } from './clock.ts'
import type { Pace } from './throttle.ts'

/** What a `Throttle` promises, see `guarantee`. */
export type Guarantee = 'arrival' | 'adaptive'

/** Options of a throttle. */
export interface ThrottleOptions {
  /**
   * Requests that may arrive at the service in any one second, wherever that second begins. Spec: Limits.
   *
   * Below 10 leaves room for other programs with the same key. Above 10 only if the service has allowed you more: what
   * it answers above its limit is not shown. Below 1 means one request in so many seconds (0.5: one in two seconds);
   * above 1 fractions are cut off.
   *
   * @default 10
   */
  readonly requestsPerSecond?: number | undefined
  /**
   * `arrival`: never more than `requestsPerSecond` arrivals in any second, whatever the network does; the rate is
   * 10 in (1 s + round trip). `adaptive` is faster on long ways, and right as long as the way to the service does not
   * suddenly become shorter than it ever was; after the first 429 it becomes `arrival` for good.
   *
   * @default 'arrival'
   */
  readonly guarantee?: Guarantee | undefined
  /**
   * Splits the rate evenly over `of` processes that do not know each other; `of` may not exceed `requestsPerSecond`.
   * With an `index` (0 to `of` - 1, different in each process) the remainder is handed out too: 3, 3, 2, 2 for four.
   *
   * @default one process has it all
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
   * Calls that may wait at once; one more is refused with a `ThrottleError` (`queue_full`).
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
  /** Told when the service answered 429 although the promise was kept, and the throttle became more careful. */
  readonly onStepDown?: ((step: { readonly from: Pace; readonly to: Pace }) => void) | undefined
  /**
   * Where the time comes from.
   *
   * @default the clock and timers of the runtime
   */
  readonly clock?: Clock | undefined
}

/** What the options come down to. */
export interface Settings {
  readonly slots: number
  readonly windowMs: number
  readonly marginMs: number
  readonly guarantee: Guarantee
  readonly maxQueue: number
}

const isMs = (value: unknown) => typeof value === 'number' && value >= 0 && value < Infinity
const aDuration: Check = [isMs, 'a number of milliseconds of at least 0']

export const throttleChecks: Record<keyof ThrottleOptions, Check> = {
  requestsPerSecond: [
    (value) => typeof value === 'number' && value > 0 && value < Infinity,
    'a number above 0, such as 10',
  ],
  guarantee: oneOf('arrival', 'adaptive'),
  share: [
    (value) => typeof value === 'object' && value !== null && isShare(value),
    '{ of } with a whole number of processes from 1 to requestsPerSecond, and an index from 0 to of - 1 if any',
  ],
  maxQueue: [(value) => value === Infinity || isMs(value), 'a number of at least 0'],
  marginMs: aDuration,
  onStepDown: aFunction,
  clock: [
    (value) => typeof value === 'object' && value !== null && 'now' in value,
    '{ now, setTimeout, clearTimeout }',
  ],
}

const isShare = ({ of, index = 0 }: { of?: unknown; index?: unknown }): boolean =>
  Number.isInteger(of) && Number.isInteger(index) && 0 <= Number(index) && Number(index) < Number(of)

/** Refuses a pause that is no number of milliseconds, or would never end. */
export const checkPause = (ms: unknown): void => checkOption(aDuration, 'pause', ms)

/** Pages and their workers. */
const isBrowser = () => 'document' in globalThis || 'importScripts' in globalThis

/** Slots and window for a rate: whole slots in one second, or one slot in so many seconds. */
const spread = (perSecond: number) =>
  perSecond < 1 ? { slots: 1, windowMs: 1000 / perSecond } : { slots: Math.floor(perSecond), windowMs: 1000 }

/** Checks the options and works out what they mean. */
export const settingsOf = (given: ThrottleOptions = {}): Settings & { readonly clock: Clock } => {
  const options = checked(throttleChecks, given)
  const { requestsPerSecond = limits.requestsPerSecond, share = { of: 1 } } = options
  const { slots, windowMs } = spread(requestsPerSecond)
  if (share.of > slots) {
    throw new ConfigurationError(
      'share',
      `share.of must be at most ${slots}, the requests in a second; got ${share.of}: run fewer processes, or share one throttle through Redis`,
    )
  }
  const remainder = share.index !== undefined && share.index < slots % share.of ? 1 : 0
  return {
    slots: Math.floor(slots / share.of) + remainder,
    windowMs,
    marginMs: options.marginMs ?? (isBrowser() ? 5 : 2),
    guarantee: options.guarantee ?? 'arrival',
    maxQueue: options.maxQueue ?? Infinity,
    clock: options.clock ?? systemClock,
  }
}
