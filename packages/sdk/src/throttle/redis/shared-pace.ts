import { notify } from '../../callback.ts'
import type { ThrottleSettings } from '../options.ts'
import {
  afterCompleted,
  afterQuiet,
  afterRateLimit,
  limitsOf,
  paces,
  startPace,
  type Limits,
  type PaceState,
} from '../pace.ts'
import type { Outcome, Pace, PaceChange } from '../throttle.ts'
import type { SyncRequest, SyncResponse } from './protocol.ts'

/** What a process reports about its pace with a sync. */
export type PaceReport = Pick<SyncRequest, 'reset' | 'pace' | 'limited' | 'completed' | 'step'>

/** The pace of all processes, which Redis decides; while Redis is away, each process follows the same rules alone. */
export interface SharedPace {
  readonly pace: Pace
  /** Number of changes of the pace so far: requests sent before the last one say nothing about it. */
  readonly step: number
  /** Responses with status 429 so far. */
  readonly rateLimited: number
  /** What the pace means for so many slots. */
  limits(slots?: number): Limits
  /** Takes note of how a request of `step` ended. */
  note(outcome: Outcome, step: number, isAlone: boolean): void
  /** What was noted since the last report. */
  takeReport(): PaceReport
  adopt(response: SyncResponse): void
  /** While Redis is away: steps up after quiet time. */
  passTime(now: number): void
  reset(): void
}

export const createSharedPace = (
  settings: ThrottleSettings,
  now: () => number,
  onPaceChange: ((change: PaceChange) => void) | undefined,
): SharedPace => {
  let state: PaceState = startPace('arrival')
  let report = { reset: false, limited: false, completed: 0 }
  let rateLimited = 0

  const setState = (next: PaceState, reason: PaceChange['reason']): void => {
    const from = state.pace
    state = next
    if (from === state.pace) return
    notify(onPaceChange, { from, to: state.pace, reason })
  }

  return {
    get pace() {
      return state.pace
    },
    get step() {
      return state.step
    },
    get rateLimited() {
      return rateLimited
    },
    limits: (slots = settings.slots) => limitsOf({ ...settings, slots }, state),
    note(outcome, step, isAlone) {
      if (outcome.kind !== 'completed') return
      const isLimited = outcome.status === 429
      if (isLimited) rateLimited++
      if (step !== state.step) return
      if (isLimited) report.limited = true
      else report.completed++
      if (isAlone && isLimited) setState(afterRateLimit(state, now()), 'rate-limited')
      else if (isAlone) setState(afterCompleted(state), 'quiet')
    },
    takeReport() {
      const taken = report
      report = { reset: false, limited: false, completed: 0 }
      return { ...taken, pace: paces.indexOf(state.pace), step: state.step }
    },
    adopt({ pace, slowdown, step }) {
      if (step === state.step) return
      const to = paces[pace] ?? 'sequential'
      const reason = paces.indexOf(to) < paces.indexOf(state.pace) ? 'quiet' : 'rate-limited'
      setState({ ...state, pace: to, slowdown, step, since: now() }, reason)
    },
    passTime: (time) => setState(afterQuiet(state, time, 'arrival'), 'quiet'),
    reset() {
      report.reset = true
      setState({ ...startPace('arrival'), step: state.step }, 'reset')
    },
  }
}
