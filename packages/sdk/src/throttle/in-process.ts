import { createAlarm } from './clock.ts'
import { createCredit } from './credit.ts'
import { checkPause, settingsOf, type Settings, type ThrottleOptions } from './options.ts'
import { limitsAt, nextPace } from './pace.ts'
import { createPermits } from './permits.ts'
import { createSlots } from './slots.ts'
import { mayArriveFor, pauseAskedFor } from './outcome.ts'
import type { Outcome, Pace, Throttle } from './throttle.ts'
import { withInspect } from './inspect.ts'
import { createWaiters, tooLong } from './waiters.ts'

/** A throttle of this process, and the way to make it stricter for a client that asks for more care. */
export interface LocalThrottle extends Throttle {
  /** From now on as strict as `settings` too. */
  tighten(settings: Settings): void
}

/** The throttle of one process, see `createThrottle`. */
export const createLocalThrottle = (options: ThrottleOptions = {}): LocalThrottle => {
  const { clock, ...given } = settingsOf(options)
  let settings: Settings = given
  let pace: Pace = settings.guarantee
  let limits = limitsAt[pace](settings)
  let acquired = 0
  let refused = 0

  const credit = createCredit()
  const slots = createSlots(() => limits)
  const alarm = createAlarm(clock, () => admit())
  const waiters = createWaiters(
    clock,
    () => settings.maxQueue,
    () => waiters.size === 0 && alarm.set(Infinity, 0),
    () => admit(),
  )

  const setPace = (to: Pace): void => {
    pace = to
    limits = limitsAt[pace](settings)
  }

  /** A burst may meet several 429: those sent before the last step say nothing about it. */
  const stepDown = (sentAt: Pace): void => {
    if (sentAt !== pace || pace === 'sequential') return
    setPace(nextPace(pace))
    try {
      options.onStepDown?.({ from: sentAt, to: pace })
    } catch {} // who is told must not stop those who wait
  }

  const end = (outcome: Outcome, sent: { readonly at: number; readonly pace: Pace }): void => {
    const now = clock.now()
    let freeAt = now + limits.gapMs
    if (outcome.kind === 'unsent') freeAt = -Infinity
    else if (outcome.kind === 'abandoned') freeAt += mayArriveFor(outcome)
    else if (outcome.kind === 'answered') {
      if (pace === 'adaptive') {
        credit.add(now - sent.at)
        freeAt -= credit.ms
      }
      slots.pauseUntil(now + pauseAskedFor(outcome))
    }
    slots.end(freeAt)
    if (outcome.kind === 'answered' && outcome.status === 429) {
      refused++
      stepDown(sent.pace)
    }
    admit()
  }

  const permits = createPermits(end)

  const take = (now: number) => {
    slots.take(now)
    acquired++
    return permits.issue({ at: now, pace })
  }

  /** Lets through who may pass now, and sees to being woken for the next. */
  const admit = (): void => {
    if (waiters.size === 0) return
    const now = clock.now()
    let opensAt = slots.opensAt(now)
    while (waiters.size > 0 && opensAt <= now) {
      waiters.grant(take(now))
      opensAt = slots.opensAt(now)
    }
    alarm.set(waiters.size > 0 ? opensAt : Infinity, now)
  }

  return withInspect({
    acquire(how = {}) {
      const { signal, timeoutMs = Infinity } = how
      if (signal?.aborted) return Promise.reject(signal.reason)
      const now = clock.now()
      if (waiters.size === 0 && slots.opensAt(now) <= now) return Promise.resolve(take(now))
      if (slots.pausedUntil - now > timeoutMs) return Promise.reject(tooLong(timeoutMs))
      const permit = waiters.add(how)
      admit()
      return permit
    },
    pause(ms) {
      checkPause(ms)
      slots.pauseUntil(clock.now() + ms)
      admit()
    },
    tighten(other) {
      settings = {
        slots: Math.min(settings.slots, other.slots),
        windowMs: Math.max(settings.windowMs, other.windowMs),
        marginMs: Math.max(settings.marginMs, other.marginMs),
        guarantee: settings.guarantee === 'adaptive' ? other.guarantee : 'arrival',
        maxQueue: Math.min(settings.maxQueue, other.maxQueue),
      }
      setPace(pace === 'adaptive' ? settings.guarantee : pace)
    },
    get stats() {
      const now = clock.now()
      return {
        waiting: waiters.size,
        held: slots.held(now),
        underWay: slots.underWay,
        acquired,
        refused,
        lost: permits.lost,
        pausedForMs: Math.max(0, slots.pausedUntil - now),
        pace,
      }
    },
  })
}

/**
 * Makes a throttle that lets at most ten requests arrive at the service in any second, however the network bunches
 * them: a slot is held until a second after the reply. Give it to several clients to make them share the rate; clients
 * of one origin and key do so by themselves. Spec: Limits.
 *
 * @throws {ConfigurationError} An option is unknown or wrong.
 */
export const createThrottle = (options?: ThrottleOptions): Throttle => createLocalThrottle(options)
