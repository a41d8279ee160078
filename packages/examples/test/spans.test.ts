import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { reportSpans, type Span } from '../src/spans.ts'
import { world } from './testing/world.ts'

const listen = () => {
  const spans: Span[] = []
  const stop = reportSpans((span) => spans.push(span))
  onTestFinished(stop)
  return { spans, stop }
}

afterEach(() => void vi.useRealTimers())

it('reports a call that was answered', async () => {
  vi.useFakeTimers({ now: new Date('2026-02-01T12:00:00Z') })
  const { guild, ledger } = world()
  guild.fail({ kind: 'latency', ms: 250 })
  const { spans } = listen()

  const page = ledger.transactions.list()
  await vi.advanceTimersByTimeAsync(250)
  await page

  expect(spans).toEqual([
    {
      name: 'GET /guild/ledger/transactions',
      startedAt: Date.UTC(2026, 1, 1, 12),
      durationMs: 250,
      attributes: { 'http.request.method': 'GET', 'http.response.status_code': 200, 'guild_ledger.queued_ms': 0 },
    },
  ])
})

it('reports what went wrong, and how often it was tried', async () => {
  vi.useFakeTimers()
  const { guild, ledger } = world({}, { retry: { maxRetries: 2 }, logLevel: 'off' })
  guild.fail({ kind: 'internal-error' })
  const { spans } = listen()

  const failure = ledger.transactions.list().catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(5000)
  await failure

  expect(spans.map(({ attributes }) => attributes)).toEqual([
    {
      'http.request.method': 'GET',
      'http.response.status_code': 500,
      'http.request.resend_count': 2,
      'guild_ledger.queued_ms': 0,
      'error.type': 'guild_transactions_failed',
    },
  ])
})

it('reports a call that its caller gave up', async () => {
  const { guild, ledger } = world()
  guild.fail({ kind: 'hang' })
  const { spans } = listen()
  const stop = new AbortController()

  const call = ledger.transactions.list({}, { signal: stop.signal }).catch(() => {})
  stop.abort(new Error('enough'))
  await call

  expect(spans.map(({ attributes }) => attributes['error.type'])).toEqual(['aborted'])
})

it('reports every page of a walk, and no key', async () => {
  const { mock, ledger } = world({ transactions: 250 })
  const { spans } = listen()

  await Array.fromAsync(ledger.transactions.iterate())

  expect(spans).toHaveLength(3)
  expect(JSON.stringify(spans)).not.toContain(mock.apiKey)
})

it('is silent once it was stopped', async () => {
  const { ledger } = world()
  const { spans, stop } = listen()
  stop()
  await ledger.transactions.list()
  expect(spans).toEqual([])
})
