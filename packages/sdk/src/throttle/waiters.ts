import { ThrottleError, TimeoutError } from '../errors/index.ts'
import { timerMs, timersDieWithRequests, type Clock } from './clock.ts'
import type { AcquireOptions, Permit, Priority } from './throttle.ts'

/** While both wait, one permit in five goes to the background: it is slowed down, never stopped. */
const interactiveInARow = 4

/** A call that waits for its permit: a link in the list of its lane, so that it can step out of the middle. */
interface Waiter {
  readonly lane: Lane
  readonly resolve: (permit: Permit) => void
  readonly reject: (reason: unknown) => void
  readonly signal: AbortSignal | undefined
  before: Waiter | undefined
  after: Waiter | undefined
  timer: unknown
  /** Where timers die with requests: the waiter's own, by which it looks for itself whether it may go. */
  ownTimer: unknown
}

interface Lane {
  first: Waiter | undefined
  last: Waiter | undefined
}

/** Calls that wait for a permit, in the order in which they get one. */
export interface Waiters {
  readonly size: number
  /** Queues a call. It leaves by `grant`, by `rejectAll`, by its signal or when its time is up. */
  add(options: AcquireOptions): Promise<Permit>
  /** Hands `permit` to the next call. */
  grant(permit: Permit): void
  rejectAll(reason: unknown): void
}

const lookEveryMs = 50

/** `onLeave` is told when a call gave up waiting, `onLook` when one wants to know whether it may go. */
export const createWaiters = (
  clock: Clock,
  maxQueue: () => number,
  onLeave: () => void,
  onLook: () => void = () => {},
): Waiters => {
  const lanes: Record<Priority, Lane> = {
    interactive: { first: undefined, last: undefined },
    background: { first: undefined, last: undefined },
  }
  // One listener for each signal however many calls share it: a signal looks through its listeners at every change.
  const listeners = new Map<AbortSignal, { waiters: Set<Waiter>; abort: () => void }>()
  let size = 0
  let inARow = 0

  const leave = (waiter: Waiter): void => {
    const { lane, before, after, signal } = waiter
    if (before) before.after = after
    else lane.first = after
    if (after) after.before = before
    else lane.last = before
    size--
    if (waiter.timer !== undefined) clock.clearTimeout(waiter.timer)
    if (waiter.ownTimer !== undefined) clock.clearTimeout(waiter.ownTimer)
    waiter.ownTimer = undefined
    const listener = signal && listeners.get(signal)
    if (!listener) return
    listener.waiters.delete(waiter)
    if (listener.waiters.size > 0) return
    signal.removeEventListener('abort', listener.abort)
    listeners.delete(signal)
  }

  const giveUp = (waiter: Waiter, reason: unknown): void => {
    leave(waiter)
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

  const lookForItself = (waiter: Waiter): void => {
    waiter.ownTimer = clock.setTimeout(() => {
      if (waiter.ownTimer === undefined) return // it left, by a hand that could not clear this timer
      lookForItself(waiter)
      onLook()
    }, lookEveryMs)
  }

  const limitWait = (waiter: Waiter, timeoutMs: number): void => {
    const deadline = clock.now() + timeoutMs
    const look = () => {
      const left = deadline - clock.now()
      if (left > 0) waiter.timer = clock.setTimeout(look, timerMs(left))
      else giveUp(waiter, tooLong(timeoutMs))
    }
    look()
  }

  const enqueue = (waiter: Waiter): void => {
    const { lane } = waiter
    if (lane.last) lane.last.after = waiter
    else lane.first = waiter
    lane.last = waiter
    size++
  }

  const next = (): Waiter | undefined => {
    const { interactive, background } = lanes
    const first = background.first && (!interactive.first || inARow >= interactiveInARow) ? background : interactive
    inARow = first === interactive && background.first ? inARow + 1 : 0
    return first.first
  }

  return {
    get size() {
      return size
    },
    add({ signal, priority = 'interactive', timeoutMs }) {
      if (size >= maxQueue()) return Promise.reject(queueFull(size))
      return new Promise((resolve, reject) => {
        const lane = lanes[priority]
        const waiter: Waiter = {
          lane,
          resolve,
          reject,
          signal,
          before: lane.last,
          after: undefined,
          timer: undefined,
          ownTimer: undefined,
        }
        enqueue(waiter)
        if (signal) listen(signal, waiter)
        if (timeoutMs !== undefined && timeoutMs !== Infinity) limitWait(waiter, timeoutMs)
        if (timersDieWithRequests) lookForItself(waiter)
      })
    },
    grant(permit) {
      const waiter = next()
      if (!waiter) return
      leave(waiter)
      waiter.resolve(permit)
    },
    rejectAll(reason) {
      for (let waiter = next(); waiter; waiter = next()) {
        leave(waiter)
        waiter.reject(reason)
      }
    },
  }
}

const queueFull = (size: number): ThrottleError =>
  new ThrottleError('queue_full', `${size} calls wait for the throttle already: start fewer at once, or raise maxQueue`)

/** What a call gets whose time ran out in the queue. */
export const tooLong = (timeoutMs: number): TimeoutError =>
  new TimeoutError(
    `No slot of the throttle came free within ${timeoutMs} ms, nothing was sent: raise timeoutMs or start fewer calls at once`,
    timeoutMs,
    'queue',
  )
