import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ConfigurationError } from '../errors/index.ts'
import { createRetryLog } from './log.ts'
import { toApiError, toConnectionError, toTimeoutError } from './to-error.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it.each([
  ['an error response', toApiError({ status: 503, headers: new Headers() }, '', 'GET /x', 1), '503'],
  ['a timeout', toTimeoutError('GET /x', 'attempt', 50), 'a timeout'],
  [
    'a failed connection',
    toConnectionError('GET /x', 'https://ledger.example/x', new Error('reset'), false),
    'a connection error (reset)',
  ],
  [
    'another error of this package',
    new ConfigurationError('middleware', '`middleware` must return a Response'),
    'configuration',
  ],
  ['an error of somebody else', new TypeError('bug'), 'an error'],
])('names %s in the line of a retry', (_, error, summary) => {
  const log = vi.fn()
  createRetryLog(log)('GET /x', {}, error, 300.4, 'attempt 2 of 3')

  expect(log.mock.calls[0]?.slice(0, 2)).toEqual([
    'warn',
    `GET /x failed with ${summary}, retrying in 300 ms (attempt 2 of 3)`,
  ])
})
