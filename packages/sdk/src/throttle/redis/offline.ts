import { ThrottleError } from '../../errors/index.ts'
import type { RedisCore } from './core.ts'

/** The error of waiting calls while Redis is away and there is no local share. */
const unavailable = (cause: unknown): ThrottleError =>
  new ThrottleError(
    'throttle_unavailable',
    `The throttle cannot reach Redis (${cause instanceof Error ? cause.message : String(cause)}), nothing was sent: check the client, or pass processes to continue with a share of the rate`,
    { cause },
  )

/** Admission while Redis does not respond: calls that wait pass with a share of the rate, or are rejected without one. */
export const admitOffline = (core: RedisCore, now: number, cause?: unknown): void => {
  const { settings, waiters, limiter, alarm } = core
  if (settings.share === 0) return waiters.rejectAll(unavailable(cause))
  limiter.refresh()
  const opensAt = () => limiter.opensAt('interactive', true, now, settings.share)
  while (waiters.size > 0 && opensAt() <= now) core.grant(`local:${crypto.randomUUID()}`, now)
  alarm.set(waiters.size > 0 ? opensAt() : Infinity, now)
}
