// The spans are real ones: OpenTelemetry's own provider makes them, and keeps them in memory.
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { expect, it, onTestFinished, vi } from 'vitest'
import { traceLedger } from '../src/spans.ts'
import { world } from './testing/world.ts'

const listen = () => {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  const tracer = provider.getTracer('test')
  const stop = traceLedger(tracer)
  onTestFinished(stop)
  return { spans: () => exporter.getFinishedSpans(), tracer, stop }
}

/** The clock of the test, for this test. */
const fakeTimers = () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
}

it('makes a span of a call, open until the call is answered', async () => {
  fakeTimers()
  const { guild, ledger } = world()
  guild.fail({ kind: 'latency', ms: 250 })
  const { spans } = listen()

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

it('tells what went wrong, and how often it was tried', async () => {
  fakeTimers()
  const { guild, ledger } = world({}, { retry: { maxRetries: 2 }, logLevel: 'off' })
  guild.fail({ kind: 'internal-error' })
  const { spans } = listen()

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

it('ends the span of a call that its caller gave up, and says nothing of the reason', async () => {
  const { guild, ledger } = world()
  guild.fail({ kind: 'hang' })
  const { spans } = listen()
  const stop = new AbortController()

  const call = ledger.transactions.list({}, { signal: stop.signal }).catch(() => {})
  stop.abort(new Error('my secret'))
  await call

  expect(spans()).toMatchObject([{ status: { code: 0 }, attributes: { 'error.type': 'aborted' } }])
  expect(JSON.stringify(spans().map(({ attributes, status }) => [attributes, status]))).not.toContain('secret')
})

it('has the span that is active around a call for its parent', async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  onTestFinished(() => context.disable())
  const { ledger } = world()
  const { spans, tracer } = listen()
  const command = tracer.startSpan('/ledger')

  await context.with(trace.setSpan(context.active(), command), () => ledger.transactions.list())

  expect(spans()[0]?.parentSpanContext?.spanId).toBe(command.spanContext().spanId)
})

it('makes one for every page of a walk, none of which holds the key', async () => {
  const { mock, ledger } = world({ transactions: 250 })
  const { spans } = listen()

  await Array.fromAsync(ledger.transactions.iterate())

  expect(spans()).toHaveLength(3)
  const told = JSON.stringify(spans().map(({ name, attributes, status, events }) => [name, attributes, status, events]))
  expect(told).not.toContain(mock.apiKey)
})

it('is silent once it was stopped', async () => {
  const { ledger } = world()
  const { spans, stop } = listen()
  stop()
  await ledger.transactions.list()
  expect(spans()).toEqual([])
})
