import type { ThrottleSettings } from '../options.ts'
import type { Pace } from '../types.ts'

/** What a pace means in slots and milliseconds. */
export interface Limits {
  /** Slots that may be held at once. */
  readonly slots: number
  /** How long a slot stays held after its request has ended: at every pace, so that no change of pace lets more arrive. */
  readonly gapMs: number
  /** Least time from one send to the next. */
  readonly spacingMs: number
  /** Least time from the end of one request to the next send; 0 where requests need not wait for each other. */
  readonly restMs: number
  /** Requests that may arrive in a second. */
  readonly requestsPerSecond: number
}

/** How careful a throttle is now, and since when. Changed by the pure functions below. */
export interface PaceState {
  readonly pace: Pace
  /** Factor on the gap of `sequential`: 1, 2, 4, 8 or 16. */
  readonly slowdown: number
  /** Counts the steps, so that of a burst of rate limits only the first makes one. */
  readonly step: number
  /** When the last rate limit came or the last step up was made. */
  readonly since: number
  /** Time without a rate limit before the next step up. */
  readonly quietMs: number
  /** When the last step up was made; undefined if a rate limit came after it. */
  readonly steppedUpAt: number | undefined
  /** Completed requests since the last change of `slowdown`. */
  readonly completed: number
}

/** From fast to careful. A throttle starts with the first. */
export const paces = ['arrival', 'spaced', 'sequential'] as const satisfies Pace[]
const firstPace = paces[0]

/** Time without a rate limit before the first step up, and the longest such time. */
const shortestQuietMs = 600_000
/** The same after a first 503, which may be a short outage and not a limit. */
const doubtfulQuietMs = 30_000
const longestQuietMs = 86_400_000
const mostSlowdown = 16
const completedToEase = 20

const neighbour = (pace: Pace, steps: number): Pace => paces[paces.indexOf(pace) + steps] ?? pace

/**
 * `arrival`: as many slots as requests are allowed in a window, each held for one window after its request has ended.
 * `spaced`: a limiter that weighs the previous window (a sliding counter) rejects a burst after a burst, but accepts this.
 * `sequential`: the one shape that passes every limiter, whatever the delays: also one that allows no burst at all.
 */
export const limitsOf = (
  { slots: most, windowMs, marginMs }: ThrottleSettings,
  { pace, slowdown }: Pick<PaceState, 'pace' | 'slowdown'>,
): Limits => {
  const slots = pace === 'spaced' ? Math.max(1, most - 1) : most
  return {
    slots,
    gapMs: windowMs + marginMs,
    spacingMs: pace === 'spaced' ? Math.floor(windowMs / slots) + 1 : 0,
    restMs: pace === 'sequential' ? (windowMs / slots) * slowdown + marginMs : 0,
    requestsPerSecond: (slots * 1000) / windowMs / slowdown,
  }
}

export const startPace = (): PaceState => ({
  pace: firstPace,
  slowdown: 1,
  step: 0,
  since: 0,
  quietMs: shortestQuietMs,
  steppedUpAt: undefined,
  completed: 0,
})

/** A rate limit soon after a step up says that it came too early; one long after it has another cause. */
const quietAfterLimit = ({ pace, quietMs, steppedUpAt }: PaceState, now: number, isDoubtful: boolean): number => {
  const shortest = isDoubtful ? doubtfulQuietMs : shortestQuietMs
  if (steppedUpAt === undefined) return pace === firstPace ? shortest : Math.max(quietMs, shortest)
  if (now - steppedUpAt >= shortestQuietMs && now - steppedUpAt >= quietMs) return shortest
  return quietMs < shortestQuietMs ? shortestQuietMs : Math.min(longestQuietMs, quietMs * 2)
}

/** The service limited the rate: one step down, or twice the gap where there is no further step. `isDoubtful`: by a 503. */
export const afterRateLimit = (state: PaceState, now: number, isDoubtful = false): PaceState => ({
  pace: neighbour(state.pace, 1),
  slowdown: state.pace === 'sequential' ? Math.min(mostSlowdown, state.slowdown * 2) : 1,
  step: state.step + 1,
  since: now,
  quietMs: quietAfterLimit(state, now, isDoubtful),
  steppedUpAt: undefined,
  completed: 0,
})

/** The service responded with anything else: after 20 of these a longer gap is halved. */
export const afterCompleted = (state: PaceState): PaceState => {
  if (state.slowdown === 1) return state
  const completed = state.completed + 1
  if (completed < completedToEase) return { ...state, completed }
  return { ...state, slowdown: state.slowdown / 2, step: state.step + 1, completed: 0 }
}

/** One step up for each quiet time that has passed without a rate limit. */
export const afterQuiet = (state: PaceState, now: number): PaceState => {
  if (state.pace === firstPace || now - state.since < state.quietMs) return state
  const since = state.since + state.quietMs
  const next: PaceState = {
    ...state,
    pace: neighbour(state.pace, -1),
    slowdown: 1,
    step: state.step + 1,
    since,
    steppedUpAt: since,
    completed: 0,
  }
  return afterQuiet(next, now)
}

/** Whether the next rate limit would mean the same as the first one ever. */
export const isFresh = ({ pace, steppedUpAt = -Infinity, quietMs }: PaceState, now: number): boolean =>
  pace === firstPace && now - steppedUpAt >= Math.max(quietMs, shortestQuietMs)
