import { createAlarm, unref } from '../clock.ts'
import { checkPause } from '../options.ts'
import { createPermits, mayArriveFor, pauseAfter, withInspect } from '../permits.ts'
import type { Outcome } from '../throttle.ts'
import { createWaiters, timedOutInQueue } from '../waiters.ts'
import { warnOfEviction } from './eviction.ts'
import { unavailable, type RedisThrottle } from './interface.ts'
import { createLeases } from './leases.ts'
import { redisSettingsOf, type RedisThrottleOptions } from './options.ts'
import { createSession, probeMs } from './session.ts'
import { oncePerTurn } from './once-per-turn.ts'
import { createSharedPace } from './shared-pace.ts'

/** How often a process whose requests may still arrive checks that Redis still knows of them. */
const heartbeatMs = 1000

/**
 * Makes a throttle that many processes share: at most ten requests of all of them together arrive in any second. The
 * slots are leases in Redis and only its clock counts, so the clocks of the processes need not agree. Processes take
 * turns. Spec: Limits.
 *
 * @throws {ConfigurationError} An option is missing, unknown or wrong.
 */
export const createRedisThrottle = (options: RedisThrottleOptions): RedisThrottle => {
  const settings = redisSettingsOf(options)
  const { clock, slots, share } = settings
  let pausedUntil = -Infinity
  let lastSentAt = -Infinity
  let acquired = 0
  let syncing = false
  let queued = false

  const pace = createSharedPace(settings, () => clock.now(), options.onPaceChange)
  const leases = createLeases(() => pace.limits().gapMs)
  const alarm = createAlarm(clock, () => admit())
  const heartbeat = createAlarm(clock, () => keepInTouch(), unref)
  const waiters = createWaiters({
    clock,
    maxQueue: () => settings.maxQueue,
    onLeave: () => waiters.size === 0 && stopWaiting(),
    onLongWait: (waitedMs) => options.onLongWait?.({ waitedMs, stats: throttle.stats }),
  })
  const permits = createPermits<{ lease: string; step: number }>((outcome, held) => end(outcome, held))

  const pauseFor = (ms: number): void => {
    pausedUntil = Math.max(pausedUntil, clock.now() + ms)
  }

  const session = createSession(settings, leases, {
    report: () => ({ ...pace.takeReport(), interactive: waiters.count('interactive') > 0 }),
    onResponse(response) {
      pace.adopt(response)
      warnOfEviction(response.evictionPolicy, settings.onWarning)
    },
    onDown() {
      if (share === 0) return
      pauseFor(session.settleMs)
      heartbeat.set(clock.now() + probeMs, clock.now())
    },
  })

  const grant = (lease: string, now: number): void => {
    acquired++
    lastSentAt = now
    leases.take(lease)
    if (session.up && leases.inFlight === 1) heartbeat.set(now + heartbeatMs, now)
    waiters.grant(permits.issue({ lease, step: pace.step }))
  }

  const end = (outcome: Outcome, { lease, step }: { lease: string; step: number }): void => {
    const arrivesFor = mayArriveFor(outcome)
    leases.end(lease, arrivesFor === undefined ? undefined : clock.now() + arrivesFor)
    session.note(lease, arrivesFor ?? 'x')
    pace.note(outcome, step, !session.up)
    const pauseMs = pauseAfter(outcome, pace.limits().gapMs)
    if (pauseMs > 0) throttle.pause(pauseMs)
    else syncOrAdmit()
  }

  /** Reports to Redis what has ended, all of this turn of the event loop at once. */
  const syncSoon = oncePerTurn(() => inBackground(session.sync(-1)))
  const admitSoon = oncePerTurn(() => admit())
  const syncOrAdmit = (): void => (session.up ? syncSoon() : admit())

  const inBackground = (sync: Promise<unknown>): void => {
    sync.catch(failIfAway)
  }

  /** The next call tries Redis again; those that wait now have waited long enough. */
  const failIfAway = (cause: unknown): void => {
    if (share > 0) admit()
    else waiters.rejectAll(unavailable(cause))
  }

  /** While Redis is away: tries it. While requests may arrive, and once after: checks that Redis knows of them. */
  const keepInTouch = (): void => {
    const now = clock.now()
    if (!session.up && share > 0) {
      heartbeat.set(now + probeMs, now)
      void requestLeases()
    } else if (leases.inFlight > 0 || leases.givenUp(session.lastSyncAt) > 0) {
      if (now - session.lastSyncAt >= heartbeatMs) inBackground(session.sync(-1))
      heartbeat.set(session.lastSyncAt + heartbeatMs, now)
    }
  }

  const stopWaiting = (): void => {
    alarm.set(Infinity, 0)
    if (!queued || syncing || !session.up) return
    queued = false
    inBackground(session.sync(0))
  }

  const returnLease = (lease: string): void => {
    session.note(lease, 'x')
    syncOrAdmit()
  }

  /** Requests leases for all calls that wait here. */
  const requestLeases = async (): Promise<void> => {
    if (syncing) return
    syncing = true
    try {
      const response = await session.sync(Math.min(waiters.size, slots))
      syncing = false
      const now = clock.now()
      queued = response.waitMs >= 0
      for (const lease of response.granted) {
        if (waiters.next() && session.up && pausedUntil <= now) grant(lease, now)
        else returnLease(lease)
      }
      pauseFor(response.pauseMs)
      if (waiters.size === 0) return stopWaiting()
      // One millisecond late, because timers may be early and each check costs a round trip.
      if (queued && session.up) alarm.set(Math.max(now + response.waitMs + 1, pausedUntil), now)
      else admit()
    } catch (error) {
      syncing = false
      failIfAway(error)
    }
  }

  const useLocalShare = (now: number): void => {
    pace.passTime(now)
    const { slots: few, spacingMs } = pace.limits(share)
    const opensAt = () => Math.max(leases.fewerAt(few, now), pausedUntil, spacingMs > 0 ? lastSentAt + spacingMs : 0)
    while (waiters.next() && opensAt() <= now) grant(`local:${crypto.randomUUID()}`, now)
    alarm.set(waiters.size > 0 ? opensAt() : Infinity, now)
  }

  /** Lets the calls that wait pass as soon as possible. */
  const admit = (): void => {
    if (waiters.size === 0) return
    const now = clock.now()
    if (share > 0 && session.isDownFor(now)) useLocalShare(now)
    else if (pausedUntil > now) alarm.set(pausedUntil, now)
    else void requestLeases()
  }

  const throttle: RedisThrottle = withInspect({
    acquire(how = {}) {
      const { signal, timeoutMs = Infinity } = how
      if (signal?.aborted) return Promise.reject(signal.reason)
      if (pausedUntil - clock.now() > timeoutMs) return Promise.reject(timedOutInQueue(timeoutMs))
      const permit = waiters.add(how)
      if (waiters.size === 1) admitSoon()
      return permit
    },
    pause(ms) {
      checkPause(ms)
      pauseFor(ms)
      if (session.up) inBackground(session.sync(-1, ms))
    },
    reset() {
      pausedUntil = -Infinity
      pace.reset()
      syncOrAdmit()
      admit()
    },
    get stats() {
      const now = clock.now()
      return {
        waiting: waiters.size,
        held: leases.held(now),
        inFlight: leases.inFlight,
        givenUp: leases.givenUp(now),
        acquired,
        rateLimited: pace.rateLimited,
        lost: permits.lost,
        pausedForMs: Math.max(0, pausedUntil - now),
        pace: pace.pace,
        available: session.up,
        outages: session.outages,
        roundTrips: session.roundTrips,
      }
    },
  })
  return throttle
}
