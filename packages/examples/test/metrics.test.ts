// Uses the real provider of OpenTelemetry, with an exporter that keeps the figures in memory.
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { expect, it, onTestFinished } from 'vitest'
import { measureLedger } from '../src/metrics.ts'
import { createIsolatedMock } from './support/isolated-mock.ts'

it('measures each request with its status, the wait of each call, and calls that fail', async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.DELTA)
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 60_000 })
  const provider = new MeterProvider({ readers: [reader] })
  onTestFinished(measureLedger(provider.getMeter('test')))
  const { guild, ledger } = createIsolatedMock({}, { retry: { maxRetries: 1, baseDelayMs: 0 }, logLevel: 'off' })
  guild.fault({ kind: 'status', status: 503, times: 1 })

  await ledger.transactions.list()
  await ledger.get('/guild/nothing').catch(() => {})
  await reader.forceFlush()

  const found = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))
  const pointsOf = (name: string) => found.find(({ descriptor }) => descriptor.name === name)?.dataPoints ?? []
  expect(
    pointsOf('http.client.request.duration').map(({ attributes }) => [
      attributes['url.template'],
      attributes['http.response.status_code'],
    ]),
  ).toEqual([
    ['/guild/ledger/transactions', 503],
    ['/guild/ledger/transactions', 200],
    ['/guild/nothing', 404],
  ])
  expect(pointsOf('guild_ledger.queue.duration')).toHaveLength(2)
  expect(pointsOf('guild_ledger.failed_calls')).toMatchObject([{ value: 1, attributes: { 'error.type': 'not_found' } }])
  await provider.shutdown()
})
