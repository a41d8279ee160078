import { createAlarm } from './clock.ts'
import { createLimiter, type ThrottledCall, type Limiter } from './limiter/limiter.ts'
import type { ThrottleOptions } from './options.ts'
import { createQueue, enqueue, type Queue, type WaitingCall } from './queue.ts'
import type { Permit, Throttle } from './types.ts'

/** A throttle of this process that several clients may share. */
export interface LocalThrottle extends Throttle {
  /** What a client asks for counts from its first call until no slot is held and no call waits. */
  acquire(call?: ThrottledCall): Promise<Permit>
  /** Whether nothing is known any more that a new throttle would not know. */
  isIdle(): boolean
}

/** The throttle that a limiter and calls that wait for it make together. */
export const throttleOf = (
  limiter: Limiter,
  queue: Pick<Queue<WaitingCall>, 'size' | 'ahead'>,
  acquire: (call: ThrottledCall) => Promise<Permit>,
): LocalThrottle => ({
  acquire(call = {}) {
    limiter.tighten(call.settings, queue.size === 0)
    return acquire(call)
  },
  pause: (ms) => limiter.pause(ms),
  reset: () => limiter.reset(),
  estimateMs: ({ priority } = {}) => limiter.estimateMs(priority, queue.ahead(priority)),
  isIdle: () => queue.size === 0 && limiter.isIdle(),
  get stats() {
    limiter.refresh()
    return limiter.stats(queue.size)
  },
})

/** The throttle of a process in which timers can be relied on. */
export const createQueuingThrottle = (options: ThrottleOptions = {}): LocalThrottle => {
  const queue = createQueue<WaitingCall>()
  const interactive = queue.lane('interactive')

  /** Lets through the calls that may pass now, and sets the alarm for the next one. */
  const admit = (): void => {
    const now = clock.now()
    let at = Infinity
    for (let next = queue.next(); next; next = queue.next()) {
      limiter.refresh(next.call)
      at = limiter.opensAt(next.priority, interactive.size > 0, now)
      if (at > now) break
      queue.take()?.settle(limiter.take(next.call, now).permit)
      at = Infinity
    }
    alarm.set(at, now)
  }
  const limiter = createLimiter(options, admit)
  const { clock } = limiter
  const alarm = createAlarm(clock, admit)

  return throttleOf(limiter, queue, (call) => {
    const { signal, priority } = call
    if (signal?.aborted) return Promise.reject(signal.reason)
    limiter.refresh(call)
    const now = clock.now()
    if (queue.size === 0 && limiter.opensAt(priority, false, now) <= now) {
      return Promise.resolve(limiter.take(call, now).permit)
    }
    const permit = enqueue(queue, call, limiter.settings().maxQueue, () => alarm.set(Infinity, 0))
    admit()
    return permit
  })
}
