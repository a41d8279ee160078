import { ThrottleError } from '../errors/index.ts'
import { createAlarm, unref } from './clock.ts'
import type { Limiter, Wait } from './limiter.ts'
import { createQueue, first } from './queue.ts'
import type { Permit, Priority, ThrottleStats } from './throttle.ts'

/** A waiting interactive call of this age is reported. */
export const longWaitMs = 5000

interface Waiter {
  readonly wait: Wait
  readonly priority: Priority
  readonly since: number
  /** Leaves the queue with a permit, or without one. */
  readonly resolve: (permit: Permit) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Calls that wait for a permit, in the order in which they get one. `onEmpty` is called when the last call left without a
 * permit. A long wait is reported once, and not again before all interactive calls have left.
 */
export const createWaiters = (
  { clock, maxQueue, onLongWait }: Limiter,
  onEmpty: () => void,
  stats: () => ThrottleStats,
) => {
  const queue = createQueue<Waiter>()
  const interactive = queue.lane('interactive')

  const checkWait = (): void => {
    const oldest = first(interactive)
    if (!oldest) return
    const now = clock.now()
    if (now - oldest.since < longWaitMs) return alarm.set(oldest.since + longWaitMs, now)
    onLongWait(oldest.wait, now - oldest.since, stats())
  }
  const alarm = createAlarm(clock, checkWait, unref)

  const enqueue = (wait: Wait, resolve: (permit: Permit) => void, reject: (reason: unknown) => void): void => {
    const { signal, priority = 'interactive' } = wait
    const leave = (settle: () => void): void => {
      queue.delete(waiter)
      signal?.removeEventListener('abort', abort)
      if (interactive.size === 0) alarm.set(Infinity, 0)
      settle()
    }
    const waiter: Waiter = {
      wait,
      priority,
      since: clock.now(),
      resolve: (permit) => leave(() => resolve(permit)),
      reject: (reason) => leave(() => reject(reason)),
    }
    const abort = (): void => {
      waiter.reject(signal?.reason)
      if (queue.size === 0) onEmpty()
    }
    queue.add(waiter)
    signal?.addEventListener('abort', abort)
    if (interactive.size === 1) checkWait()
  }

  return {
    queue,
    /** Queues a call. It leaves by `grant`, by `rejectAll` or by its signal. */
    add(wait: Wait): Promise<Permit> {
      // Background work waits in a queue of its own length: paginators limit how many pages they request ahead.
      if (wait.priority !== 'background' && interactive.size >= maxQueue()) {
        return Promise.reject(queueFull(interactive.size))
      }
      return new Promise((resolve, reject) => enqueue(wait, resolve, reject))
    },
    grant: (permit: Permit): void => queue.take()?.resolve(permit),
    rejectAll(reason: unknown): void {
      for (let waiter = queue.take(); waiter; waiter = queue.take()) waiter.reject(reason)
    },
  }
}

export type Waiters = ReturnType<typeof createWaiters>

/** The error of a call that finds the queue full. */
export const queueFull = (size: number): ThrottleError =>
  new ThrottleError('queue_full', `${size} calls wait: start fewer at once, or raise maxQueue in every client`)
