import { notify } from '../../callback.ts'
import { createAlarm, unref } from '../clock.ts'
import { checkPause } from '../options.ts'
import { createPermit, pauseAfter } from '../permits.ts'
import { createSlots } from '../slots.ts'
import type { AcquireOptions, Throttle, ThrottleStats } from '../throttle.ts'
import { createWaiters, timedOutInQueue } from '../waiters.ts'
import type { RedisCore } from './core.ts'
import { createOffline } from './offline.ts'
import { createOnline } from './online.ts'
import { redisSettingsOf, type RedisThrottleOptions } from './options.ts'
import { createSession, probeMs } from './session.ts'
import { createSharedPace } from './shared-pace.ts'

/** Figures about a throttle in Redis. `waiting`, `held`, `inFlight` and `acquired` are those of this process. */
export interface RedisThrottleStats extends ThrottleStats {
  /** Whether Redis responded last time. */
  readonly available: boolean
  /** Times that Redis became unavailable. */
  readonly outages: number
  /** Scripts run in Redis so far. */
  readonly roundTrips: number
}

/** A throttle that many processes share through Redis. */
export interface RedisThrottle extends Throttle {
  readonly stats: RedisThrottleStats
}

/** How often a process whose requests may still arrive reports its leases to Redis. */
const heartbeatMs = 1000

/** Runs `run` once at the end of this turn of the event loop, however often it is called. */
const oncePerTurn = (run: () => void): (() => void) => {
  let planned = false
  return () => {
    if (planned) return
    planned = true
    queueMicrotask(() => {
      planned = false
      run()
    })
  }
}

/**
 * Makes a throttle that many processes share: at most ten requests of all of them together arrive in any second. The
 * slots are leases in Redis and only its clock counts, so the clocks of the processes need not agree. Processes take
 * turns. Spec: Limits.
 *
 * @throws {ConfigurationError} An option is missing, unknown or wrong.
 */
export const createRedisThrottle = (options: RedisThrottleOptions): RedisThrottle => {
  const settings = redisSettingsOf(options)
  const { clock, share } = settings
  let pausedUntil = -Infinity
  let acquired = 0

  const pace = createSharedPace(settings, () => clock.now(), options.onPaceChange)
  const slots = createSlots(clock, () => report())
  const alarm = createAlarm(clock, () => admit())
  const heartbeat = createAlarm(clock, () => keepInTouch(), unref)
  const waiters = createWaiters<AcquireOptions>({
    clock,
    maxQueue: () => settings.maxQueue,
    onEmpty: () => online.leave(),
    onLongWait(wait, waitedMs) {
      for (const listener of [options.onLongWait, wait.onLongWait])
        notify(listener, { waitedMs, stats: throttle.stats })
    },
  })
  const session = createSession(settings, {
    report: () => ({ ...pace.takeReport(), interactive: waiters.lane('interactive').size > 0 }),
    onResponse: (response) => pace.adopt(response),
    onDown() {
      if (share === 0) return
      core.pauseFor(session.settleMs)
      heartbeat.set(clock.now() + probeMs, clock.now())
    },
  })
  const core: RedisCore = {
    settings,
    waiters,
    slots,
    session,
    pace,
    alarm,
    pausedUntil: () => pausedUntil,
    pauseFor(ms) {
      pausedUntil = Math.max(pausedUntil, clock.now() + ms)
    },
    grant(lease, now) {
      const { step } = pace
      const { gapMs } = pace.limits()
      const slot = slots.take(now)
      acquired++
      session.leases.set(lease, slot)
      if (session.status.up) heartbeat.set(session.status.lastSyncAt + heartbeatMs, now)
      waiters.grant(
        createPermit((outcome) => {
          slots.end(slot, outcome, gapMs)
          pace.note(outcome, step, !session.status.up)
          const pauseMs = pauseAfter(outcome, gapMs)
          if (pauseMs > 0) throttle.pause(pauseMs)
          else report()
        }),
      )
    },
    giveBack(lease) {
      session.giveBack(lease)
      report()
    },
  }

  /** While Redis is away: tries it. While requests may arrive: reports their leases, in case Redis has lost them. */
  const keepInTouch = (): void => {
    const now = clock.now()
    if (!session.status.up && share > 0) {
      heartbeat.set(now + probeMs, now)
      void online.requestLeases()
    } else if (slots.count('inFlight') + slots.count('givenUp') > 0) {
      if (now - session.status.lastSyncAt >= heartbeatMs) session.sync(-1).catch(onAway)
      heartbeat.set(session.status.lastSyncAt + heartbeatMs, now)
    }
  }

  /** The next call tries Redis again; without a share, those that wait now have waited long enough. */
  const onAway = (cause: unknown): void => {
    if (share > 0) admit()
    else offline.admit(clock.now(), cause)
  }

  /** Lets the calls that wait pass as soon as possible. */
  const admit = (): void => {
    if (waiters.size === 0) return
    const now = clock.now()
    if (share > 0 && session.isDownFor(now)) offline.admit(now)
    else online.admit(now)
  }

  const sync = oncePerTurn(() => void session.sync(-1).catch(onAway))
  /** Reports to Redis what has ended, all of this turn of the event loop at once. */
  const report = (): void => (session.status.up ? sync() : admit())
  const admitSoon = oncePerTurn(admit)
  const offline = createOffline(core)
  const online = createOnline(core, onAway, admit)

  const throttle: RedisThrottle = {
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
      core.pauseFor(ms)
      if (session.status.up) session.sync(-1, ms).catch(onAway)
    },
    reset() {
      pausedUntil = -Infinity
      pace.reset()
      report()
      admit()
    },
    estimateMs({ priority = 'interactive' } = {}) {
      const now = clock.now()
      const limits = session.isDownFor(now) ? pace.limits(share) : pace.limits()
      return slots.expectedAt(limits, Math.max(now, pausedUntil, online.nextAt()), waiters.ahead(priority)) - now
    },
    get stats() {
      const now = clock.now()
      return {
        waiting: waiters.size,
        held: slots.held(now),
        inFlight: slots.count('inFlight'),
        givenUp: slots.count('givenUp'),
        acquired,
        rateLimited: pace.rateLimited,
        pausedForMs: Math.max(0, pausedUntil - now),
        pace: pace.pace,
        requestsPerSecond: pace.limits().requestsPerSecond,
        available: session.status.up,
        outages: session.status.outages,
        roundTrips: session.status.roundTrips,
      }
    },
  }
  return throttle
}
