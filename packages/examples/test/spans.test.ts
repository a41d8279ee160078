// Uses the real provider of OpenTelemetry, with an exporter that keeps the spans in memory.
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { expect, it, onTestFinished, vi } from 'vitest'
import { traceLedger } from '../src/spans.ts'
import { createIsolatedMock } from './support/isolated-mock.ts'

const collectSpans = () => {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  const tracer = provider.getTracer('test')
  const stop = traceLedger(tracer)
  onTestFinished(stop)
  return { spans: () => exporter.getFinishedSpans(), tracer, stop }
}

/** Uses fake timers for one test. */
const fakeTimers = () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
}

it('a call has a span that ends with its response', async () => {
  fakeTimers()
  const { guild, ledger } = createIsolatedMock()
  guild.fault({ kind: 'latency', ms: 250 })
  const { spans } = collectSpans()

  const page = ledger.transactions.list()
  await vi.advanceTimersByTimeAsync(249)
  expect(spans()).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  await page

  expect(spans()[0]).toMatchObject({
    name: 'GET /guild/ledger/transactions',
    kind: 2, // client
    status: { code: 0 }, // unset
    attributes: {
      'http.request.method': 'GET',
      'url.template': '/guild/ledger/transactions',
      'http.response.status_code': 200,
      'guild_ledger.queued_ms': 0,
    },
  })
})

it('the span of a failed call has the error and the number of retries', async () => {
  fakeTimers()
  const { guild, ledger } = createIsolatedMock({}, { retry: { maxRetries: 2 }, logLevel: 'off' })
  guild.fault({ kind: 'internal-error' })
  const { spans } = collectSpans()

  const failure = ledger.transactions.list().catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(5000)
  await failure

  expect(spans()).toMatchObject([
    {
      status: { code: 2, message: expect.stringContaining('Failed to fetch guild transactions') as string },
      attributes: {
        'http.response.status_code': 500,
        'http.request.resend_count': 2,
        'error.type': 'guild_transactions_failed',
      },
    },
  ])
})

it('the span of an aborted call ends without the reason of the abort', async () => {
  const { ledger } = createIsolatedMock()
  const { spans } = collectSpans()
  const controller = new AbortController()

  const call = ledger.transactions.list({}, { signal: controller.signal }).catch(() => {})
  controller.abort(new Error('my secret'))
  await call

  expect(spans()).toMatchObject([{ status: { code: 0 }, attributes: { 'error.type': 'aborted' } }])
  expect(JSON.stringify(spans().map(({ attributes, status }) => [attributes, status]))).not.toContain('secret')
})

it('the active span is the parent of the span of a call', async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  onTestFinished(() => context.disable())
  const { ledger } = createIsolatedMock()
  const { spans, tracer } = collectSpans()
  const command = tracer.startSpan('/ledger')

  await context.with(trace.setSpan(context.active(), command), () => ledger.transactions.list())

  expect(spans()[0]?.parentSpanContext?.spanId).toBe(command.spanContext().spanId)
})

it('pagination has a span per page, none of which contains the key', async () => {
  const { mock, ledger } = createIsolatedMock({
    transactions: 250,
    assumptions: { pageUnit: 'transaction', summaryScope: 'match', maxLimit: 100 },
  })
  const { spans } = collectSpans()

  await Array.fromAsync(ledger.transactions.iterate())

  expect(spans()).toHaveLength(3)
  const output = JSON.stringify(
    spans().map(({ name, attributes, status, events }) => [name, attributes, status, events]),
  )
  expect(output).not.toContain(mock.apiKey)
})

it('there are no spans after tracing was stopped', async () => {
  const { ledger } = createIsolatedMock()
  const { spans, stop } = collectSpans()
  stop()
  await ledger.transactions.list()
  expect(spans()).toEqual([])
})
