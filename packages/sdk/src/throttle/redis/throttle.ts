import { createAlarm, unref } from '../clock.ts'
import { createLimiter } from '../limiter/limiter.ts'
import { paces } from '../limiter/pace.ts'
import type { Throttle, ThrottleStats } from '../types.ts'
import { createQueue, enqueue, type WaitingCall } from '../queue.ts'
import { admitOffline, createOnline, type RedisCore } from './admission.ts'
import { redisSettingsOf, type RedisThrottleOptions } from './options.ts'
import { createSession } from './session.ts'

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
  const nothing = () => ({ reset: false, limited: 0, completed: 0 })
  /** What happened to the pace since the last sync. */
  let noted = nothing()
  let isReporting = false

  const alarm = createAlarm(clock, () => admit())
  const heartbeat = createAlarm(clock, () => keepInTouch(), unref)
  const limiter = createLimiter(settings.options, (pauseMs) => report(pauseMs), {
    decidesPace(limit) {
      if (limit === undefined) noted.completed++
      else noted.limited = limit
      return session.status.up
    },
  })
  const queue = createQueue<WaitingCall>()
  const session = createSession(settings, {
    report() {
      const happened = noted
      noted = nothing()
      const { pace, step } = limiter.state()
      const interactive = queue.lane('interactive').size > 0
      const answeredForMs = Number.isFinite(limiter.answeredAt()) ? clock.now() - limiter.answeredAt() : -1
      return { ...happened, answeredForMs, pace: paces.indexOf(pace) + 1, step, interactive }
    },
    onResponse({ pace: number, slowdown, step, answeredForMs, slots }) {
      limiter.noteAnswer(clock.now() - answeredForMs)
      limiter.limitTo(slots)
      const state = limiter.state()
      if (step === state.step) return
      const pace = paces[number - 1] ?? 'sequential'
      const reason = paces.indexOf(pace) < paces.indexOf(state.pace) ? 'quiet' : 'rate-limited'
      limiter.setState({ ...state, pace, slowdown, step, since: clock.now() }, reason)
    },
    onDown() {
      if (share === 0) return
      limiter.pauseFor(session.settleMs)
      heartbeat.set(clock.now() + session.probeEveryMs(), clock.now())
    },
  })
  const core: RedisCore = {
    settings,
    queue,
    limiter,
    session,
    alarm,
    grant(lease, now) {
      const next = queue.take()
      const { slot, permit } = limiter.take(next?.call ?? {}, now)
      session.leases.set(lease, slot)
      if (session.status.up) heartbeat.set(session.status.lastSyncAt + heartbeatMs, now)
      next?.resolve(permit)
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
      heartbeat.set(now + session.probeEveryMs(), now)
      void online.requestLeases()
    } else if (limiter.mayArrive()) {
      if (now - session.status.lastSyncAt >= heartbeatMs) session.sync(-1).catch(onAway)
      heartbeat.set(session.status.lastSyncAt + heartbeatMs, now)
    }
  }

  /** The next call tries Redis again; without a share, those that wait now have waited long enough. */
  const onAway = (cause: unknown): void => {
    if (share > 0) admit()
    else admitOffline(core, clock.now(), cause)
  }

  /** Lets the calls that wait pass as soon as possible. */
  const admit = (): void => {
    if (queue.size === 0) return
    const now = clock.now()
    if (share > 0 && session.isDownFor(now)) admitOffline(core, now)
    else online.admit(now)
  }

  /** Reports to Redis what has ended, all of this turn of the event loop at once; a pause alone, at once. */
  const report = (pauseMs = 0): void => {
    if (!session.status.up) admit()
    else if (pauseMs > 0) session.sync(-1, pauseMs).catch(onAway)
    else if (!isReporting) {
      isReporting = true
      queueMicrotask(() => {
        isReporting = false
        session.sync(-1).catch(onAway)
      })
    }
  }
  const online = createOnline(core, onAway, admit)

  return {
    acquire(how = {}) {
      if (how.signal?.aborted) return Promise.reject(how.signal.reason)
      const permit = enqueue(queue, how, limiter.maxQueue(), () => online.leave())
      if (queue.size === 1) queueMicrotask(admit)
      return permit
    },
    pause: (ms) => limiter.pause(ms),
    reset() {
      noted.reset = true
      limiter.reset()
      admit()
    },
    estimateMs({ priority } = {}) {
      const slots = session.isDownFor(clock.now()) ? share : undefined
      return limiter.estimateMs(priority, queue.ahead(priority), online.nextAt(), slots)
    },
    get stats() {
      const { up: available, outages, roundTrips } = session.status
      return { ...limiter.stats(queue.size), available, outages, roundTrips }
    },
  }
}
