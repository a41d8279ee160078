import type { Clock } from '../clock.ts'
import { arrivesWithin } from '../permits.ts'
import { createScript, nameFor } from './client.ts'
import type { Leases } from './leases.ts'
import type { redisSettingsOf } from './options.ts'
import { argumentsFor, parseSyncResponse, type SyncRequest, type SyncResponse } from './protocol.ts'
import { script } from './script.ts'
import type { PaceReport } from './shared-pace.ts'

/** How often Redis is tried while it is unavailable. */
export const probeMs = 500

/** Time for processes to notice that Redis is away, back or new, and for requests that were sent before to arrive. */
const noticeIn = (redisTimeoutMs: number) => Math.max(1500, redisTimeoutMs + probeMs)

/** What a process reports beside its leases. */
type Report = PaceReport & Pick<SyncRequest, 'interactive'>

/** Redis' response, with the names of the leases it granted. */
type Granted = Omit<SyncResponse, 'granted'> & { readonly granted: readonly string[] }

/** The connection of one process to the shared state in Redis, with what it has still to report. */
export interface Session {
  /** Whether the last sync got a response. */
  readonly up: boolean
  readonly outages: number
  readonly roundTrips: number
  readonly lastSyncAt: number
  /** How long nothing is sent after leases may have been lost. */
  readonly settleMs: number
  /** Whether Redis is known to be unavailable: it was tried just now. */
  isDownFor(now: number): boolean
  /** Keeps for the next sync that the request of a lease may arrive for `ms` more at most, or (`x`) was never sent. */
  note(lease: string, ms: number | 'x'): void
  /** One round trip: reports all that is noted and requests `want` leases (0 leaves the queue, -1 requests none). */
  sync(want: number, pauseMs?: number): Promise<Granted>
}

interface SessionListener {
  /** What to report with the next sync; it is reported once. */
  readonly report: () => Report
  /** Redis became unavailable, or is found unavailable again after a while. */
  readonly onDown: () => void
  readonly onResponse: (response: SyncResponse) => void
}

const timeoutParts = 4

/**
 * Limits `work` to `ms` milliseconds. Counted in four parts, between which responses can come in: an event loop that
 * stood still for all that time has not seen the response that is waiting for it.
 */
export const withTimeout = <T>(clock: Clock, ms: number, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    let left = timeoutParts
    let timer: unknown
    const tick = (): void => {
      if (left-- > 0) timer = clock.setTimeout(tick, ms / timeoutParts)
      else reject(new Error(`no response within ${ms} ms`))
    }
    tick()
    work.then(resolve, reject).finally(() => clock.clearTimeout(timer))
  })

export const createSession = (
  settings: ReturnType<typeof redisSettingsOf>,
  leases: Leases,
  { report, onDown, onResponse }: SessionListener,
): Session => {
  const { clock, slots, windowMs, marginMs, client, prefix, redisTimeoutMs, share } = settings
  const settleMs = windowMs + noticeIn(redisTimeoutMs)
  const arrivalMs = arrivesWithin(settings.attemptTimeoutMs)
  const runScript = createScript(client, script)
  const tag = nameFor(settings.key)
  const process = crypto.randomUUID()
  const identity = { process, slots, windowMs, marginMs, arrivalMs, settleMs }
  const figures = { outages: 0, roundTrips: 0, lastSyncAt: -Infinity }
  let pending = new Map<string, number | 'x'>()
  let up = true
  let epoch: string | undefined
  let ticket = 0
  let lastFailedAt = -Infinity
  /** A time of Redis, and when it was or will have been by the clock of this process. */
  let seen: { readonly time: number; readonly at: number } | undefined

  const run = async (values: string[]): Promise<SyncResponse> => {
    const names = ['leases', 'queue', 'due', 'state'].map((part) => async () => `{${prefix}:${await tag}}:${part}`)
    const keys = await Promise.all(names.map((of) => of()))
    return parseSyncResponse(await withTimeout(clock, redisTimeoutMs, runScript(keys, values)))
  }

  /** After an outage the next sync reports everything held here, and frees everything else. */
  const noteFullState = (now: number): void => {
    for (const lease of pending.keys()) pending.set(lease, 'x')
    for (const [lease, ms] of leases.all(now, arrivalMs)) pending.set(lease, ms)
  }

  const isFresh = (now: number) => now - lastFailedAt <= probeMs + redisTimeoutMs + 250

  const session: Session = {
    isDownFor: (now) => !up && isFresh(now),
    get up() {
      return up
    },
    get outages() {
      return figures.outages
    },
    get roundTrips() {
      return figures.roundTrips
    },
    get lastSyncAt() {
      return figures.lastSyncAt
    },
    settleMs,
    note(lease, ms) {
      pending.set(lease, ms)
    },
    async sync(want, pauseMs = 0) {
      const now = clock.now()
      const wasDown = !up
      if (wasDown) noteFullState(now)
      const reported = pending
      pending = new Map()
      const wanted = Array.from({ length: Math.max(0, want) }, (_, i) => `${process}:${ticket + i}`)
      const expectedTime = seen ? seen.time + now - seen.at : -1
      // Without a local share nothing was sent while Redis was away, so nobody has to wait.
      const rejoin = wasDown && share > 0
      const request = { ...identity, ...report(), want, pauseMs, rejoin, ticket, expectedTime, leases: [...reported] }
      ticket += wanted.length
      figures.lastSyncAt = now
      figures.roundTrips++
      try {
        const response = await run(argumentsFor(request))
        // A response to what was sent before Redis went away does not mean that it is back.
        if (wasDown) up = true
        if (epoch !== undefined && epoch !== response.epoch && !wasDown) {
          noteFullState(clock.now())
          queueMicrotask(() => void session.sync(-1).catch(() => {}))
        }
        epoch = response.epoch
        seen = { time: response.time, at: now }
        onResponse(response)
        return { ...response, granted: wanted.slice(0, response.granted) }
      } catch (error) {
        // Whether Redis ran the script is unknown: leases it may have granted are given back, the rest reported again.
        for (const [lease, ms] of reported) if (!pending.has(lease)) pending.set(lease, ms)
        for (const lease of wanted) pending.set(lease, 'x')
        const wasKnown = !up && isFresh(clock.now())
        if (up) figures.outages++
        up = false
        lastFailedAt = clock.now()
        if (!wasKnown) onDown()
        throw error
      }
    },
  }
  return session
}
