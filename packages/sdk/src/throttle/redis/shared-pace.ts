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
import type { Outcome, PaceChange } from '../throttle.ts'
import type { SyncRequest, SyncResponse } from './script.ts'

/** What a process reports about its pace with a sync. */
export type PaceReport = Pick<SyncRequest, 'reset' | 'pace' | 'limited' | 'completed' | 'step'>

/** The pace of all processes, which Redis decides; while Redis is away, each process follows the same rules alone. */
export const createSharedPace = (
  settings: ThrottleSettings,
  now: () => number,
  onPaceChange: ((change: PaceChange) => void) | undefined,
) => {
  let state: PaceState = startPace()
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
    /** Number of changes of the pace so far: requests sent before the last one say nothing about it. */
    get step() {
      return state.step
    },
    get rateLimited() {
      return rateLimited
    },
    /** What the pace means for so many slots. */
    limits: (slots = settings.slots): Limits => limitsOf({ ...settings, slots }, state),
    /** Takes note of how a request of `step` ended. */
    note(outcome: Outcome, step: number, isAlone: boolean): void {
      if (outcome.kind !== 'completed') return
      const isLimited = outcome.status === 429
      if (isLimited) rateLimited++
      if (step !== state.step) return
      if (isLimited) report.limited = true
      else report.completed++
      if (isAlone && isLimited) setState(afterRateLimit(state, now()), 'rate-limited')
      else if (isAlone) setState(afterCompleted(state), 'quiet')
    },
    /** What was noted since the last report. */
    takeReport(): PaceReport {
      const taken = report
      report = { reset: false, limited: false, completed: 0 }
      return { ...taken, pace: paces.indexOf(state.pace) + 1, step: state.step }
    },
    adopt({ pace, slowdown, step }: SyncResponse): void {
      if (step === state.step) return
      const to = paces[pace - 1] ?? 'sequential'
      const reason = paces.indexOf(to) < paces.indexOf(state.pace) ? 'quiet' : 'rate-limited'
      setState({ ...state, pace: to, slowdown, step, since: now() }, reason)
    },
    /** While Redis is away: steps up after quiet time. */
    passTime: (time: number): void => setState(afterQuiet(state, time), 'quiet'),
    reset(): void {
      report.reset = true
      setState({ ...startPace(), step: state.step }, 'reset')
    },
  }
}

export type SharedPace = ReturnType<typeof createSharedPace>
