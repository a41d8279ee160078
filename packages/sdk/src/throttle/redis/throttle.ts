import { isErrorLike } from '@guild-ledger/validation'
import { ThrottleError } from '../../errors/index.ts'
import { createAlarm, unref } from '../clock.ts'
import { createLimiter } from '../limiter/limiter.ts'
import { longestDeliveryMs } from '../limiter/slots.ts'
import { createQueue, enqueue, type WaitingCall } from '../queue.ts'
import type { Throttle, ThrottleStats } from '../types.ts'
import { createConnection, type Synced } from './connection.ts'
import { redisSettingsOf, type RedisThrottleOptions } from './options.ts'
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

/** The error of waiting calls while Redis is away and there is no local share. */
const unavailable = (cause: unknown): ThrottleError =>
  new ThrottleError(
    'throttle_unavailable',
    `The throttle cannot reach Redis (${isErrorLike(cause) ? cause.message : String(cause)}), nothing was sent: check the client, or pass processes to continue with a share of the rate`,
    { cause },
  )

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
  const queue = createQueue<WaitingCall>()
  const limiter = createLimiter(settings.options, (pauseMs) => report(pauseMs))
  const pace = createSharedPace(limiter)
  const alarm = createAlarm(clock, () => admit())
  const heartbeat = createAlarm(clock, () => keepInTouch(), unref)
  const connection = createConnection(settings, () => {
    if (share === 0) return
    limiter.pauseFor(connection.settleMs)
    heartbeat.set(clock.now() + connection.probeEveryMs(), clock.now())
  })
  let isReporting = false
  let isRequesting = false
  /** Whether this process waits in the queue in Redis, and when it requests leases again; in the past if it does not. */
  let isQueued = false
  let nextAt = -Infinity

  /** One round trip; undefined if Redis is unavailable. */
  const sync = async (want: number, pauseMs = 0): Promise<Synced | undefined> => {
    const interactive = queue.lane('interactive').size > 0
    const answeredForMs = Number.isFinite(limiter.answeredAt()) ? clock.now() - limiter.answeredAt() : -1
    try {
      const response = await connection.sync({ want, pauseMs, interactive, answeredForMs, ...pace.report() })
      limiter.noteAnswer(clock.now() - response.answeredForMs)
      limiter.limitTo(response)
      if (pace.accept(response)) report()
      return response
    } catch (cause) {
      // The next call tries Redis again. Without a share, those that wait now have waited long enough.
      if (share > 0) admit()
      else for (let next = queue.take(); next; next = queue.take()) next.settle(Promise.reject(unavailable(cause)))
      return undefined
    }
  }

  /** Reports to Redis what has ended, all of this turn of the event loop at once; a pause alone, at once. */
  const report = (pauseMs = 0): void => {
    if (!connection.status.up) admit()
    else if (pauseMs > 0) void sync(-1, pauseMs)
    else if (!isReporting) {
      isReporting = true
      queueMicrotask(() => {
        isReporting = false
        void sync(-1)
      })
    }
  }

  const grant = (lease: string, now: number): void => {
    const next = queue.take()
    const { slot, permit } = limiter.take(next?.call ?? {}, now)
    connection.leases.set(lease, slot)
    if (connection.status.up) heartbeat.set(connection.status.lastSyncAt + heartbeatMs, now)
    next?.settle(permit)
  }
  const giveBack = (lease: string): void => {
    connection.giveBack(lease)
    report()
  }

  /** No call waits any more. */
  const leave = (): void => {
    alarm.set(Infinity, 0)
    if (!isQueued || isRequesting || !connection.status.up) return
    isQueued = false
    void sync(0)
  }

  /** Requests leases for all calls that wait here, or tries whether Redis responds. */
  const requestLeases = async (): Promise<void> => {
    if (isRequesting) return
    isRequesting = true
    const response = await sync(Math.min(queue.size, limiter.settings().slots))
    isRequesting = false
    if (!response) return
    const now = clock.now()
    isQueued = response.waitMs >= 0
    // Leases that a process gets after it stood still may have ended in Redis before their requests do.
    const areUsable = now - response.at <= longestDeliveryMs && connection.status.up && limiter.pausedUntil() <= now
    for (const lease of response.granted) {
      if (areUsable && queue.size > 0) grant(lease, now)
      else giveBack(lease)
    }
    limiter.pauseFor(response.pauseMs)
    if (queue.size === 0) leave()
    else if (isQueued && connection.status.up) {
      // One millisecond late, because timers may be early and each check costs a round trip.
      nextAt = Math.max(now + response.waitMs + 1, limiter.pausedUntil())
      alarm.set(nextAt, now)
    } else admit()
  }

  /** Lets calls that wait pass with a share of the rate, while Redis does not respond. */
  const admitOffline = (now: number): void => {
    limiter.refresh()
    const opensAt = () => limiter.opensAt('interactive', true, now, share)
    while (queue.size > 0 && opensAt() <= now) grant(`local:${crypto.randomUUID()}`, now)
    alarm.set(queue.size > 0 ? opensAt() : Infinity, now)
  }

  /** Lets the calls that wait pass as soon as possible. */
  const admit = (): void => {
    const now = clock.now()
    if (queue.size === 0) return
    if (share > 0 && connection.isDownFor(now)) admitOffline(now)
    else if (limiter.pausedUntil() > now) alarm.set(limiter.pausedUntil(), now)
    else void requestLeases()
  }

  /** While Redis is away: tries it. While requests may arrive: reports their leases, in case Redis has lost them. */
  const keepInTouch = (): void => {
    const now = clock.now()
    if (!connection.status.up && share > 0) {
      heartbeat.set(now + connection.probeEveryMs(), now)
      void requestLeases()
    } else if (limiter.mayArrive()) {
      if (now - connection.status.lastSyncAt >= heartbeatMs) void sync(-1)
      heartbeat.set(connection.status.lastSyncAt + heartbeatMs, now)
    }
  }

  return {
    acquire(how = {}) {
      if (how.signal?.aborted) return Promise.reject(how.signal.reason)
      const permit = enqueue(queue, how, limiter.settings().maxQueue, leave)
      if (queue.size === 1) queueMicrotask(admit)
      return permit
    },
    pause: (ms) => limiter.pause(ms),
    reset() {
      pace.reset()
      admit()
    },
    estimateMs({ priority } = {}) {
      const slots = connection.isDownFor(clock.now()) ? share : undefined
      return limiter.estimateMs(priority, queue.ahead(priority), nextAt, slots)
    },
    get stats() {
      const { up: available, outages, roundTrips } = connection.status
      return { ...limiter.stats(queue.size), available, outages, roundTrips }
    },
  }
}
