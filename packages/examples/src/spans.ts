// Watch every call without touching the code that makes it: the SDK speaks on a channel of node:diagnostics_channel, and
// whoever listens makes of it what they like. Here: a span for each call, printed as a line of JSON. To feed OpenTelemetry,
// start a span of your tracer where `startedAt` is noted, and end it where the span goes to `report`.
//
// GUILD_LEDGER_API_KEY=… GUILD_LEDGER_BASE_URL=… node spans.ts
import { tracingChannel } from 'node:diagnostics_channel'
import { GuildLedger, GuildLedgerError } from '@guild-ledger/sdk'

/** What the SDK tells of a call, filled in as it goes on. Never the key, and nothing of the query. */
interface Trace {
  readonly endpoint: string
  readonly status?: number
  readonly attempts: number
  readonly queuedMs: number
  readonly error?: unknown
}

/** One call, with the attribute names of OpenTelemetry where it has any. */
export interface Span {
  readonly name: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly durationMs: number
  readonly attributes: Readonly<Record<string, string | number>>
}

const isDefined = (entry: readonly [string, unknown]): entry is [string, string | number] => entry[1] !== undefined

const attributesOf = ({ status, attempts, queuedMs, error }: Trace): Span['attributes'] => {
  const errorType = GuildLedgerError.is(error) ? error.code : 'aborted'
  return Object.fromEntries(
    [
      ['http.request.method', 'GET'] as const,
      ['http.response.status_code', status] as const,
      ['http.request.resend_count', attempts > 1 ? attempts - 1 : undefined] as const,
      ['guild_ledger.queued_ms', Math.round(queuedMs)] as const,
      ['error.type', error === undefined ? undefined : errorType] as const,
    ].filter(isDefined),
  )
}

/** Reports a span for each call of every client in the process, until the returned function is called. */
export const reportSpans = (report: (span: Span) => void): (() => void) => {
  const channel = tracingChannel<Trace>('guild-ledger:request')
  // The same object comes with all events of a call. Weak: a call that never ends keeps nothing here.
  const started = new WeakMap<Trace, { readonly startedAt: number; readonly from: number }>()
  const listeners = {
    start: (trace: Trace) => void started.set(trace, { startedAt: Date.now(), from: performance.now() }),
    // Success or failure, the end of the promise is here; `end` only tells that the call has been made.
    asyncEnd: (trace: Trace) => {
      const begin = started.get(trace)
      if (!begin) return // began before anybody listened
      const durationMs = Math.round(performance.now() - begin.from)
      report({ name: trace.endpoint, startedAt: begin.startedAt, durationMs, attributes: attributesOf(trace) })
    },
    end: () => {},
    asyncStart: () => {},
    error: () => {},
  }
  channel.subscribe(listeners)
  return () => channel.unsubscribe(listeners)
}

if (import.meta.main) {
  const stop = reportSpans((span) => console.log(JSON.stringify(span)))
  let transactions = 0
  for await (const page of new GuildLedger().transactions.pages()) {
    transactions += page.data.reduce((sum, group) => sum + group.transactions.length, 0)
  }
  stop()
  console.log(`${transactions} transactions`)
}
