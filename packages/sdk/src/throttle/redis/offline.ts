import { ThrottleError } from '../../errors/index.ts'
import type { RedisCore } from './core.ts'

/** The error of waiting calls while Redis is away and there is no local share. */
const unavailable = (cause: unknown): ThrottleError =>
  new ThrottleError(
    'throttle_unavailable',
    `The throttle cannot reach Redis (${cause instanceof Error ? cause.message : String(cause)}), nothing was sent: check the client, or pass processes to continue with a share of the rate`,
    { cause },
  )

/** Admission while Redis does not respond: with a share of the rate, if there is one. */
export const createOffline = (core: RedisCore) => {
  const { settings, waiters, slots, pace, alarm } = core
  const useShare = (now: number): void => {
    pace.passTime(now)
    const limits = pace.limits(settings.share)
    const opensAt = () => Math.max(slots.opensAt(limits, now), core.pausedUntil())
    while (waiters.size > 0 && opensAt() <= now) core.grant(`local:${crypto.randomUUID()}`, now)
    alarm.set(waiters.size > 0 ? opensAt() : Infinity, now)
  }
  return {
    /** Lets the calls that wait pass as soon as possible, or rejects them. */
    admit(now: number, cause?: unknown): void {
      if (settings.share > 0) useShare(now)
      else waiters.rejectAll(unavailable(cause))
    },
  }
}
