import type { Assumptions } from '../assumptions/values.ts'
import type { FaultKind } from '../fault.ts'
import type { RejectedBy } from '../http.ts'
import type { MatchTarget } from '../request-matcher.ts'

/** A request and what it got. It contains nothing of the API key but its id. */
export interface LoggedRequest extends MatchTarget {
  /** HTTP method. */
  readonly method: string
  /** Path as sent, percent-encoded. */
  readonly path: string
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

interface LogEntry {
  readonly request: LoggedRequest
  /** The version of the ledger: a number, so that no old ledger is kept in memory. */
  readonly version: number
}

/** How many requests a log keeps unless configured otherwise: a server that runs for days must not fill the memory. */
export const defaultKeepRequests = 10_000

export type RequestLog = ReturnType<typeof createRequestLog>

/** Keeps the latest `capacity` requests. */
export const createRequestLog = (capacity = defaultKeepRequests) => {
  let entries: LogEntry[] = []
  let latestLedger: unknown
  let version = 0
  const listeners = new Set<() => void>()
  const notify = () => {
    for (const listener of listeners) listener()
  }
  return {
    /** Adds a request. `ledger` is the same object for requests between which the ledger did not change. */
    add(request: LoggedRequest, ledger?: unknown): void {
      if (ledger !== latestLedger) version++
      latestLedger = ledger
      entries.push({ request: Object.freeze(request), version })
      if (entries.length > capacity) entries.shift()
      notify()
    },
    /** Replaces a request by what became of it, where the log still has it. */
    replace(request: LoggedRequest, by: LoggedRequest): void {
      entries = entries.map((entry) => (entry.request === request ? { ...entry, request: Object.freeze(by) } : entry))
      notify()
    },
    /** Calls `listener` after each change until the returned function is called. */
    onChange(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    requests: (): LoggedRequest[] => entries.map(({ request }) => request),
    /** The requests and their versions, also for `restore`. */
    state: (): readonly LogEntry[] => [...entries],
    restore(state: readonly LogEntry[]): void {
      entries = [...state]
    },
  }
}
