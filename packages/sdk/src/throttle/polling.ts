import { createLimiter, type LocalThrottle, type Wait } from './limiter.ts'
import type { ThrottleOptions } from './options.ts'
import { createQueue } from './queue.ts'
import { arrivesWithin } from './slots.ts'
import { throttleOf } from './throttle-of.ts'
import type { Permit, Priority } from './throttle.ts'
import { longWaitMs, queueFull } from './waiters.ts'

/** How often a call checks whether it may pass. */
const checkEveryMs = 50

/** A call that has not checked for so long counts as dead: its event has ended. */
const silentMs = 500

interface PollingCall {
  readonly priority: Priority
  checkedAt: number
}

/**
 * The throttle of an isolate on Cloudflare Workers, where timers, promises and requests die with the event that they
 * belong to. So each call looks at the clock by itself, and a slot whose end nobody reports ends after some time.
 */
export const createPollingThrottle = (options: ThrottleOptions = {}): LocalThrottle => {
  const limiter = createLimiter(options, () => {}, { heldForMs: arrivesWithin })
  const { clock } = limiter
  const queue = createQueue<PollingCall>()
  const interactive = queue.lane('interactive')
  let isReported = false

  /** Whether it is the turn of a call. Those before it that count as dead leave. */
  const isTurnOf = (call: PollingCall, now: number): boolean => {
    for (let next = queue.next(); next && next !== call; next = queue.next()) {
      if (now - next.checkedAt <= silentMs) return false
      queue.delete(next)
    }
    return true
  }

  const acquire = async (wait: Wait = {}): Promise<Permit> => {
    const { signal, priority = 'interactive', user } = wait
    const since = clock.now()
    const call: PollingCall = { priority, checkedAt: since }
    try {
      for (;;) {
        signal?.throwIfAborted()
        const now = (call.checkedAt = clock.now())
        queue.add(call) // at the end again, if it counted as dead
        limiter.refresh(user)
        if (isTurnOf(call, now) && limiter.opensAt(priority, interactive.size > 0, now) <= now) {
          queue.take()
          return limiter.take(wait, now).permit
        }
        if (now === since && priority === 'interactive' && interactive.size > limiter.maxQueue()) {
          throw queueFull(interactive.size - 1)
        }
        if (!isReported && priority === 'interactive' && now - since >= longWaitMs) {
          isReported = true
          limiter.onLongWait(wait, now - since, throttle.stats)
        }
        await new Promise<void>((resolve) => {
          clock.setTimeout(resolve, checkEveryMs)
        })
      }
    } finally {
      queue.delete(call)
      if (interactive.size === 0) isReported = false
    }
  }

  const throttle = throttleOf(limiter, queue, acquire)
  return throttle
}
