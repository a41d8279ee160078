import { isErrorLike } from '@guild-ledger/validation'
import { ThrottleError } from '../../errors/index.ts'
import type { createAlarm } from '../clock.ts'
import type { Limiter } from '../limiter/limiter.ts'
import { longestDeliveryMs } from '../limiter/slots.ts'
import type { Queue, WaitingCall } from '../queue.ts'
import type { RedisSettings } from './options.ts'
import type { Session } from './session.ts'

/** What admission needs, whether Redis responds or not. */
export interface RedisCore {
  readonly settings: RedisSettings
  readonly queue: Queue<WaitingCall>
  readonly limiter: Limiter
  readonly session: Session
  readonly alarm: ReturnType<typeof createAlarm>
  /** Lets the next call pass, with a slot that is a lease of this name. */
  grant(lease: string, now: number): void
  /** Returns a lease that no call needs. */
  giveBack(lease: string): void
}

/** The error of waiting calls while Redis is away and there is no local share. */
const unavailable = (cause: unknown): ThrottleError =>
  new ThrottleError(
    'throttle_unavailable',
    `The throttle cannot reach Redis (${isErrorLike(cause) ? cause.message : String(cause)}), nothing was sent: check the client, or pass processes to continue with a share of the rate`,
    { cause },
  )

const rejectAll = (queue: RedisCore['queue'], reason: unknown): void => {
  for (let next = queue.take(); next; next = queue.take()) next.reject(reason)
}

/** Admission while Redis does not respond: calls that wait pass with a share of the rate, or are rejected without one. */
export const admitOffline = (core: RedisCore, now: number, cause?: unknown): void => {
  const { settings, queue, limiter, alarm } = core
  if (settings.share === 0) return rejectAll(queue, unavailable(cause))
  limiter.refresh()
  const opensAt = () => limiter.opensAt('interactive', true, now, settings.share)
  while (queue.size > 0 && opensAt() <= now) core.grant(`local:${crypto.randomUUID()}`, now)
  alarm.set(queue.size > 0 ? opensAt() : Infinity, now)
}

/** Admission while Redis responds: its leases decide. `onTurn` is called when waiting calls can be looked at again. */
export const createOnline = (core: RedisCore, onAway: (cause: unknown) => void, onTurn: () => void) => {
  const { settings, queue, limiter, session, alarm } = core
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
    const response = await session.sync(Math.min(queue.size, settings.slots)).catch((cause: unknown) => {
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
      if (areUsable && queue.size > 0) core.grant(lease, now)
      else core.giveBack(lease)
    }
    limiter.pauseFor(response.pauseMs)
    if (queue.size === 0) leave()
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
    admit(now: number): void {
      if (limiter.pausedUntil() > now) alarm.set(limiter.pausedUntil(), now)
      else void requestLeases()
    },
  }
}
