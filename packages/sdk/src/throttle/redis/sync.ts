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
  readonly reset: boolean
  /** Pace of this process: 1 arrival, 2 spaced, 3 sequential. It counts after `rejoin` only. */
  readonly pace: number
  /** Status of a response that limited the rate of `step`, 429 or 503; 0 without one. */
  readonly limited: number
  /** Milliseconds since this process got a response below 500; -1 without one. */
  readonly answeredForMs: number
  /** Requests of `step` that completed otherwise. */
  readonly completed: number
  readonly step: number
  /** Leases of this process, and for how long from now their request may arrive: negative if it is over. */
  readonly leases: readonly (readonly [lease: string, arrivesForMs: number])[]
}

/** What Redis responded. */
export interface SyncResponse {
  /** How many of the leases wanted were granted. */
  readonly granted: number
  /** When to sync again; negative if this process is not queued. */
  readonly waitMs: number
  readonly pace: number
  readonly slowdown: number
  readonly step: number
  readonly pauseMs: number
  /** Milliseconds since any process got a response below 500. */
  readonly answeredForMs: number
  /** Slots of the strictest process that was here within the last minute. */
  readonly slots: number
  readonly time: number
  /** The `maxmemory-policy` of a Redis with a memory limit; empty without one, and after the first sync. */
  readonly evictionPolicy: string
}
