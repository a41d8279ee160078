import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fieldsOf, logEnd } from './call-log.ts'
import { toApiError } from './to-error.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const trace = { callId: '1', method: 'GET', endpoint: '/guild', attempts: 2, queuedMs: 20.4 } as const

it('leaves out the fields that do not apply to a line', () => {
  expect(Object.entries(fieldsOf({ callId: '1' }, new Error('bug'), { waitMs: 7 }))).toEqual([
    ['callId', '1'],
    ['waitMs', 7],
  ])
})

it('logs how long a call took and waited, in whole milliseconds', async () => {
  await vi.advanceTimersByTimeAsync(1000)
  const startedAt = performance.now() - 0.4
  await vi.advanceTimersByTimeAsync(30)
  const log = vi.fn()

  logEnd(log, 'GET /guild', { ...trace, status: 200 }, startedAt)

  const [level, message, fields] = log.mock.calls[0] ?? []
  expect([level, message(), fields()]).toEqual([
    'debug',
    'GET /guild succeeded with 200 (attempt 2)',
    { callId: '1', method: 'GET', endpoint: '/guild', status: 200, attempt: 2, waitMs: 20, durationMs: 30 },
  ])
})

it('logs the reason of the caller or an error of middleware without its message, which may hold anything', () => {
  const log = vi.fn()

  logEnd(log, 'GET /guild', trace, 0, new RangeError('secret'))

  expect(log.mock.calls).toEqual([
    ['debug', 'GET /guild was ended by the caller, or by middleware', expect.any(Function)],
  ])
})

it.each([
  ['a failure, for the caller gets its error anyway', 503, '', 'error', 'info', 'server_error'],
  ['a failure that the caller can do something about', 404, 'x', 'error', 'info', 'not_found'],
  [
    'that the service found nothing',
    404,
    'No transactions found for this guild',
    'debug',
    'debug',
    'no_guild_transactions',
  ],
])('logs %s', (_, status, message, level, from, code) => {
  const log = vi.fn()
  const text = JSON.stringify({ success: false, message })
  const error = toApiError({ status, headers: new Headers(), text, retryAfterMs: undefined }, 'GET /guild', 1)

  logEnd(log, 'GET /guild', trace, 0, error)

  const [loggedLevel, line, fields, loggedFrom] = log.mock.calls[0] ?? []
  expect([loggedLevel, line, loggedFrom]).toEqual([level, error.message, from])
  expect(fields()).toMatchObject({ code })
})
