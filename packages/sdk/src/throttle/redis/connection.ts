import { notify } from '../../callback.ts'
import { countDown } from '../clock.ts'
import { arrivesWithin, longestDeliveryMs, type Slot } from '../limiter/slots.ts'
import type { Clock } from '../types.ts'
import { createScript, nameFor } from './client.ts'
import type { RedisSettings } from './options.ts'
import { script } from './script.ts'
import type { Report, SyncRequest, SyncResponse } from './sync.ts'

/** How often Redis is tried while it is unavailable. */
const probeMs = 500
/** Where it was unavailable before within `flappingMs`, it is tried half as often each time, but at least so often. */
const longestProbeMs = 16_000
const flappingMs = 60_000

const evictionWarning = (policy: string): string =>
  `The throttle's Redis may evict its keys (maxmemory-policy ${policy}). Requests stop for 2.5 s each time it does: ` +
  'use a Redis with maxmemory-policy noeviction.'

/** What a sync brought. */
export interface Synced extends Omit<SyncResponse, 'granted'> {
  /** Leases for calls that wait. */
  readonly granted: readonly string[]
  /** When it was requested. */
  readonly at: number
}

export const withTimeout = <T>(clock: Clock, ms: number, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = countDown(clock, ms, () => reject(new Error(`no response within ${ms} ms`)))
    work.then(resolve, reject).finally(stop)
  })

/**
 * The connection of one process to the shared state in Redis, and its leases. `onDown` is called when Redis became
 * unavailable, or is found unavailable again after a while.
 */
export const createConnection = (settings: RedisSettings, onDown: () => void) => {
  const { clock, slots, windowMs, marginMs, client, prefix, redisTimeoutMs, share } = settings
  const gapMs = windowMs + marginMs
  // Time for processes to notice that Redis is away, back or new, and for requests that were sent before to arrive.
  const settleMs = windowMs + Math.max(1500, redisTimeoutMs + probeMs)
  const arrivalMs = arrivesWithin(settings.attemptTimeoutMs)
  const runScript = createScript(client, script)
  const tag = nameFor(settings.key)
  const process = crypto.randomUUID()
  const identity = { process, slots, windowMs, marginMs, arrivalMs, settleMs }
  /** `up`: whether the last sync got a response. */
  const status = { up: true, outages: 0, roundTrips: 0, lastSyncAt: -Infinity }
  /** The leases of this process, and those that it gave back: each sync reports them until one has reported their end. */
  const leases = new Map<string, Slot>()
  let ticket = 0
  let lastFailedAt = -Infinity
  let outageAt = -Infinity
  let probeEveryMs = probeMs
  /** A time of Redis, and when it was or will have been by the clock of this process. */
  let seen: { readonly time: number; readonly at: number } | undefined

  const run = async (request: SyncRequest): Promise<SyncResponse> => {
    const hash = await tag
    const keys = ['leases', 'queue', 'due', 'state'].map((part) => `{${prefix}:${hash}}:${part}`)
    const response = await withTimeout(clock, redisTimeoutMs, runScript(keys, [JSON.stringify(request)]))
    return JSON.parse(String(response)) as SyncResponse
  }

  /** For how long from now the request of a lease may arrive. */
  const arrivesFor = ({ use, freeAt }: Slot, now: number): number => {
    if (use === 'inFlight') return arrivalMs
    return use === 'givenUp' ? longestDeliveryMs : freeAt - gapMs - now
  }

  const giveBack = (lease: string): void => {
    const now = clock.now()
    leases.set(lease, { use: 'ended', since: now, freeAt: now })
  }

  const isFresh = (now: number) => now - lastFailedAt <= probeEveryMs + redisTimeoutMs + 250

  /** Each outage lets nobody send for a while: a slow Redis must not have one after the other. */
  const beginOutage = (): void => {
    const now = clock.now()
    status.outages++
    probeEveryMs = now - outageAt < flappingMs + probeEveryMs ? Math.min(longestProbeMs, probeEveryMs * 2) : probeMs
    outageAt = now
  }

  return {
    status: status as Readonly<typeof status>,
    /** How long nothing is sent after leases may have been lost. */
    settleMs,
    leases,
    giveBack,
    /** How long Redis is left alone after it was found unavailable. */
    probeEveryMs: () => probeEveryMs,
    /** Whether Redis is known to be unavailable: it was tried just now. */
    isDownFor: (now: number): boolean => !status.up && isFresh(now),
    /** One round trip: reports all leases, and what is given. */
    async sync(report: Report): Promise<Synced> {
      const now = clock.now()
      const wasDown = !status.up
      const reported = Array.from(leases, ([lease, slot]) => [lease, arrivesFor(slot, now)] as const)
      const ended = [...leases].filter(([, { freeAt }]) => freeAt <= now)
      const wanted = Array.from({ length: Math.max(0, report.want) }, (_, i) => `${process}:${ticket + i}`)
      const expectedTime = seen ? seen.time + now - seen.at : -1
      // Without a local share nothing was sent while Redis was away, so nobody has to wait.
      const rejoin = wasDown && share > 0
      const request = { ...identity, ...report, rejoin, ticket, expectedTime, leases: reported }
      ticket += wanted.length
      status.lastSyncAt = now
      status.roundTrips++
      try {
        const response = await run(request)
        // A response to what was sent before Redis went away does not mean that it is back.
        if (wasDown) status.up = true
        for (const [lease] of ended) leases.delete(lease)
        seen = { time: response.time, at: now }
        if (response.evictionPolicy) notify(settings.onWarning, evictionWarning(response.evictionPolicy))
        return { ...response, granted: wanted.slice(0, response.granted), at: now }
      } catch (error) {
        // Whether Redis ran the script is unknown: leases it may have granted are given back.
        for (const lease of wanted) giveBack(lease)
        for (const [lease, { freeAt }] of ended) if (freeAt < now - arrivalMs - gapMs) leases.delete(lease) // Redis has, too
        const wasKnown = !status.up && isFresh(clock.now())
        if (status.up) beginOutage()
        status.up = false
        lastFailedAt = clock.now()
        if (!wasKnown) onDown()
        throw error
      }
    },
  }
}

export type Connection = ReturnType<typeof createConnection>
