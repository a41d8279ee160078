import { expect, it } from 'vitest'
import { inOneLine, toApiError, toTimeoutError, toTooLargeError } from './to-error.ts'

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

const subscription = 'that the guild has an active Developer or Enterprise subscription'
it.each([
  [400, 'No guild ID provided', 'The key is bound to no guild: create one for the guild in the dashboard.'],
  [400, 'x', 'Check the parameters.'],
  [
    401,
    'Unauthorized - invalid API key',
    `Check apiKey, and ${subscription}. If the key was lost, deleted or has expired, create a new one in the dashboard.`,
  ],
  [401, 'x', `Check apiKey, its expiry and its scope guild:read, and ${subscription}.`],
  [402, 'x', `Check ${subscription}.`],
  [403, 'x', `Check that the key has the scope guild:read and has not expired, and ${subscription}.`],
  [404, 'No transactions found for this guild', 'Widen the filters, or treat this as an empty list.'],
  [404, 'No transactions found for this user', 'Check platformId, or treat this as an empty list.'],
  [404, 'x', 'Check the path, and baseUrl, whose own path comes first.'],
  [418, 'x', 'Check baseUrl: the spec lists no such status.'],
  [
    429,
    'x',
    'Try again later. If other processes use the key, share one throttle: createRedisThrottle of @guild-ledger/sdk/redis.',
  ],
  [500, 'Failed to fetch guild transactions', 'The service failed internally: try again later.'],
  [500, 'Failed to fetch user transactions', 'The service failed internally: try again later.'],
  [500, 'x', 'Try again later.'],
])('says what to do about status %i with the message %j', (status, reason, advice) => {
  const error = toApiError(response(status, JSON.stringify({ success: false, message: reason })), 'GET /x', 1)

  expect(error.message).toBe(`GET /x failed: ${status} ${reason}. ${advice}`)
})

it('parses the body of an error response up to 65,536 characters', () => {
  const bodyOf = (length: number) => toApiError(response(500, '"'.padEnd(length - 1, 'x') + '"'), 'GET /x', 1).body

  expect(bodyOf(65_536)).toBe('x'.repeat(65_534))
  expect(bodyOf(65_537)).toBe(`"${'x'.repeat(65_535)}"`)
})

it('words a body that is too large', () => {
  expect(toTooLargeError('GET /x', 'have at most 10 bytes')).toMatchObject({
    message:
      'GET /x failed: the response body must have at most 10 bytes, got more. Lower limit, or raise maxResponseBytes.',
    issues: [{ path: '', expected: 'have at most 10 bytes', received: 'more' }],
  })
})

it.each(['null', '7', '[]', '{"message":7}', '{"message":null}', '<p>'])('finds no message in the body %s', (text) => {
  expect(toApiError(response(500, text), 'GET /x', 1)).toMatchObject({
    reason: undefined,
    message: 'GET /x failed: 500 (no message). Try again later.',
  })
})
