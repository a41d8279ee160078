import type { Endpoint } from '@guild-ledger/sdk/contract'
import type { Assumptions } from '../assumptions/index.ts'
import type { FaultKind, RejectedBy } from '../http.ts'
import type { SentQuery } from '../request-matcher.ts'

/** A request and what it got. It contains nothing of the API key but its id. */
export interface LoggedRequest {
  /** HTTP method. */
  readonly method: 'GET' | 'HEAD'
  /** Which operation. */
  readonly endpoint: Endpoint
  /** The user in the path, on the one-user endpoint. */
  readonly platformId?: string
  /** The query as sent, without defaults; an array where a parameter was repeated. */
  readonly query: SentQuery
  /** Id of the API key; `null` for an unknown key. */
  readonly keyId: string | null
  /** Milliseconds since 1970 on the clock of the mock. */
  readonly at: number
  /** HTTP status of the response. */
  readonly status: number
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
  add(request: LoggedRequest): void
  requests(): LoggedRequest[]
  /** The requests, for `restore`. */
  state(): readonly LoggedRequest[]
  restore(requests: readonly LoggedRequest[]): void
}

/** How many requests a log keeps unless configured otherwise: a server that runs for days must not fill the memory. */
export const defaultKeepRequests = 10_000

/** Keeps the latest `capacity` requests. */
export const createRequestLog = (capacity = defaultKeepRequests): RequestLog => {
  let ring: LoggedRequest[] = []
  /** Where the oldest request is, once the ring is full. */
  let oldest = 0
  const requests = () => [...ring.slice(oldest), ...ring.slice(0, oldest)]
  return {
    add(request) {
      Object.freeze(request)
      if (ring.length < capacity) ring.push(request)
      else if (capacity > 0) {
        ring[oldest] = request
        oldest = (oldest + 1) % capacity
      }
    },
    requests,
    state: requests,
    restore(kept) {
      ring = [...kept]
      oldest = 0
    },
  }
}
