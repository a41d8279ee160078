import { notify } from '../callback.ts'
import { createAlarm, timersDieWithRequests } from './clock.ts'
import { createCredit } from './credit.ts'
import { checkPause, settingsOf, type ThrottleSettings, type ThrottleOptions } from './options.ts'
import { afterCompleted, afterQuiet, afterRateLimit, limitsOf, startPace, type PaceState } from './pace.ts'
import { arrivesWithin, createPermits, mayArriveFor, pauseAfter, withInspect } from './permits.ts'
import { createSlots, type Slot } from './slots.ts'
import type { Outcome, PaceChange, Permit, Priority, Throttle } from './throttle.ts'
import { createWaiters, timedOutInQueue } from './waiters.ts'

/** A throttle of this process whose settings follow those of the clients that share it. */
export interface LocalThrottle extends Throttle {
  /** From now on as strict as `settings`, no stricter. */
  configure(settings: ThrottleSettings): void
}

/** A slot is kept for interactive calls for so long after the last of them. */
const interactiveForMs = 60_000

interface Sent {
  readonly at: number
  readonly step: number
  readonly slot: Slot
}

/** The throttle of one process, see `createThrottle`. */
export const createLocalThrottle = (options: ThrottleOptions = {}): LocalThrottle => {
  const { clock, ...given } = settingsOf(options)
  let settings: ThrottleSettings = given
  let state: PaceState = startPace(settings.guarantee)
  let limits = limitsOf(settings, state)
  let lastInteractiveAt = -Infinity
  let acquired = 0
  let rateLimited = 0

  const credit = createCredit()
  const slots = createSlots(() => limits)
  const alarm = createAlarm(clock, () => admit())
  const waiters = createWaiters({
    clock,
    maxQueue: () => settings.maxQueue,
    onLeave: () => waiters.size === 0 && alarm.set(Infinity, 0),
    onCheck: () => admit(),
    onLongWait: (waitedMs) => options.onLongWait?.({ waitedMs, stats: throttle.stats }),
  })

  const setState = (next: PaceState, reason: PaceChange['reason']): void => {
    const from = state.pace
    state = next
    limits = limitsOf(settings, state)
    if (from === state.pace) return
    notify(options.onPaceChange, { from, to: state.pace, reason })
  }

  /** When the slot of a request comes free that ended now; `credit` shortens it where that is allowed. */
  const freeAtAfter = (outcome: Outcome, sent: Sent, now: number): number => {
    const arrivesFor = mayArriveFor(outcome)
    if (arrivesFor === undefined) return -Infinity
    const freeAt = now + arrivesFor + limits.gapMs
    if (state.pace !== 'adaptive' || outcome.kind !== 'completed' || arrivesFor > 0) return freeAt
    credit.add(now - sent.at, now)
    return freeAt - credit.ms
  }

  /**
   * Where timers die with requests, calls check by themselves whether they may pass. There nobody else lets them through: the
   * garbage collector, which reports permits and clients that are gone, may not touch the timers of calls.
   */
  const wake = (): void => {
    if (!timersDieWithRequests) admit()
  }

  const end = (outcome: Outcome, sent: Sent): void => {
    const now = clock.now()
    const use = (mayArriveFor(outcome) ?? 0) > 0 ? 'givenUp' : 'ended'
    slots.end(sent.slot, use, freeAtAfter(outcome, sent, now))
    slots.pauseUntil(now + pauseAfter(outcome, limits.gapMs))
    if (outcome.kind === 'completed' && outcome.status === 429) {
      rateLimited++
      // A burst may get several 429s: those sent before the last step say nothing about it.
      if (sent.step === state.step) setState(afterRateLimit(state, now), 'rate-limited')
    } else if (outcome.kind === 'completed' && sent.step === state.step) {
      setState(afterCompleted(state), 'quiet')
    }
    wake()
  }

  const permits = createPermits(end)

  const take = (now: number, priority: Priority, attemptTimeoutMs: number | undefined): Permit => {
    const slot = slots.take(now, now + arrivesWithin(attemptTimeoutMs) + limits.gapMs)
    if (priority === 'interactive') lastInteractiveAt = now
    acquired++
    return permits.issue({ at: now, step: state.step, slot })
  }

  /** When a call may pass. Background work leaves one slot for the next interactive call, if there was one lately. */
  const opensAt = (priority: Priority, now: number): number => {
    const isReserved =
      priority === 'background' && waiters.count('interactive') === 0 && now - lastInteractiveAt < interactiveForMs
    return slots.opensAt(now, isReserved ? 1 : 0)
  }

  /** Lets through the calls that may pass now, and sets the alarm for the next one. */
  const admit = (): void => {
    if (waiters.size === 0) return
    const now = clock.now()
    setState(afterQuiet(state, now, settings.guarantee), 'quiet')
    for (let next = waiters.next(); next; next = waiters.next()) {
      const at = opensAt(next.priority, now)
      if (at > now) return alarm.set(at, now)
      waiters.grant(take(now, next.priority, next.attemptTimeoutMs))
    }
    alarm.set(Infinity, now)
  }

  const throttle: LocalThrottle = withInspect({
    acquire(how = {}) {
      const { signal, priority = 'interactive', timeoutMs = Infinity, attemptTimeoutMs } = how
      if (signal?.aborted) return Promise.reject(signal.reason)
      const now = clock.now()
      if (waiters.size === 0) {
        setState(afterQuiet(state, now, settings.guarantee), 'quiet')
        if (opensAt(priority, now) <= now) return Promise.resolve(take(now, priority, attemptTimeoutMs))
      }
      if (slots.pausedUntil - now > timeoutMs) return Promise.reject(timedOutInQueue(timeoutMs))
      const permit = waiters.add(how)
      admit()
      return permit
    },
    pause(ms) {
      checkPause(ms)
      slots.pauseUntil(clock.now() + ms)
      wake()
    },
    reset() {
      slots.resume()
      setState({ ...startPace(settings.guarantee), step: state.step + 1 }, 'reset')
      wake()
    },
    configure(next) {
      const wasFirst = state.pace === settings.guarantee
      settings = next
      if (wasFirst) state = { ...state, pace: settings.guarantee }
      limits = limitsOf(settings, state)
      wake()
    },
    get stats() {
      const now = clock.now()
      setState(afterQuiet(state, now, settings.guarantee), 'quiet')
      return {
        waiting: waiters.size,
        held: slots.held(now),
        inFlight: slots.count('inFlight'),
        givenUp: slots.count('givenUp'),
        acquired,
        rateLimited,
        lost: permits.lost,
        pausedForMs: Math.max(0, slots.pausedUntil - now),
        pace: state.pace,
      }
    },
  })
  return throttle
}

/**
 * Makes a throttle that lets at most ten requests arrive at the service in any second, however the network delays
 * them: a slot is held until a second after the response. Give it to several clients to make them share the rate;
 * clients of one origin and key do so by themselves. Spec: Limits.
 *
 * @throws {ConfigurationError} An option is unknown or wrong.
 */
export const createThrottle = (options?: ThrottleOptions): Throttle => createLocalThrottle(options)
