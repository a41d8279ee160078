// Create OpenTelemetry spans for every call without changing the code that calls the SDK. The SDK publishes events on a
// channel of node:diagnostics_channel, which costs nothing without a subscriber.
//
// GUILD_LEDGER_API_KEY=… GUILD_LEDGER_BASE_URL=… node spans.ts
import { tracingChannel } from 'node:diagnostics_channel'
import { SpanKind, SpanStatusCode, trace as openTelemetry, type Span, type Tracer } from '@opentelemetry/api'
import { BasicTracerProvider, ConsoleSpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { GuildLedger, GuildLedgerError, type RequestTrace } from '@guild-ledger/sdk'

/** A call in the events of the SDK, completed as the call proceeds. It contains neither the key nor the query. */
type Call = RequestTrace & { readonly error?: unknown }

/** Ends the span of a call, with the attribute names of OpenTelemetry where there are any. */
const endSpan = (span: Span, { status, attempts, queuedMs, error }: Call): void => {
  span.setAttribute('guild_ledger.queued_ms', Math.round(queuedMs))
  if (status !== undefined) span.setAttribute('http.response.status_code', status)
  if (attempts > 1) span.setAttribute('http.request.resend_count', attempts - 1)
  if (GuildLedgerError.is(error)) {
    span.setAttribute('error.type', error.code)
    span.setStatus({ code: SpanStatusCode.ERROR, message: error.message })
  } else if (error !== undefined) {
    // The caller aborted the call. Its reason may be anything, so it is not recorded.
    span.setAttribute('error.type', 'aborted')
  }
  span.end()
}

/** Creates a span for each call of every client in the process, until the returned function is called. */
export const traceLedger = (tracer: Tracer = openTelemetry.getTracer('guild-ledger')): (() => void) => {
  const channel = tracingChannel<Call>('guild-ledger:request')
  // All events of a call have the same object. The map is weak, so a call that never ends does not leak.
  const spans = new WeakMap<Call, Span>()
  const subscribers = {
    start(call: Call) {
      // The span that is active where the call is made becomes the parent.
      const { method, endpoint, callId } = call
      const attributes = { 'http.request.method': method, 'url.template': endpoint, 'guild_ledger.call_id': callId }
      spans.set(call, tracer.startSpan(`${method} ${endpoint}`, { kind: SpanKind.CLIENT, attributes }))
    },
    // The promise has settled. `end` only means that the function has returned.
    asyncEnd(call: Call) {
      const span = spans.get(call) // undefined if the call began before the subscription
      if (span) endSpan(span, call)
    },
    end() {},
    asyncStart() {},
    error() {},
  }
  channel.subscribe(subscribers)
  return () => channel.unsubscribe(subscribers)
}

if (import.meta.main) {
  // In your bot, use its own provider, such as that of @opentelemetry/sdk-node. This one prints the spans.
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
