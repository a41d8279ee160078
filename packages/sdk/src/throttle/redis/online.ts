import { longestDeliveryMs } from '../slots.ts'
import type { RedisCore } from './core.ts'

/**
 * Admission while Redis responds: its leases decide. `onAway` is called when Redis has not responded, `onTurn` when the
 * calls that wait can be looked at again.
 */
export const createOnline = (core: RedisCore, onAway: (cause: unknown) => void, onTurn: () => void) => {
  const { settings, waiters, limiter, session, alarm } = core
  const { clock } = settings
  let isRequesting = false
  let isQueued = false
  let nextAt = -Infinity

  /** No call waits any more. */
  const leave = (): void => {
    alarm.set(Infinity, 0)
    if (!isQueued || isRequesting || !session.status.up) return
    isQueued = false
    session.sync(0).catch(onAway)
  }

  /** Requests leases for all calls that wait here, or tries whether Redis responds. */
  const requestLeases = async (): Promise<void> => {
    if (isRequesting) return
    isRequesting = true
    const requestedAt = clock.now()
    const response = await session.sync(Math.min(waiters.size, settings.slots)).catch((cause: unknown) => {
      isRequesting = false
      onAway(cause)
    })
    if (!response) return
    isRequesting = false
    const now = clock.now()
    isQueued = response.waitMs >= 0
    // Leases that a process gets after it stood still may have ended in Redis before their requests do.
    const areUsable = now - requestedAt <= longestDeliveryMs && session.status.up && limiter.pausedUntil() <= now
    for (const lease of response.granted) {
      if (areUsable && waiters.size > 0) core.grant(lease, now)
      else core.giveBack(lease)
    }
    limiter.pauseFor(response.pauseMs)
    if (waiters.size === 0) leave()
    else if (isQueued && session.status.up) {
      // One millisecond late, because timers may be early and each check costs a round trip.
      nextAt = Math.max(now + response.waitMs + 1, limiter.pausedUntil())
      alarm.set(nextAt, now)
    } else onTurn()
  }

  return {
    leave,
    requestLeases,
    /** When Redis is asked next on behalf of calls that wait; in the past if none does. */
    nextAt: () => nextAt,
    /** Lets the calls that wait pass as soon as possible. */
    admit(now: number): void {
      if (limiter.pausedUntil() > now) alarm.set(limiter.pausedUntil(), now)
      else void requestLeases()
    },
  }
}
