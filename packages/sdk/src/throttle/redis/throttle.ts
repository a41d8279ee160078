import { createAlarm, unref } from '../clock.ts'
import { withInspect } from '../inspect.ts'
import { checkPause } from '../options.ts'
import { mayArriveFor, pauseAskedFor } from '../outcome.ts'
import { limitsAt, nextPace, paces } from '../pace.ts'
import { createPermits } from '../permits.ts'
import type { Outcome, Pace } from '../throttle.ts'
import { createWaiters, tooLong } from '../waiters.ts'
import { unavailable, type RedisThrottle } from './interface.ts'
import { createLeases } from './leases.ts'
import { createLine, probeMs } from './line.ts'
import { redisSettingsOf, type RedisThrottleOptions } from './options.ts'
import { soon } from './soon.ts'

/** How often it is asked, while requests are under way, whether it still knows of them. */
const beatMs = 1000

/**
 * Makes a throttle that many processes share: at most ten requests of all of them together arrive in any second. The
 * slots lie in Redis and only its clock counts, so the clocks of the processes need not agree. Processes take turns.
 * Spec: Limits.
 *
 * @throws {ConfigurationError} An option is missing, unknown or wrong.
 */
export const createRedisThrottle = (options: RedisThrottleOptions): RedisThrottle => {
  const settings = redisSettingsOf(options)
  const { clock, slots, share } = settings
  let pace: Pace = 'arrival'
  let pausedUntil = -Infinity
  let lastSentAt = -Infinity
  let acquired = 0
  let refused = 0
  let asking = false
  let queued = false

  const leases = createLeases(() => limitsAt[pace](settings).gapMs)
  const alarm = createAlarm(clock, () => admit())
  const beat = createAlarm(clock, () => keepInTouch(), unref)
  const waiters = createWaiters(
    clock,
    () => settings.maxQueue,
    () => waiters.size === 0 && stopWaiting(),
  )
  const permits = createPermits<{ lease: string; pace: Pace }>((outcome, held) => end(outcome, held))

  const becomeAsCarefulAs = (to: Pace): void => {
    const from = pace
    if (paces.indexOf(to) <= paces.indexOf(from)) return
    pace = to
    options.onStepDown?.({ from, to })
  }
  const pauseFor = (ms: number): void => {
    pausedUntil = Math.max(pausedUntil, clock.now() + ms)
  }
  const line = createLine(settings, leases, () => paces.indexOf(pace), {
    pace: (number) => becomeAsCarefulAs(paces[number] ?? 'sequential'),
    down() {
      if (share === 0) return
      pauseFor(line.settleMs)
      beat.set(clock.now() + probeMs, clock.now())
    },
  })

  const grant = (lease: string, now: number): void => {
    acquired++
    lastSentAt = now
    leases.take(lease)
    if (line.up && leases.underWay === 1) beat.set(now + beatMs, now)
    waiters.grant(permits.issue({ lease, pace }))
  }

  const end = (outcome: Outcome, held: { lease: string; pace: Pace }): void => {
    const now = clock.now()
    const arrivesFor = outcome.kind === 'abandoned' ? mayArriveFor(outcome) : 0
    const wasSent = outcome.kind !== 'unsent'
    leases.end(held.lease, wasSent ? now + arrivesFor : undefined)
    line.note(held.lease, wasSent ? arrivesFor : 'x')
    if (outcome.kind === 'answered') {
      if (outcome.status === 429) {
        refused++
        if (held.pace === pace) becomeAsCarefulAs(nextPace(pace))
      }
      const pauseMs = pauseAskedFor(outcome)
      if (pauseMs > 0) return throttle.pause(pauseMs)
    }
    tell()
  }

  /** Tells Redis what has ended, all of this turn of the loop at once. */
  const tellSoon = soon(() => quietly(line.talk(-1)))
  const admitSoon = soon(() => admit())
  const tell = (): void => (line.up ? tellSoon() : admit())

  const quietly = (talk: Promise<unknown>): void => {
    talk.catch(failIfAway)
  }

  /** The next call tries Redis again; those that wait now have waited long enough. */
  const failIfAway = (cause: unknown): void => {
    if (share > 0) admit()
    else waiters.rejectAll(unavailable(cause))
  }

  /** While the line is down: tries it. While requests are under way: asks whether Redis still knows of them. */
  const keepInTouch = (): void => {
    const now = clock.now()
    if (!line.up && share > 0) {
      beat.set(now + probeMs, now)
      void ask()
    } else if (line.up && leases.underWay > 0) {
      if (now - line.lastTalkAt >= beatMs) quietly(line.talk(-1))
      beat.set(line.lastTalkAt + beatMs, now)
    }
  }

  const stopWaiting = (): void => {
    alarm.set(Infinity, 0)
    if (!queued || asking || !line.up) return
    queued = false
    quietly(line.talk(0))
  }

  const handBack = (lease: string): void => {
    line.note(lease, 'x')
    tell()
  }

  /** Asks Redis for leases on behalf of all who wait here. */
  const ask = async (): Promise<void> => {
    if (asking) return
    asking = true
    try {
      const answer = await line.talk(Math.min(waiters.size, slots))
      asking = false
      const now = clock.now()
      queued = answer.waitMs >= 0
      for (const lease of answer.granted) {
        if (waiters.size > 0 && line.up && pausedUntil <= now) grant(lease, now)
        else handBack(lease)
      }
      pauseFor(answer.pauseMs)
      if (waiters.size === 0) return stopWaiting()
      // One millisecond later than told, because timers may be early and each look costs a round trip.
      if (queued && line.up) alarm.set(Math.max(now + answer.waitMs + 1, pausedUntil), now)
      else admit()
    } catch (error) {
      asking = false
      failIfAway(error)
    }
  }

  const goOnAlone = (now: number): void => {
    const { slots: few, spacingMs } = limitsAt[pace]({ ...settings, slots: share })
    const opensAt = () => Math.max(leases.fewerAt(few, now), pausedUntil, spacingMs > 0 ? lastSentAt + spacingMs : 0)
    while (waiters.size > 0 && opensAt() <= now) grant(`alone:${crypto.randomUUID()}`, now)
    alarm.set(waiters.size > 0 ? opensAt() : Infinity, now)
  }

  /** Sees to it that those who wait are let through as soon as may be. */
  const admit = (): void => {
    if (waiters.size === 0) return
    const now = clock.now()
    if (share > 0 && line.isDownFor(now)) goOnAlone(now)
    else if (pausedUntil > now) alarm.set(pausedUntil, now)
    else void ask()
  }

  const throttle: RedisThrottle = withInspect({
    acquire(how = {}) {
      const { signal, timeoutMs = Infinity } = how
      if (signal?.aborted) return Promise.reject(signal.reason)
      if (pausedUntil - clock.now() > timeoutMs) return Promise.reject(tooLong(timeoutMs))
      const permit = waiters.add(how)
      if (waiters.size === 1) admitSoon()
      return permit
    },
    pause(ms) {
      checkPause(ms)
      pauseFor(ms)
      if (line.up) quietly(line.talk(-1, ms))
    },
    get stats() {
      const now = clock.now()
      return {
        waiting: waiters.size,
        held: leases.held(now),
        underWay: leases.underWay,
        acquired,
        refused,
        lost: permits.lost,
        pausedForMs: Math.max(0, pausedUntil - now),
        pace,
        available: line.up,
        outages: line.outages,
        roundTrips: line.roundTrips,
      }
    },
  })
  return throttle
}
