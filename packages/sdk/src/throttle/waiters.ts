import { ThrottleError, TimeoutError } from '../errors/index.ts'
import { createAlarm, unref } from './clock.ts'
import { createQueue, first } from './queue.ts'
import type { AcquireOptions, Clock, Permit, Priority } from './throttle.ts'

/** A waiting interactive call of this age is reported. */
export const longWaitMs = 5000

/** A call that waits for its permit. */
interface Waiter<Wait> {
  readonly wait: Wait
  readonly priority: Priority
  readonly since: number
  /** Leaves the queue with a permit, or without one. */
  readonly resolve: (permit: Permit) => void
  readonly reject: (reason: unknown) => void
}

interface WaitersOptions<Wait> {
  readonly clock: Clock
  /** Most interactive calls that may wait. */
  readonly maxQueue: () => number
  /** Called when the last call left without a permit. */
  readonly onEmpty: () => void
  /** Called once an interactive call has waited long; not again before all interactive calls have left. */
  readonly onLongWait: (wait: Wait, waitedMs: number) => void
}

/** Calls that wait for a permit, in the order in which they get one. */
export const createWaiters = <Wait extends AcquireOptions>({
  clock,
  maxQueue,
  onEmpty,
  onLongWait,
}: WaitersOptions<Wait>) => {
  const queue = createQueue<Waiter<Wait>>()
  const interactive = queue.lane('interactive')
  let isReported = false

  const checkWait = (): void => {
    const oldest = first(interactive)
    if (!oldest || isReported) return
    const now = clock.now()
    if (now - oldest.since < longWaitMs) return alarm.set(oldest.since + longWaitMs, now)
    isReported = true
    onLongWait(oldest.wait, now - oldest.since)
  }
  const alarm = createAlarm(clock, checkWait, unref)

  const enqueue = (wait: Wait, resolve: (permit: Permit) => void, reject: (reason: unknown) => void): void => {
    const { signal, priority = 'interactive', timeoutMs = Infinity } = wait
    const since = clock.now()
    const deadline = createAlarm(clock, () => limitTime())
    const leave = (settle: () => void): void => {
      queue.delete(waiter)
      deadline.set(Infinity, 0)
      signal?.removeEventListener('abort', abort)
      if (interactive.size === 0) {
        isReported = false
        alarm.set(Infinity, 0)
      }
      settle()
    }
    const waiter: Waiter<Wait> = {
      wait,
      priority,
      since,
      resolve: (permit) => leave(() => resolve(permit)),
      reject: (reason) => leave(() => reject(reason)),
    }
    const giveUp = (reason: unknown): void => {
      waiter.reject(reason)
      if (queue.size === 0) onEmpty()
    }
    const abort = () => giveUp(signal?.reason)
    const limitTime = (): void => {
      const now = clock.now()
      if (now - since >= timeoutMs) giveUp(timedOutInQueue(timeoutMs))
      else deadline.set(since + timeoutMs, now)
    }
    queue.add(waiter)
    signal?.addEventListener('abort', abort, { once: true })
    if (timeoutMs < Infinity) limitTime()
    if (interactive.size === 1) checkWait()
  }

  return {
    get size() {
      return queue.size
    },
    lane: queue.lane,
    ahead: queue.ahead,
    next: queue.next,
    /** Queues a call. It leaves by `grant`, by `rejectAll`, by its signal or when its time is up. */
    add(wait: Wait): Promise<Permit> {
      // Background work waits in a queue of its own length: paginators limit how many pages they request ahead.
      if (wait.priority !== 'background' && interactive.size >= maxQueue()) {
        return Promise.reject(queueFull(interactive.size))
      }
      return new Promise((resolve, reject) => enqueue(wait, resolve, reject))
    },
    /** Hands `permit` to the next call. */
    grant: (permit: Permit): void => queue.take()?.resolve(permit),
    rejectAll(reason: unknown): void {
      for (let waiter = queue.take(); waiter; waiter = queue.take()) waiter.reject(reason)
    },
  }
}

export type Waiters<Wait extends AcquireOptions> = ReturnType<typeof createWaiters<Wait>>

/** The error of a call that finds the queue full. */
export const queueFull = (size: number): ThrottleError =>
  new ThrottleError('queue_full', `${size} calls wait: start fewer at once, or raise maxQueue in every client`)

/** The error of a call whose time ran out in the queue. */
export const timedOutInQueue = (timeoutMs: number): TimeoutError =>
  new TimeoutError(
    `No slot of the throttle came free within ${timeoutMs} ms, nothing was sent: raise timeoutMs or start fewer calls at once`,
    timeoutMs,
    'queue',
  )
