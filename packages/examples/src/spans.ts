// OpenTelemetry spans of every call, without touching the code that makes it: the SDK speaks on a channel of
// node:diagnostics_channel, and a listener makes spans of what it hears. Where nobody listens it costs nothing.
//
// GUILD_LEDGER_API_KEY=… GUILD_LEDGER_BASE_URL=… node spans.ts
import { tracingChannel } from 'node:diagnostics_channel'
import { SpanKind, SpanStatusCode, trace as openTelemetry, type Span, type Tracer } from '@opentelemetry/api'
import { BasicTracerProvider, ConsoleSpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { GuildLedger, GuildLedgerError } from '@guild-ledger/sdk'

/** What the SDK tells of a call, filled in as it goes on. Never the key, and nothing of the query. */
interface Call {
  readonly endpoint: string
  readonly status?: number
  readonly attempts: number
  readonly queuedMs: number
  readonly error?: unknown
}

/** Writes down how a call ended, in the names of OpenTelemetry where it has any. */
const finish = (span: Span, { status, attempts, queuedMs, error }: Call): void => {
  span.setAttribute('guild_ledger.queued_ms', Math.round(queuedMs))
  if (status !== undefined) span.setAttribute('http.response.status_code', status)
  if (attempts > 1) span.setAttribute('http.request.resend_count', attempts - 1)
  if (GuildLedgerError.is(error)) {
    span.setAttribute('error.type', error.code)
    span.setStatus({ code: SpanStatusCode.ERROR, message: error.message })
  } else if (error !== undefined) {
    // The caller gave up: what it gave as its reason may be anything, and is no concern of ours.
    span.setAttribute('error.type', 'aborted')
  }
  span.end()
}

/** Makes a span for each call of every client in the process, until the returned function is called. */
export const traceLedger = (tracer: Tracer = openTelemetry.getTracer('guild-ledger')): (() => void) => {
  const channel = tracingChannel<Call>('guild-ledger:request')
  // The same object comes with all events of a call. Weak: a call that never ends keeps nothing here.
  const spans = new WeakMap<Call, Span>()
  const listeners = {
    start(call: Call) {
      // Whatever span is active where the call is made becomes the parent of this one.
      const attributes = { 'http.request.method': 'GET', 'url.template': call.endpoint.replace(/^GET /, '') }
      spans.set(call, tracer.startSpan(call.endpoint, { kind: SpanKind.CLIENT, attributes }))
    },
    // Success or failure, the end of the promise is here; `end` only tells that the call has been made.
    asyncEnd(call: Call) {
      const span = spans.get(call) // undefined if it began before anybody listened
      if (span) finish(span, call)
    },
    end() {},
    asyncStart() {},
    error() {},
  }
  channel.subscribe(listeners)
  return () => channel.unsubscribe(listeners)
}

if (import.meta.main) {
  // Your own bot has a provider already, such as that of @opentelemetry/sdk-node. This one prints.
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(new ConsoleSpanExporter())] })
  const stop = traceLedger(provider.getTracer('guild-ledger'))
  let transactions = 0
  for await (const page of new GuildLedger().transactions.pages()) {
    transactions += page.data.reduce((sum, group) => sum + group.transactions.length, 0)
  }
  stop()
  await provider.shutdown()
  console.log(`${transactions} transactions`)
}
