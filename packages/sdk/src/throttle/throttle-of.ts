import type { Limiter, LocalThrottle } from './limiter.ts'
import type { createQueue } from './queue.ts'

/** The throttle that a limiter and calls that wait for it make together. */
export const throttleOf = (
  limiter: Limiter,
  queue: Pick<ReturnType<typeof createQueue>, 'size' | 'ahead'>,
  acquire: LocalThrottle['acquire'],
): LocalThrottle => ({
  acquire(wait) {
    limiter.tighten(wait?.user, queue.size === 0)
    return acquire(wait)
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
