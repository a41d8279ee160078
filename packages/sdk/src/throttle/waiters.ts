import { notify } from '../callback.ts'
import { ThrottleError, TimeoutError } from '../errors/index.ts'
import { createAlarm, timerMs, timersDieWithRequests, unref, type Clock } from './clock.ts'
import { createHandover } from './handover.ts'
import { createQueue, type Link } from './queue.ts'
import type { AcquireOptions, Permit, Priority } from './throttle.ts'

/** A waiting call of this age is reported. */
const longWaitMs = 5000

/** How often a call checks by itself whether it may pass, where timers die with requests. */
const checkEveryMs = 50

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
  /** The call that gets the next permit. */
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
  // One listener for each signal however many calls share it: a signal searches its listeners at every change.
  const listeners = new Map<AbortSignal, { waiters: Set<Waiter>; abort: () => void }>()
  const handover = createHandover(clock)
  /** Whether the long wait was reported of the interactive calls that wait now. */
  let isReported = false

  const checkLongWait = (): void => {
    const oldest = queue.first('interactive')
    if (!oldest || isReported) return
    const now = clock.now()
    const waitedMs = now - oldest.since
    if (waitedMs < longWaitMs) return longWait.set(oldest.since + longWaitMs, now)
    isReported = true
    notify(onLongWait, waitedMs)
  }
  const longWait = createAlarm(clock, checkLongWait, unref)

  /** Removes all that a call has set up, once it is out of the queue. */
  const cleanUp = (waiter: Waiter): void => {
    const { signal } = waiter
    waiter.hasLeft = true
    if (queue.count('interactive') === 0) {
      isReported = false
      longWait.set(Infinity, 0)
    }
    if (waiter.timer !== undefined) clock.clearTimeout(waiter.timer)
    if (waiter.ownTimer !== undefined) clock.clearTimeout(waiter.ownTimer)
    const listener = signal && listeners.get(signal)
    if (!listener) return
    listener.waiters.delete(waiter)
    if (listener.waiters.size > 0) return
    signal.removeEventListener('abort', listener.abort)
    listeners.delete(signal)
  }

  const giveUp = (waiter: Waiter, reason: unknown): void => {
    queue.remove(waiter)
    cleanUp(waiter)
    waiter.reject(reason)
    onLeave()
  }

  const listen = (signal: AbortSignal, waiter: Waiter): void => {
    const known = listeners.get(signal)
    if (known) return void known.waiters.add(waiter)
    const waiters = new Set([waiter])
    const abort = () => {
      for (const one of waiters) giveUp(one, signal.reason)
    }
    listeners.set(signal, { waiters, abort })
    signal.addEventListener('abort', abort)
  }

  const checkRegularly = (waiter: Waiter): void => {
    waiter.ownTimer = clock.setTimeout(() => {
      if (waiter.hasLeft) return
      checkRegularly(waiter)
      handover.withdraw()
      onCheck()
    }, checkEveryMs)
  }

  const limitWait = (waiter: Waiter, timeoutMs: number): void => {
    const deadline = clock.now() + timeoutMs
    const check = () => {
      if (waiter.hasLeft) return
      const left = deadline - clock.now()
      if (left > 0) waiter.timer = clock.setTimeout(check, timerMs(left))
      else giveUp(waiter, timedOutInQueue(timeoutMs))
    }
    check()
  }

  const wait = ({ signal, priority = 'interactive', timeoutMs, attemptTimeoutMs }: AcquireOptions): Promise<Permit> =>
    new Promise((resolve, reject) => {
      const waiter: Waiter = {
        priority,
        attemptTimeoutMs,
        since: clock.now(),
        resolve,
        reject,
        signal,
        timer: undefined,
        ownTimer: undefined,
        hasLeft: false,
      }
      queue.add(waiter)
      if (queue.count('interactive') === 1) checkLongWait()
      if (signal) listen(signal, waiter)
      if (timeoutMs !== undefined && timeoutMs !== Infinity) limitWait(waiter, timeoutMs)
      if (timersDieWithRequests) checkRegularly(waiter)
    })

  /** Waits again if the permit was withdrawn before it could be taken. */
  const waitAndTake = async (how: AcquireOptions): Promise<Permit> => {
    for (;;) {
      const permit = await wait(how)
      if (handover.take(permit)) return permit
      how.signal?.throwIfAborted()
    }
  }

  return {
    get size() {
      return queue.size
    },
    add(how) {
      // Background work waits in a queue of its own length: paginators limit how many pages they request ahead.
      const waiting = queue.count('interactive')
      const isInteractive = (how.priority ?? 'interactive') === 'interactive'
      if (isInteractive && waiting >= maxQueue()) return Promise.reject(queueFull(waiting))
      return timersDieWithRequests ? waitAndTake(how) : wait(how)
    },
    count: (priority) => queue.count(priority),
    next: () => queue.next(),
    grant(permit) {
      const waiter = queue.take()
      if (!waiter) return
      cleanUp(waiter)
      if (timersDieWithRequests) handover.give(permit)
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
