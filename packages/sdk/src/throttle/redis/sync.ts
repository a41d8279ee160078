import type { Limits, PaceState } from '../limiter/pace.ts'
import type { ThrottleSettings } from '../options.ts'

/** What a process reports beside its leases. */
export interface Report {
  /** Leases wanted; 0 leaves the queue, -1 does not touch it. */
  readonly want: number
  readonly pauseMs: number
  /** Whether an interactive call waits. */
  readonly interactive: boolean
  /** Milliseconds since this process got a response below 500; -1 without one. */
  readonly answeredForMs: number
  /** Whether the pace and a pause are to be forgotten. */
  readonly reset: boolean
  /** The pace as this process knows it, with ages in place of times, and the step of the one in Redis that it was derived from. */
  readonly pace: PaceState
  readonly derivedFrom: number
  /** What the pace means with the strictest settings that this process knows `of`. */
  readonly limits: Pick<Limits, 'slots' | 'spacingMs' | 'restMs'> & { readonly of: StrictestSettings }
}

/** Settings of the strictest process that was here within the last minute. */
export type StrictestSettings = Pick<ThrottleSettings, 'slots' | 'windowMs'>

/** One round trip to Redis. */
export interface SyncRequest extends Report, Omit<ThrottleSettings, 'maxQueue'> {
  readonly process: string
  /** How long after the grant a request may arrive if nothing is reported of it. */
  readonly arrivalMs: number
  /** How long nothing is granted after leases may have been lost. */
  readonly settleMs: number
  /** This process was disconnected, and may have sent requests meanwhile. */
  readonly rejoin: boolean
  /** Number of the first lease granted. */
  readonly ticket: number
  /** What the time in Redis should be by the clock of this process; -1 if it does not know. */
  readonly expectedTime: number
  /** Leases of this process, and for how long from now their request may arrive: negative if it is over. */
  readonly leases: readonly (readonly [lease: string, arrivesForMs: number])[]
}

/** What Redis responded. */
export interface SyncResponse extends StrictestSettings {
  /** How many of the leases wanted were granted. */
  readonly granted: number
  /** When to sync again; negative if this process is not queued. */
  readonly waitMs: number
  /** The pace from now on, with times of Redis; only the step if there is none. */
  readonly pace: Pick<PaceState, 'step'> & Partial<PaceState>
  /** Whether it is the reported one. */
  readonly isCurrent: boolean
  readonly pauseMs: number
  /** Milliseconds since any process got a response below 500. */
  readonly answeredForMs: number
  readonly time: number
  /** The `maxmemory-policy` of a Redis that may evict keys; else empty, and after the first sync. */
  readonly evictionPolicy: string
}
