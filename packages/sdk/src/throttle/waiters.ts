import { ThrottleError, TimeoutError } from '../errors/index.ts'
import { createAbortListeners } from './abort-listeners.ts'
import { timerMs, timersDieWithRequests, type Clock } from './clock.ts'
import { withdraw, type Handover } from './handover.ts'
import { createLongWait } from './long-wait.ts'
import { createQueue, type Link } from './queue.ts'
import type { AcquireOptions, Permit, Priority } from './throttle.ts'

/** How often a call checks by itself whether it may pass, where timers die with requests. */
const checkEveryMs = 50

/** A call that has not checked for so long counts as dead: its request has ended. */
const silentMs = 500

/** What a call gets that counts as dead. If it lives after all, because its request was held up, it waits again. */
const noPermit: Permit = { release() {} }

/** A call that waits for its permit. */
interface Waiter extends Link {
  readonly attemptTimeoutMs: number | undefined
  readonly since: number
  readonly resolve: (permit: Permit) => void
  readonly reject: (reason: unknown) => void
  readonly signal: AbortSignal | undefined
  timer: unknown
  /** Where timers die with requests: the waiter's own, by which it checks whether it may pass. */
  ownTimer: unknown
  /** When it checked last; `Infinity` where calls do not check by themselves. */
  checkedAt: number
  /** Whether it has left the queue. Its timers may still fire: one request cannot clear those of another on Workers. */
  hasLeft: boolean
}

/** Calls that wait for a permit, in the order in which they get one. */
export interface Waiters {
  readonly size: number
  /** Calls of one priority that wait. */
  count(priority: Priority): number
  /** Queues a call. It leaves by `grant`, by `rejectAll`, by its signal or when its time is up. */
  add(options: AcquireOptions): Promise<Permit>
  /** The call that gets the next permit. Removes those before it that count as dead. */
  next(): Pick<Waiter, 'priority' | 'attemptTimeoutMs'> | undefined
  /** Hands `permit` to the next call. */
  grant(permit: Permit): void
  rejectAll(reason: unknown): void
}

interface WaitersOptions {
  readonly clock: Clock
  /** Most interactive calls that may wait. */
  readonly maxQueue: () => number
  /** Called when a call left without a permit. */
  readonly onLeave: () => void
  /** Called when a call wants to know whether it may pass. */
  readonly onCheck?: () => void
  /** Called once an interactive call has waited long; not again before all interactive calls have left. */
  readonly onLongWait: (waitedMs: number) => unknown
}

export const createWaiters = (options: WaitersOptions): Waiters => {
  const { clock, maxQueue, onLeave, onCheck = () => {}, onLongWait } = options
  const queue = createQueue<Waiter>()
  const handover: Handover = new Map()
  const listeners = createAbortListeners<Waiter>((waiter, reason) => giveUp(waiter, reason))
  const longWait = createLongWait(clock, () => queue.first('interactive')?.since ?? Infinity, onLongWait)

  /** Removes all that a call has set up, once it is out of the queue. */
  const cleanUp = (waiter: Waiter): void => {
    const { signal } = waiter
    waiter.hasLeft = true
    if (queue.count('interactive') === 0) longWait.end()
    if (waiter.timer !== undefined) clock.clearTimeout(waiter.timer)
    if (waiter.ownTimer !== undefined) clock.clearTimeout(waiter.ownTimer)
    if (signal) listeners.remove(signal, waiter)
  }

  const leave = (waiter: Waiter): void => {
    queue.remove(waiter)
    cleanUp(waiter)
  }

  const giveUp = (waiter: Waiter, reason: unknown): void => {
    leave(waiter)
    waiter.reject(reason)
    onLeave()
  }

  const next = (): Waiter | undefined => {
    for (;;) {
      const waiter = queue.next()
      if (!waiter || clock.now() - waiter.checkedAt <= silentMs) return waiter
      leave(waiter)
      waiter.resolve(noPermit)
    }
  }

  const checkRegularly = (waiter: Waiter): void => {
    waiter.checkedAt = clock.now()
    waiter.ownTimer = clock.setTimeout(() => {
      if (waiter.hasLeft) return
      checkRegularly(waiter)
      withdraw(handover, waiter.checkedAt)
      onCheck()
    }, checkEveryMs)
  }

  const limitWait = (waiter: Waiter, timeoutMs: number): void => {
    const deadline = waiter.since + timeoutMs
    const check = () => {
      if (waiter.hasLeft) return
      const left = deadline - clock.now()
      if (left > 0) waiter.timer = clock.setTimeout(check, timerMs(left))
      else giveUp(waiter, timedOutInQueue(timeoutMs))
    }
    check()
  }

  const wait = (how: AcquireOptions, since = clock.now()): Promise<Permit> => {
    const { signal, priority = 'interactive', timeoutMs, attemptTimeoutMs } = how
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        priority,
        attemptTimeoutMs,
        since,
        resolve,
        reject,
        signal,
        timer: undefined,
        ownTimer: undefined,
        checkedAt: Infinity,
        hasLeft: false,
      }
      queue.add(waiter)
      if (queue.count('interactive') === 1) longWait.begin()
      if (signal) listeners.add(signal, waiter)
      if (timeoutMs !== undefined && timeoutMs !== Infinity) limitWait(waiter, timeoutMs)
      if (timersDieWithRequests) checkRegularly(waiter)
    })
  }

  /** Waits again, at the end of the queue, if the call counted as dead or took its permit too late. Its time limit goes on. */
  const waitAndTake = async (how: AcquireOptions): Promise<Permit> => {
    const since = clock.now()
    for (;;) {
      const permit = await wait(how, since)
      if (handover.delete(permit)) return permit
      how.signal?.throwIfAborted()
    }
  }

  return {
    get size() {
      return queue.size
    },
    add(how) {
      // Background work waits in a queue of its own length: paginators limit how many pages they request ahead.
      if (how.priority !== 'background') {
        if (queue.count('interactive') >= maxQueue()) next() // calls that count as dead leave
        const waiting = queue.count('interactive')
        if (waiting >= maxQueue()) return Promise.reject(queueFull(waiting))
      }
      return timersDieWithRequests ? waitAndTake(how) : wait(how)
    },
    count: (priority) => queue.count(priority),
    next,
    grant(permit) {
      const waiter = queue.take()
      if (!waiter) return
      cleanUp(waiter)
      if (timersDieWithRequests) handover.set(permit, clock.now())
      waiter.resolve(permit)
    },
    rejectAll(reason) {
      for (let waiter = queue.take(); waiter; waiter = queue.take()) {
        cleanUp(waiter)
        waiter.reject(reason)
      }
    },
  }
}

const queueFull = (size: number): ThrottleError =>
  new ThrottleError('queue_full', `${size} calls wait for the throttle already: start fewer at once, or raise maxQueue`)

/** The error of a call whose time ran out in the queue. */
export const timedOutInQueue = (timeoutMs: number): TimeoutError =>
  new TimeoutError(
    `No slot of the throttle came free within ${timeoutMs} ms, nothing was sent: raise timeoutMs or start fewer calls at once`,
    timeoutMs,
    'queue',
  )
