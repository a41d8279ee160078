import { notify } from '../../callback.ts'
import { checkPause, settingsOf, stricter, type ThrottleOptions, type ThrottleSettings } from '../options.ts'
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
import { createPermit, mayBeRateLimit, pauseAfter } from './permits.ts'
import { createSlots, type Slot } from './slots.ts'
import type { AcquireOptions, Outcome, PaceChange, Permit, Priority, ThrottleStats } from '../types.ts'

/** How one call waits, what its client asks for, and whom to notify of a change of pace that it brings about. */
export interface ThrottledCall extends AcquireOptions, Pick<ThrottleOptions, 'onPaceChange'> {
  readonly settings?: ThrottleSettings | undefined
}

/** A slot is kept for interactive calls for so long after the last of them. */
const interactiveForMs = 5000

/** A 503 so long after another response, at most, is a rate limit: nginx answers so. Later it is an outage. */
const answersForMs = 5000

/**
 * Decides when requests of this process may be sent: slots, pace and pauses. It does not know who waits. `onChange` is
 * called when a call may possibly be sent sooner than was known, and with the length of a pause that begins.
 */
export const createLimiter = (
  options: ThrottleOptions,
  onChange: (pauseMs: number) => void,
  heldForMs = (_attemptTimeoutMs: number | undefined): number => Infinity,
) => {
  const { clock, ...given } = settingsOf(options)
  let settings: ThrottleSettings = given
  let state: PaceState = startPace()
  let pausedUntil = -Infinity
  let lastInteractiveAt = -Infinity
  let acquired = 0
  let rateLimited = 0
  /** When a response came last that says that the service is there: any below 500. */
  let answeredAt = -Infinity
  const slots = createSlots(clock, () => onChange(0))
  /** What the pace means, with so many slots. */
  const limits = (most = settings.slots): Limits => limitsOf({ ...settings, slots: most }, state)

  const setState = (next: PaceState, reason: PaceChange['reason'], call?: ThrottledCall): void => {
    const from = state.pace
    state = next
    if (from === state.pace) return
    const change = { from, to: state.pace, reason }
    notify(options.onPaceChange, change)
    notify(call?.onPaceChange, change)
  }

  /** Background work leaves one slot for the next interactive call, if there was one lately and none waits. */
  const reserved = (priority: Priority | undefined, hasInteractive: boolean, now: number): number =>
    priority === 'background' && !hasInteractive && now - lastInteractiveAt < interactiveForMs ? 1 : 0

  const pauseFor = (ms: number): void => {
    pausedUntil = Math.max(pausedUntil, clock.now() + ms)
  }

  const noteAnswer = (at: number): void => {
    answeredAt = Math.max(answeredAt, at)
  }

  /** Whether the service limits the rate: not where it is away, and answers nobody. */
  const isRateLimit = (outcome: Outcome): boolean =>
    outcome.kind === 'completed' &&
    (outcome.status === 429 || (mayBeRateLimit(outcome) && clock.now() - answeredAt <= answersForMs))

  /** Adjusts the pace to a response. */
  const complete = (outcome: Outcome, isLimited: boolean, step: number, call: ThrottledCall): void => {
    if (isLimited) rateLimited++
    // A burst may get several rate limits: those sent before the last step say nothing about it.
    if (step !== state.step) return
    // Without an answer since the last step it may be the same outage.
    const isDoubtful = mayBeRateLimit(outcome)
    if (isLimited && isDoubtful && answeredAt < state.since) return
    if (isLimited) setState(afterRateLimit(state, clock.now(), isDoubtful), 'rate-limited', call)
    else state = afterCompleted(state)
  }

  return {
    clock,
    pauseFor,
    pausedUntil: () => pausedUntil,
    /** Others may know of an answer, too. */
    noteAnswer,
    answeredAt: () => answeredAt,
    settings: () => settings,
    limits: () => limits(),
    state: () => state,
    setState,
    /** Steps up after quiet time. */
    refresh: (call?: ThrottledCall): void => setState(afterQuiet(state, clock.now()), 'quiet', call),
    /** When a call may be sent, as far as that is known. */
    opensAt: (priority: Priority | undefined, hasInteractive: boolean, now: number, most?: number): number =>
      Math.max(pausedUntil, slots.opensAt(limits(most), now, reserved(priority, hasInteractive, now))),
    /** Holds a slot for a request sent now. */
    take(call: ThrottledCall, now: number): { slot: Slot; permit: Permit } {
      const { priority = 'interactive', attemptTimeoutMs } = call
      const slot = slots.take(now, now + heldForMs(attemptTimeoutMs) + limits().gapMs)
      const { step } = state
      if (priority === 'interactive') lastInteractiveAt = now
      acquired++
      const permit = createPermit((outcome) => {
        const { gapMs } = limits()
        const isLimited = isRateLimit(outcome)
        const pauseMs = pauseAfter(outcome, gapMs, isLimited)
        slots.end(slot, outcome, gapMs)
        pauseFor(pauseMs)
        if (outcome.kind === 'completed') {
          if (outcome.status < 500 && !mayBeRateLimit(outcome)) noteAnswer(clock.now())
          complete(outcome, isLimited, step, call)
        }
        onChange(pauseMs)
        return isLimited
      })
      return { slot, permit }
    },
    /** Makes the throttle as strict as a client asks for, and no stricter if no call waits and no slot is held. */
    tighten(asked: ThrottleSettings | undefined, isAlone: boolean): void {
      if (!asked) return
      settings = isAlone && slots.held(clock.now()) === 0 ? asked : stricter(settings, asked)
    },
    /** What others of the key ask for. */
    limitTo(most: Pick<ThrottleSettings, 'slots' | 'windowMs'>): void {
      settings = stricter(given, { ...given, ...most })
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
      pausedForMs: Math.max(0, pausedUntil - clock.now()),
      pace: state.pace,
      requestsPerSecond: limits().requestsPerSecond,
    }),
  }
}

export type Limiter = ReturnType<typeof createLimiter>
