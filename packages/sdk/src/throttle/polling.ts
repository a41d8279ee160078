import { throttleOf, type LocalThrottle } from './in-process.ts'
import { createLimiter, type ThrottledCall } from './limiter/limiter.ts'
import { arrivesWithin } from './limiter/slots.ts'
import type { ThrottleOptions } from './options.ts'
import { createQueue, queueFull } from './queue.ts'
import type { Permit, Priority } from './types.ts'

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
  const limiter = createLimiter(options, () => {}, arrivesWithin)
  const { clock } = limiter
  const queue = createQueue<PollingCall>()
  const interactive = queue.lane('interactive')

  /** Whether it is the turn of a call. Those before it that count as dead leave. */
  const isTurnOf = (polling: PollingCall, now: number): boolean => {
    for (let next = queue.next(); next && next !== polling; next = queue.next()) {
      if (now - next.checkedAt <= silentMs) return false
      queue.delete(next)
    }
    return true
  }

  const acquire = async (call: ThrottledCall): Promise<Permit> => {
    const { signal, priority = 'interactive' } = call
    const since = clock.now()
    const polling: PollingCall = { priority, checkedAt: since }
    try {
      for (;;) {
        signal?.throwIfAborted()
        const now = (polling.checkedAt = clock.now())
        queue.add(polling) // at the end again, if it counted as dead
        limiter.refresh(call)
        if (isTurnOf(polling, now) && limiter.opensAt(priority, interactive.size > 0, now) <= now) {
          queue.take()
          return limiter.take(call, now).permit
        }
        if (now === since && priority === 'interactive' && interactive.size > limiter.settings().maxQueue) {
          throw queueFull(interactive.size - 1)
        }
        await new Promise<void>((resolve) => {
          clock.setTimeout(resolve, checkEveryMs)
        })
      }
    } finally {
      queue.delete(polling)
    }
  }

  return throttleOf(limiter, queue, acquire)
}
