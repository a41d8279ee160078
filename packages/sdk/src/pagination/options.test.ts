import { expect, it } from 'vitest'
import type { TransportSettings } from '../transport/index.ts'
import { isTransient } from './page-retry.ts'
import { pageRetryOf, type PaginationOptions } from './options.ts'

const client = (maxRetries: number, baseDelayMs: number) =>
  ({ maxRetries, baseDelayMs }) as unknown as TransportSettings['retry']

it.each<[string, PaginationOptions, TransportSettings['retry'] | undefined, number | undefined]>([
  ['ten minutes by default', {}, client(2, 300), 600_000],
  ['ten minutes of an operation that says nothing of retries', {}, undefined, 600_000],
  ['ten minutes at low priority', { priority: 'background' }, client(2, 300), 600_000],
  ['not at all at high priority', { priority: 'interactive' }, client(2, 300), undefined],
  ['not at all where its calls are not retried', { maxRetries: 0 }, client(2, 300), undefined],
  ['not at all where the calls of the client are not retried', {}, client(0, 300), undefined],
  ['ten minutes where only other calls are not retried', { maxRetries: 1 }, client(0, 300), 600_000],
  ['not at all where calls are retried without a delay', {}, client(2, 0), undefined],
  ['not at all with retryForMs: 0', { retryForMs: 0 }, client(2, 300), undefined],
  ['as long as retryForMs says, whatever its priority', { retryForMs: 1, priority: 'interactive' }, client(0, 0), 1],
])('retries a page for %s', (_, options, retry, forMs) => {
  const onRetry = () => {}

  const found = pageRetryOf(options, { ...(retry && { retry }), logRetry: onRetry })

  const expected = { forMs, baseDelayMs: 1000, maxDelayMs: 30_000, onRetry, isTransient }
  expect(found).toEqual(forMs === undefined ? undefined : expected)
})
