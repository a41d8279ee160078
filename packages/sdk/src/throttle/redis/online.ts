import type { createAlarm } from '../clock.ts'
import type { Limiter } from '../limiter/limiter.ts'
import { longestDeliveryMs } from '../limiter/slots.ts'
import type { Queue, WaitingCall } from '../queue.ts'
import type { Connection, Synced } from './connection.ts'

interface OnlineParts {
  readonly queue: Queue<WaitingCall>
  readonly limiter: Limiter
  readonly connection: Connection
  readonly alarm: ReturnType<typeof createAlarm>
  /** One round trip; undefined if Redis is unavailable. */
  readonly sync: (want: number) => Promise<Synced | undefined>
  /** Lets the next call pass, with a slot that is a lease of this name. */
  readonly grant: (lease: string, now: number) => void
  /** Returns a lease that no call needs. */
  readonly giveBack: (lease: string) => void
  /** Waiting calls can be looked at again. */
  readonly onTurn: () => void
}

/** How calls that wait get their slots while Redis responds: with leases of it. */
export const createOnline = (parts: OnlineParts) => {
  const { queue, limiter, connection, alarm, sync, grant, giveBack, onTurn } = parts
  const { clock } = limiter
  let isRequesting = false
  let isQueued = false
  let nextAt = -Infinity

  /** No call waits any more. */
  const leave = (): void => {
    alarm.set(Infinity, 0)
    if (!isQueued || isRequesting || !connection.status.up) return
    isQueued = false
    void sync(0)
  }

  /** Requests leases for all calls that wait here, or tries whether Redis responds. */
  const requestLeases = async (): Promise<void> => {
    if (isRequesting) return
    isRequesting = true
    const response = await sync(Math.min(queue.size, limiter.settings().slots))
    isRequesting = false
    if (!response) return
    const now = clock.now()
    isQueued = response.waitMs >= 0
    // Leases that a process gets after it stood still may have ended in Redis before their requests do.
    const areUsable = now - response.at <= longestDeliveryMs && connection.status.up && limiter.pausedUntil() <= now
    for (const lease of response.granted) {
      if (areUsable && queue.size > 0) grant(lease, now)
      else giveBack(lease)
    }
    limiter.pauseFor(response.pauseMs)
    if (queue.size === 0) leave()
    else if (isQueued && connection.status.up) {
      // One millisecond late, because timers may be early and each check costs a round trip.
      nextAt = Math.max(now + response.waitMs + 1, limiter.pausedUntil())
      alarm.set(nextAt, now)
    } else onTurn()
  }

  return {
    /** Lets the calls that wait pass as soon as possible. */
    admit(now: number): void {
      if (limiter.pausedUntil() > now) alarm.set(limiter.pausedUntil(), now)
      else void requestLeases()
    },
    leave,
    /** When Redis is asked next on behalf of calls that wait; in the past if none does. */
    nextAt: () => nextAt,
    requestLeases,
  }
}
