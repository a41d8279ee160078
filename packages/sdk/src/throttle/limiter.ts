import { notify } from '../callback.ts'
import { checkPause, settingsOf, stricter, type ThrottleOptions, type ThrottleSettings } from './options.ts'
import {
  afterCompleted,
  afterQuiet,
  afterRateLimit,
  isFresh,
  limitsOf,
  startPace,
  type Limits,
  type PaceState,
} from './pace.ts'
import { createPermit, pauseAfter } from './permits.ts'
import type { createQueue } from './queue.ts'
import { createSlots, type Slot } from './slots.ts'
import type { AcquireOptions, PaceChange, Permit, Priority, Throttle, ThrottleStats } from './throttle.ts'

/** One of those who share a throttle: what it asks for, and whom to notify of what its requests bring about. */
export interface ThrottleUser extends Pick<ThrottleOptions, 'onPaceChange' | 'onLongWait'> {
  readonly settings: ThrottleSettings
}

/** A throttle of this process that several users may share. */
export interface LocalThrottle extends Throttle {
  /** A user counts from its first call until no slot is held and no call waits. */
  acquire(wait?: Wait): Promise<Permit>
  /** Whether nothing is known any more that a new throttle would not know. */
  isIdle(): boolean
}

/** How one call waits, and for whom. */
export interface Wait extends AcquireOptions {
  readonly user?: ThrottleUser | undefined
}

/** A slot is kept for interactive calls for so long after the last of them. */
const interactiveForMs = 5000

/** What is different where a limiter does not decide alone. */
interface LimiterParts {
  /** For how long a slot is held at most, given the time limit of its request. */
  readonly heldForMs?: (attemptTimeoutMs: number | undefined) => number
  /** Takes note of a completed request of the present step; whether somebody else decides the pace. */
  readonly decidesPace?: (isLimited: boolean) => boolean
}

/**
 * Decides when requests of this process may be sent: slots, pace and pauses. It does not know who waits. `onChange` is
 * called when a call may possibly be sent sooner than was known, and with the length of a pause that begins.
 */
export const createLimiter = (
  options: ThrottleOptions,
  onChange: (pauseMs: number) => void,
  { heldForMs = () => Infinity, decidesPace }: LimiterParts = {},
) => {
  const { clock, ...given } = settingsOf(options)
  let settings: ThrottleSettings = given
  let state: PaceState = startPace()
  let pausedUntil = -Infinity
  let lastInteractiveAt = -Infinity
  let acquired = 0
  let rateLimited = 0
  const slots = createSlots(clock, () => onChange(0))
  /** What the pace means, with so many slots. */
  const limits = (most = settings.slots): Limits => limitsOf({ ...settings, slots: most }, state)

  const setState = (next: PaceState, reason: PaceChange['reason'], user?: ThrottleUser): void => {
    const from = state.pace
    state = next
    if (from === state.pace) return
    const change = { from, to: state.pace, reason }
    notify(options.onPaceChange, change)
    notify(user?.onPaceChange, change)
  }

  /** Background work leaves one slot for the next interactive call, if there was one lately and none waits. */
  const reserved = (priority: Priority | undefined, hasInteractive: boolean, now: number): number =>
    priority === 'background' && !hasInteractive && now - lastInteractiveAt < interactiveForMs ? 1 : 0

  const pauseFor = (ms: number): void => {
    pausedUntil = Math.max(pausedUntil, clock.now() + ms)
  }
  const pausedForMs = () => Math.max(0, pausedUntil - clock.now())

  const complete = (isLimited: boolean, step: number, user: ThrottleUser | undefined): void => {
    if (isLimited) rateLimited++
    // A burst may get several 429s: those sent before the last step say nothing about it.
    if (step !== state.step || decidesPace?.(isLimited)) return
    if (isLimited) setState(afterRateLimit(state, clock.now()), 'rate-limited', user)
    else state = afterCompleted(state)
  }

  return {
    clock,
    pauseFor,
    pausedUntil: () => pausedUntil,
    maxQueue: () => settings.maxQueue,
    state: () => state,
    setState,
    /** Steps up after quiet time. */
    refresh: (user?: ThrottleUser): void => setState(afterQuiet(state, clock.now()), 'quiet', user),
    /** When a call may be sent, as far as that is known. */
    opensAt: (priority: Priority | undefined, hasInteractive: boolean, now: number, most?: number): number =>
      Math.max(pausedUntil, slots.opensAt(limits(most), now, reserved(priority, hasInteractive, now))),
    /** Holds a slot for a request sent now. */
    take({ user, priority = 'interactive', attemptTimeoutMs }: Wait, now: number): { slot: Slot; permit: Permit } {
      const slot = slots.take(now, now + heldForMs(attemptTimeoutMs) + limits().gapMs)
      const { step } = state
      if (priority === 'interactive') lastInteractiveAt = now
      acquired++
      const permit = createPermit((outcome) => {
        const { gapMs } = limits()
        const pauseMs = pauseAfter(outcome, gapMs)
        slots.end(slot, outcome, gapMs)
        pauseFor(pauseMs)
        if (outcome.kind === 'completed') complete(outcome.status === 429, step, user)
        onChange(pauseMs)
      })
      return { slot, permit }
    },
    /** Makes the throttle as strict as a user asks for, and no stricter if no call waits and no slot is held. */
    tighten(user: ThrottleUser | undefined, isAlone: boolean): void {
      if (!user) return
      settings = isAlone && slots.held(clock.now()) === 0 ? user.settings : stricter(settings, user.settings)
    },
    pause(ms: number): void {
      checkPause(ms)
      pauseFor(ms)
      onChange(ms)
    },
    reset(): void {
      pausedUntil = -Infinity
      setState({ ...startPace(), step: state.step + 1 }, 'reset')
      onChange(0)
    },
    /** Milliseconds that a call would wait which so many others precede; nothing is sent before `from`. */
    estimateMs(priority: Priority | undefined, ahead: number, from = -Infinity, most?: number): number {
      const now = clock.now()
      const some = limits(most)
      const usable = Math.max(1, some.slots - reserved(priority, ahead > 0, now))
      return slots.expectedAt({ ...some, slots: usable }, Math.max(now, pausedUntil, from), ahead) - now
    },
    onLongWait: ({ user, onLongWait }: Wait, waitedMs: number, stats: ThrottleStats): void => {
      for (const listener of [options.onLongWait, user?.onLongWait, onLongWait]) notify(listener, { waitedMs, stats })
    },
    isIdle(): boolean {
      const now = clock.now()
      const isQuiet = pausedUntil <= now && now - lastInteractiveAt >= interactiveForMs
      return isQuiet && slots.held(now) === 0 && isFresh(state, now)
    },
    /** Whether requests that were sent may still arrive. */
    mayArrive: () => slots.count('inFlight') + slots.count('givenUp') > 0,
    stats: (waiting: number): ThrottleStats => ({
      waiting,
      held: slots.held(clock.now()),
      inFlight: slots.count('inFlight'),
      givenUp: slots.count('givenUp'),
      acquired,
      rateLimited,
      pausedForMs: pausedForMs(),
      pace: state.pace,
      requestsPerSecond: limits().requestsPerSecond,
    }),
  }
}

export type Limiter = ReturnType<typeof createLimiter>

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
