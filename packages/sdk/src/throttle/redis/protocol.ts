/** One round trip to Redis. */
export interface SyncRequest {
  readonly process: string
  /** Leases wanted; 0 leaves the queue, -1 does not touch it. */
  readonly want: number
  readonly slots: number
  readonly windowMs: number
  readonly marginMs: number
  /** How long after the grant a request may arrive if nothing is reported of it. */
  readonly arrivalMs: number
  /** How long nothing is granted after leases may have been lost. */
  readonly settleMs: number
  readonly pauseMs: number
  /** This process was disconnected, and may have sent requests meanwhile. */
  readonly rejoin: boolean
  /** Number of the first lease granted. */
  readonly ticket: number
  /** Whether an interactive call waits. */
  readonly interactive: boolean
  /** What the time in Redis should be by the clock of this process; -1 if it does not know. */
  readonly expectedTime: number
  /** Whether `reset()` was called. */
  readonly reset: boolean
  /** Pace of this process: 1 arrival, 2 spaced, 3 sequential. It counts after `rejoin` only. */
  readonly pace: number
  /** Whether a request of `step` got a 429. */
  readonly limited: boolean
  /** Requests of `step` that completed otherwise. */
  readonly completed: number
  readonly step: number
  /** Leases of this process, and for how long from now their request may arrive; `x` frees one at once. */
  readonly leases: readonly (readonly [lease: string, arrivesForMs: number | 'x'])[]
}

export const argumentsFor = ({ leases, ...request }: SyncRequest): string[] =>
  [
    request.process,
    request.want,
    request.slots,
    request.windowMs,
    request.marginMs,
    request.arrivalMs,
    request.settleMs,
    request.pauseMs,
    request.rejoin ? 1 : 0,
    request.ticket,
    request.interactive ? 1 : 0,
    request.expectedTime,
    request.reset ? 1 : 0,
    request.pace,
    request.limited ? 1 : 0,
    request.completed,
    request.step,
    ...leases.flat(),
  ].map(String)

/** What Redis responded. */
export interface SyncResponse {
  readonly granted: number
  /** When to sync again; negative if this process is not queued. */
  readonly waitMs: number
  /** Changes when Redis may have lost leases. */
  readonly epoch: string
  readonly pace: number
  readonly slowdown: number
  readonly step: number
  readonly pauseMs: number
  /** Time in Redis. */
  readonly time: number
  /** The `maxmemory-policy` of a Redis with a memory limit; empty without one, and after the first sync. */
  readonly evictionPolicy: string
}

export const parseSyncResponse = (response: unknown): SyncResponse => {
  const [granted, waitMs, epoch, pace, slowdown, step, pauseMs, time, evictionPolicy] = response as unknown[]
  return {
    granted: Number(granted),
    waitMs: Number(waitMs),
    epoch: String(epoch),
    pace: Number(pace),
    slowdown: Number(slowdown),
    step: Number(step),
    pauseMs: Number(pauseMs),
    time: Number(time),
    evictionPolicy: typeof evictionPolicy === 'string' ? evictionPolicy : '',
  }
}
