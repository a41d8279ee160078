import type { Limiter } from '../limiter/limiter.ts'
import { paces, startPace, type PaceState } from '../limiter/pace.ts'
import type { Synced } from './connection.ts'
import type { Report } from './sync.ts'

/** Whether one pace is more careful than another. */
const isMoreCareful = (one: Pick<PaceState, 'pace'>, other: Pick<PaceState, 'pace'>): boolean =>
  paces.indexOf(one.pace) > paces.indexOf(other.pace)

/**
 * The pace of a process that shares it with others: each changes it by the rules of `pace.ts`, and Redis keeps what was
 * derived from what it has. Of two that change the same pace at once, the second one takes over what the first one made.
 */
export const createSharedPace = (limiter: Limiter) => {
  const { clock } = limiter
  /** The step of the pace in Redis, as far as this process knows. */
  let storedStep = 0
  let isReset = false
  return {
    reset(): void {
      isReset = true
      limiter.reset()
    },
    report(): Pick<Report, 'reset' | 'pace' | 'derivedFrom' | 'limits'> {
      limiter.refresh()
      const now = clock.now()
      const state = limiter.state()
      const reset = isReset
      isReset = false
      const { slots, spacingMs, restMs } = limiter.limits()
      return {
        reset,
        pace: {
          ...state,
          since: now - state.since,
          steppedUpAt: state.steppedUpAt && now - state.steppedUpAt,
        },
        derivedFrom: storedStep,
        limits: { slots, spacingMs, restMs, of: limiter.settings() },
      }
    },
    /**
     * Takes over the pace in Redis. Returns whether Redis needs the more careful one of this process instead: where Redis
     * has lost its own, or the pace has changed here since the report or while Redis was away.
     */
    accept({ pace, isCurrent, time, at }: Synced): boolean {
      const own = limiter.state()
      const shared = { ...startPace(), ...pace }
      storedStep = shared.step
      if (isCurrent) return false
      if (own.step > shared.step && isMoreCareful(own, shared)) return true
      const { since, steppedUpAt } = shared
      const local = (then: number): number => then - time + at
      const next = { ...shared, since: local(since), steppedUpAt: steppedUpAt && local(steppedUpAt) }
      limiter.setState(next, isMoreCareful(next, own) ? 'rate-limited' : 'quiet')
      return false
    },
  }
}
