// Measure the service with OpenTelemetry: how fast it responds, with which statuses, and how long calls wait for the
// rate limit. The SDK publishes the figures on a channel of node:diagnostics_channel.
//
// GUILD_LEDGER_API_KEY=… GUILD_LEDGER_BASE_URL=… node metrics.ts
import { tracingChannel } from 'node:diagnostics_channel'
import { metrics as openTelemetry, type Meter } from '@opentelemetry/api'
import { ConsoleMetricExporter, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { GuildLedger, GuildLedgerError, type RequestTrace } from '@guild-ledger/sdk'

/** Measures every client in the process, until the returned function is called. */
export const measureLedger = (meter: Meter = openTelemetry.getMeter('guild-ledger')): (() => void) => {
  const requestDuration = meter.createHistogram('http.client.request.duration', { unit: 's' })
  const queueDuration = meter.createHistogram('guild_ledger.queue.duration', { unit: 's' })
  const failedCalls = meter.createCounter('guild_ledger.failed_calls')
  const channel = tracingChannel<RequestTrace & { readonly error?: unknown }>('guild-ledger:request')
  const subscribers = {
    asyncEnd({ method, endpoint, queuedMs, requests, error }: RequestTrace & { readonly error?: unknown }) {
      const call = { 'http.request.method': method, 'url.template': endpoint }
      // One call may take several requests: retries are measured, too.
      for (const { status, durationMs } of requests) {
        requestDuration.record(durationMs / 1000, { ...call, 'http.response.status_code': status ?? 0 })
      }
      queueDuration.record(queuedMs / 1000, call)
      if (GuildLedgerError.is(error)) failedCalls.add(1, { ...call, 'error.type': error.code })
    },
    start() {},
    end() {},
    asyncStart() {},
    error() {},
  }
  channel.subscribe(subscribers)
  return () => channel.unsubscribe(subscribers)
}

if (import.meta.main) {
  // In your bot, use its own provider, such as that of @opentelemetry/sdk-node. This one prints the figures at the end.
  const reader = new PeriodicExportingMetricReader({ exporter: new ConsoleMetricExporter() })
  const provider = new MeterProvider({ readers: [reader] })
  const stop = measureLedger(provider.getMeter('guild-ledger'))
  let transactions = 0
  for await (const _ of new GuildLedger().transactions.iterate()) transactions++
  stop()
  await provider.shutdown()
  console.log(`${transactions} transactions`)
}
