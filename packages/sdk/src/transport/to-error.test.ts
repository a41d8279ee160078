import { expect, it } from 'vitest'
import { inOneLine, toApiError, toTimeoutError } from './to-error.ts'

const label = 'GET /guild/ledger/transactions'
const response = (status: number, text: string) => ({ status, text, headers: new Headers(), retryAfterMs: undefined })

it('maps a documented status with another message to the class of the status', () => {
  expect(toApiError(response(404, '{"success":false,"message":"no such route"}'), label, 1)).toMatchObject({
    name: 'NotFoundError',
    code: 'not_found',
  })
})

it('maps a documented message with another status to the class of the status', () => {
  expect(toApiError(response(403, '{"success":false,"message":"No guild ID provided"}'), label, 1)).toMatchObject({
    name: 'PermissionDeniedError',
    code: 'forbidden',
  })
})

it.each([
  [302, 'ApiError', 'http_error'],
  [418, 'ApiError', 'http_error'],
  [599, 'ServerError', 'server_error'],
])('maps the unlisted status %i to %s', (status, name, code) => {
  expect(toApiError(response(status, ''), label, 1)).toMatchObject({ name, code, status, reason: undefined, body: '' })
})

it('keeps the body of an error response as parsed JSON, else as text', () => {
  expect(toApiError(response(500, '{"a":[1]}'), label, 1).body).toEqual({ a: [1] })
  expect(toApiError(response(500, '<p>'), label, 1).body).toBe('<p>')
})

it('says after how many attempts a request failed', () => {
  expect(toApiError(response(503, '{"message":"later"}'), label, 3).message).toBe(
    'GET /guild/ledger/transactions failed after 3 attempts: 503 later. Try again later.',
  )
})

it.each([
  ['queue', 'GET /x failed: no free slot of the throttle within 50 ms. Start fewer calls at once, or raise timeoutMs.'],
  ['attempt', 'GET /x failed: no complete response within 50 ms. Try again, or raise attemptTimeoutMs.'],
  ['call', 'GET /x failed: no response within 50 ms. Try again, or raise timeoutMs.'],
] as const)('words a timeout of the phase %s', (phase, message) => {
  expect(toTimeoutError('GET /x', phase, 50)).toMatchObject({ phase, timeoutMs: 50, message })
})

it('says that nothing was sent if the phase `call` ends before the first attempt', () => {
  expect(toTimeoutError('GET /x', 'start', 50)).toMatchObject({
    phase: 'call',
    message:
      'GET /x failed: nothing was sent within 50 ms. Check middleware and the function of `apiKey`, or raise timeoutMs.',
  })
})

it('cuts foreign text after 500 characters and replaces line breaks and control characters by spaces', () => {
  expect(inOneLine(' a\r\nb\u001b[31mc\u2028d ')).toBe('a b [31mc d')
  expect(inOneLine('x'.repeat(501))).toBe(`${'x'.repeat(500)}…`)
  expect(inOneLine('x'.repeat(500))).toBe('x'.repeat(500))
})
