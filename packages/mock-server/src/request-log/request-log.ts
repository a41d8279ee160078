import type { Endpoint } from '@guild-ledger/sdk/contract'
import type { Assumptions } from '../assumptions/index.ts'
import type { FaultKind, RejectedBy } from '../http.ts'
import type { SentQuery } from '../request-matcher.ts'

/** A request and what it got. It contains nothing of the API key but its id. */
export interface LoggedRequest {
  /** HTTP method. */
  readonly method: string
  /** Path as sent, percent-encoded. */
  readonly path: string
  /** Which operation; `null` for a path that is neither, or whose user cannot be read. */
  readonly endpoint: Endpoint | null
  /** The user in the path, on the one-user endpoint. */
  readonly platformId?: string
  /** The query as sent, without defaults; an array where a parameter was repeated. */
  readonly query: SentQuery
  /** Id of the API key; `null` for an unknown key. */
  readonly keyId: string | null
  /** Milliseconds since 1970 on the clock of the mock. */
  readonly at: number
  /**
   * HTTP status of the response; `null` where the client got none, or not all of it: a fault broke the connection, the
   * client gave up before, or the mock itself failed.
   */
  readonly status: number | null
  /** The `message` of an error response. */
  readonly message?: string
  /** What rejected the request, if anything did; faults do not count. */
  readonly rejectedBy?: RejectedBy
  /** With a rate-limited request: milliseconds after which the response allows a retry. */
  readonly retryAfterMs?: number
  /** The faults that the request met. */
  readonly faults?: readonly FaultKind[]
  /** With `explain`: the assumptions that the response depends on, and their values. */
  readonly assumptions?: Partial<Assumptions>
}

/** The latest requests, oldest first. */
export interface RequestLog {
  /** Adds a request. `version` is the same for requests between which the ledger did not change. */
  add(request: LoggedRequest, version?: unknown): void
  /** Replaces a request by what became of it, where the log still has it. */
  replace(request: LoggedRequest, by: LoggedRequest): void
  /** Calls `listener` after each change until the returned function is called. */
  onChange(listener: () => void): () => void
  requests(): LoggedRequest[]
  /** The requests, for `restore`. */
  state(): readonly LoggedRequest[]
  restore(requests: readonly LoggedRequest[]): void
}

/** How many requests a log keeps unless configured otherwise: a server that runs for days must not fill the memory. */
export const defaultKeepRequests = 10_000

/** What the ledger of a request was at its time, for those that are logged with it. No part of what tests see. */
const versions = new WeakMap<LoggedRequest, unknown>()

/** Whether the ledger was the same for both requests, as far as is known. */
export const sawSameLedger = (one: LoggedRequest, other: LoggedRequest): boolean =>
  versions.get(one) === versions.get(other)

/** Keeps the latest `capacity` requests. */
export const createRequestLog = (capacity = defaultKeepRequests): RequestLog => {
  let ring: LoggedRequest[] = []
  /** Where the oldest request is, once the ring is full. */
  let oldest = 0
  const listeners = new Set<() => void>()
  const requests = () => [...ring.slice(oldest), ...ring.slice(0, oldest)]
  const notify = () => {
    for (const listener of listeners) listener()
  }
  return {
    add(request, version) {
      Object.freeze(request)
      if (version !== undefined) versions.set(request, version)
      if (ring.length < capacity) ring.push(request)
      else if (capacity > 0) {
        ring[oldest] = request
        oldest = (oldest + 1) % capacity
      }
      notify()
    },
    replace(request, by) {
      const index = ring.lastIndexOf(request)
      if (index < 0) return
      versions.set(by, versions.get(request))
      ring[index] = Object.freeze(by)
      notify()
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    requests,
    state: requests,
    restore(kept) {
      ring = [...kept]
      oldest = 0
    },
  }
}
