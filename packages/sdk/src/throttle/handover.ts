import type { Clock } from './clock.ts'
import type { Permit } from './throttle.ts'

/** A call that lives takes its permit at once, also while others keep the runtime busy. */
const takenWithinMs = 500

/**
 * Permits on the way to calls that waited for them. Where timers die with requests, so do these calls: nothing of them
 * runs any more, so they take no permit, and nobody would release it.
 */
export interface Handover {
  /** A permit was granted to a call. */
  give(permit: Permit): void
  /** Whether a call may use its permit; false if it was withdrawn. */
  take(permit: Permit): boolean
  /** Withdraws permits that were not taken. */
  withdraw(): void
}

export const createHandover = (clock: Pick<Clock, 'now'>): Handover => {
  const givenAt = new Map<Permit, number>()
  return {
    give: (permit) => void givenAt.set(permit, clock.now()),
    take: (permit) => givenAt.delete(permit),
    withdraw() {
      const now = clock.now()
      for (const [permit, at] of givenAt) {
        if (now - at < takenWithinMs) continue
        givenAt.delete(permit)
        permit.release({ kind: 'notSent' })
      }
    },
  }
}
