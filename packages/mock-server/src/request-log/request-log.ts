import type { Endpoint } from '@guild-ledger/sdk/contract'
import { queryOf, type Query } from '../aim.ts'
import { createPacked } from './packed.ts'

/** A request as it was asked and answered. It holds nothing of the key but its id. */
export interface LoggedRequest {
  /** How it was asked. */
  readonly method: 'GET' | 'HEAD'
  /** Which operation. */
  readonly endpoint: Endpoint
  /** The user asked for, on the one-user endpoint. */
  readonly platformId?: string
  /** The query as sent, defaults not filled in; a list where a parameter was repeated. */
  readonly query: Query
  /** `null` where no such key is known. */
  readonly keyId: string | null
  /** Milliseconds since 1970 on the clock of the mock. */
  readonly at: number
  /** Status of the reply. */
  readonly status: number
  /** The `message` of an error reply. */
  readonly message?: string
  /** What refused the request, such as `key` or `rate limit`; a simulated failure is not among them. */
  readonly refusedBy?: string
  /** Milliseconds after which a refused request was told to come back. */
  readonly retryAfterMs?: number
  /** The simulated failures that met the request. */
  readonly faults?: readonly string[]
  /** With `explain`: the assumptions that shaped the reply, such as `sourceMatch=exact`. */
  readonly assumed?: string
}

/** The same, with the query not yet taken apart: most entries are never looked at. */
interface Entry extends Omit<LoggedRequest, 'query'> {
  readonly search: string
}

/** What was asked, oldest first. Of a long log the oldest entries are dropped. */
export interface RequestLog {
  add(entry: Entry): void
  requests(): LoggedRequest[]
  state(): readonly Entry[]
  restore(entries: readonly Entry[]): void
}

const shown = ({ search, ...rest }: Entry): LoggedRequest => ({
  ...rest,
  query: queryOf(new URLSearchParams(search)),
})

/** How many requests a log keeps unless told otherwise: a server that runs for days must not fill the memory. */
export const defaultKept = 10_000

export const createRequestLog = (kept = defaultKept): RequestLog => {
  const entries = createPacked<Entry>(kept)
  return {
    add: (entry) => entries.add(entry),
    requests: () => entries.all().map(shown),
    state: () => entries.all(),
    restore: (state) => entries.restore(state),
  }
}
