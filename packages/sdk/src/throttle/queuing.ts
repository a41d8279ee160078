import { createAlarm } from './clock.ts'
import { createLimiter, type LocalThrottle } from './limiter.ts'
import type { ThrottleOptions } from './options.ts'
import { throttleOf } from './throttle-of.ts'
import { createWaiters } from './waiters.ts'

/** The throttle of a process in which timers can be relied on. */
export const createQueuingThrottle = (options: ThrottleOptions = {}): LocalThrottle => {
  const limiter = createLimiter(options, () => admit())
  const { clock } = limiter
  const alarm = createAlarm(clock, () => admit())
  const waiters = createWaiters(
    limiter,
    () => alarm.set(Infinity, 0),
    () => throttle.stats,
  )
  const { queue } = waiters
  const interactive = queue.lane('interactive')

  /** Lets through the calls that may pass now, and sets the alarm for the next one. */
  const admit = (): void => {
    const now = clock.now()
    let at = Infinity
    for (let next = queue.next(); next; next = queue.next()) {
      limiter.refresh(next.wait.user)
      at = limiter.opensAt(next.priority, interactive.size > 0, now)
      if (at > now) break
      waiters.grant(limiter.take(next.wait, now).permit)
      at = Infinity
    }
    alarm.set(at, now)
  }

  const throttle = throttleOf(limiter, queue, (wait = {}) => {
    const { signal, priority, user } = wait
    if (signal?.aborted) return Promise.reject(signal.reason)
    limiter.refresh(user)
    const now = clock.now()
    if (queue.size === 0 && limiter.opensAt(priority, false, now) <= now) {
      return Promise.resolve(limiter.take(wait, now).permit)
    }
    const permit = waiters.add(wait)
    admit()
    return permit
  })
  return throttle
}
