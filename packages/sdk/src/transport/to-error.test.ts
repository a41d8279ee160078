import { expect, it } from 'vitest'
import { summarize, toApiError, toConnectionError, toTimeoutError, inOneLine } from './to-error.ts'

const trace = { endpoint: 'GET /guild/ledger/transactions', attempts: 1, queuedMs: 0 }
const response = (status: number, text: string) => ({ status, text, headers: new Headers(), retryAfterMs: undefined })

it('maps a documented status with another message to the class of the status', () => {
  expect(toApiError(response(404, '{"success":false,"message":"no such route"}'), trace)).toMatchObject({
    name: 'NotFoundError',
    code: 'not_found',
  })
})

it('maps a documented message with another status to the class of the status', () => {
  expect(toApiError(response(403, '{"success":false,"message":"No guild ID provided"}'), trace)).toMatchObject({
    name: 'PermissionDeniedError',
    code: 'forbidden',
  })
})

it.each([
  [302, 'ApiError', 'http_error'],
  [418, 'ApiError', 'http_error'],
  [599, 'ServerError', 'server_error'],
])('maps the unlisted status %i to %s', (status, name, code) => {
  expect(toApiError(response(status, ''), trace)).toMatchObject({ name, code, status, reason: undefined, body: '' })
})

it('keeps the body of an error response as parsed JSON, else as text', () => {
  expect(toApiError(response(500, '{"a":[1]}'), trace).body).toEqual({ a: [1] })
  expect(toApiError(response(500, '<p>'), trace).body).toBe('<p>')
})

it('says after how many attempts a request failed', () => {
  expect(toApiError(response(503, '{"message":"later"}'), { ...trace, attempts: 3 }).message).toBe(
    'GET /guild/ledger/transactions failed after 3 attempts: 503 later. Try again later.',
  )
})

it.each<[string, unknown, string]>([
  ['an error', new Error('connect ECONNREFUSED'), 'connect ECONNREFUSED'],
  ['the innermost of three errors', new Error('a', { cause: new Error('b', { cause: new Error('c.') }) }), 'c'],
  ['an error without a message', new Error(''), 'the connection failed'],
  ['what is no error', 'text', 'the connection failed'],
])('takes the reason of a failed connection from %s', (_, cause, reason) => {
  expect(toConnectionError('GET /x', cause, false)).toMatchObject({
    name: 'ConnectionError',
    cause,
    message: `GET /x failed: ${reason}. Check baseUrl and the network, or try again.`,
  })
})

it('says that a response broke off if the connection failed while its body was read', () => {
  expect(toConnectionError('GET /x', new Error('terminated'), true).message).toBe(
    'GET /x failed: the response broke off: terminated. Check baseUrl and the network, or try again.',
  )
})

it.each([
  ['queue', 'GET /x failed: no free slot of the throttle within 50 ms. Start fewer calls at once, or raise timeoutMs.'],
  ['attempt', 'GET /x failed: no complete response within 50 ms. Try again, or raise attemptTimeoutMs.'],
  ['call', 'GET /x failed: no response within 50 ms. Try again, or raise timeoutMs.'],
] as const)('words a timeout of the phase %s', (phase, message) => {
  expect(toTimeoutError('GET /x', phase, 50)).toMatchObject({ phase, timeoutMs: 50, message })
})

it.each([
  ['an error response', toApiError(response(503, ''), trace), '503'],
  ['a timeout', toTimeoutError('GET /x', 'attempt', 50), 'a timeout'],
  ['a failed connection', toConnectionError('GET /x', new Error('reset'), false), 'a connection error (reset)'],
])('summarizes %s for the log', (_, error, summary) => {
  expect(summarize(error)).toBe(summary)
})

it('cuts foreign text after 500 characters and replaces line breaks and control characters by spaces', () => {
  expect(inOneLine(' a\r\nb\u001b[31mc\u2028d ')).toBe('a b [31mc d')
  expect(inOneLine('x'.repeat(501))).toBe(`${'x'.repeat(500)}…`)
  expect(inOneLine('x'.repeat(500))).toBe('x'.repeat(500))
})
