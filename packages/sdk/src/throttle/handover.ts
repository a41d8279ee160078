import type { Permit } from './throttle.ts'

/** A call that lives takes its permit at once, also while others keep the runtime busy. */
const takenWithinMs = 500

/**
 * Permits on the way to calls that waited for them, and when they were granted. Where timers die with requests, so do
 * these calls: nothing of them runs any more, so they take no permit, and nobody would release it.
 */
export type Handover = Map<Permit, number>

/** Withdraws permits that were not taken. */
export const withdraw = (handover: Handover, now: number): void => {
  for (const [permit, at] of handover) {
    if (now - at < takenWithinMs) continue
    handover.delete(permit)
    permit.release({ kind: 'notSent' })
  }
}
