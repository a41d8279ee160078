import { expect, it, vi } from 'vitest'
import { toConnectionError } from './connection-failures.ts'
import { retryAfterOf } from './retry-after.ts'
import { toApiError } from './to-error.ts'

const fresh = { hasServed: false }
const label = 'GET /guild/ledger/transactions'
const response = (status: number, text: string) => [{ status, headers: new Headers() }, text] as const

it.each([
  [302, '', 'ApiError', 'http_error'],
  [418, '', 'ApiError', 'http_error'],
  [599, '', 'ServerError', 'server_error'],
  [403, '{"success":false,"message":"No guild ID provided"}', 'PermissionDeniedError', 'forbidden'],
])('maps status %i with the body %j, which the spec does not list, to %s', (status, text, name, code) => {
  expect(toApiError(...response(status, text), label, 1, fresh)).toMatchObject({ name, code, status })
})

it('keeps the body of an error response as parsed JSON, else as text', () => {
  expect(toApiError(...response(500, '{"a":[1]}'), label, 1, fresh).body).toEqual({ a: [1] })
  expect(toApiError(...response(500, '<p>'), label, 1, fresh).body).toBe('<p>')
})

const emptyList = 'Treat this as an empty list, or check'
const shareThrottle =
  'If other processes use the key, share one throttle: createRedisThrottle of @guild-ledger/sdk/redis.'
const subscription = 'that the guild has an active Developer or Enterprise subscription'
it.each([
  [400, 'No guild ID provided', 'Create a key in the dashboard that is bound to the guild.'],
  [400, 'x', 'Check the parameters.'],
  [401, 'Unauthorized - invalid API key', `Check apiKey, and ${subscription}. Otherwise, create a new key.`],
  [401, 'x', `Check apiKey, its expiry and its scope guild:read, and ${subscription}.`],
  [402, 'x', `Check ${subscription}.`],
  [403, 'x', `Check that the key has the scope guild:read and has not expired, and ${subscription}.`],
  [404, 'No transactions found for this guild', `${emptyList} page and the filters.`],
  [404, 'No transactions found for this user', `${emptyList} platformId, page and the filters.`],
  [404, 'x', 'Check the path, and baseUrl, whose own path comes first.'],
  [418, 'x', 'Check baseUrl: the spec lists no such status.'],
  [999, 'x', 'Check baseUrl: the spec lists no such status.'],
  [429, 'x', `Try again later. ${shareThrottle}`],
  [500, 'Failed to fetch guild transactions', 'Try again later.'],
  [500, 'Failed to fetch user transactions', 'Try again later.'],
  [500, 'x', 'Try again later.'],
])('says what to do about status %i with the message %j', (status, reason, advice) => {
  const error = toApiError(...response(status, JSON.stringify({ success: false, message: reason })), 'GET /x', 1, fresh)

  expect(error.message).toBe(`GET /x failed: ${status} ${reason}. ${advice}`)
})

const date = 'Sat, 31 Jan 2026 10:00:00 GMT'

it.each([
  ['0', 0],
  ['7', 7_000],
  ['12', 12_000],
  ['1.5', 1_500],
  ['1.25', 1_250],
  [' 3 ', 3_000],
  ['Sat, 31 Jan 2026 10:00:09 GMT', 9_000],
  ['Saturday, 31-Jan-26 10:00:09 GMT', 9_000],
  ['Sat, 31 Jan 2026 10:00:09 -0000', 9_000],
  ['1769853609', 9_000],
  ['Sat, 31 Jan 2026 10:00:09 +0000', 9_000],
  ['Sat, 31 Jan 2026 09:00:00 GMT', 0],
  ['60, 60', 60_000],
  ['Sat, 31 Jan 2026 10:00:09 GMT, Sat, 31 Jan 2026 10:00:09 GMT', 9_000],
])('reads the Retry-After %j as %i ms', (value, expectedMs) => {
  expect(retryAfterOf(new Headers({ 'retry-after': value, date }))).toBe(expectedMs)
})

it.each([
  ['Sun, 06 Nov 1994 08:49:37 GMT', 'Sun, 06 Nov 1994 08:49:07 GMT'],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 'Sun, 06 Nov 1994 08:49:07 GMT'],
  ['Sun Nov  6 08:49:37 1994', 'Sun, 06 Nov 1994 08:49:07 GMT'],
  ['Sun Nov 16 08:49:37 1994', 'Sun Nov 16 08:49:07 1994'],
  ['Sun, 6 Nov 1994 08:49:37 UTC', 'Sunday, 06-Nov-94 08:49:07 GMT'],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 'Sun, 06 Nov 1994 08:49:07 GMT, Sun, 06 Nov 1994 08:49:08 GMT'],
])("compares the Retry-After %j with the service's own Date %j, whatever the clock here", (value, dateHeader) => {
  expect(retryAfterOf(new Headers({ 'retry-after': value, date: dateHeader }))).toBe(30_000)
})

it('compares a date in Retry-After with the clock of this machine where the response has no Date', () => {
  vi.useFakeTimers({ now: Date.UTC(1994, 10, 6, 8, 49, 7) })
  const found = [undefined, 'soon'].map((dateHeader) =>
    retryAfterOf(
      new Headers({ 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT', ...(dateHeader && { date: dateHeader }) }),
    ),
  )
  vi.useRealTimers()

  expect(found).toEqual([30_000, 30_000])
})

it.each([-5, 3])('does not believe a Date that is wrong by hours: %i', (hours) => {
  vi.useFakeTimers({ now: Date.UTC(1994, 10, 6, 8, 49, 7) })
  const lie = new Date(Date.now() + hours * 3_600_000).toUTCString()
  const found = retryAfterOf(new Headers({ 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT', date: lie }))
  vi.useRealTimers()

  expect(found).toBe(30_000)
})

it('reads a Retry-After without end as a number that JSON can hold', () => {
  expect(retryAfterOf(new Headers({ 'retry-after': '9'.repeat(400) }))).toSatisfy(Number.isSafeInteger)
})

const notSeconds = ['', 'soon', '-1', '+5', '1.', '1e3', '0x10', 'x7', '7x', 'Soon, 5 GMT', '2026-01-31T10:00:09Z']
const nearlyDates = [
  'Sat, 31 Jan 2026 99:99:99 GMT',
  'Sun, 31 Foo 2026 10:00:09 GMT',
  'xSat, 31 Jan 2026 10:00:09 GMT',
  'Sat, 31 Jan 2026 10:00:09 GMT+2',
  'Sat, 32 Jan 2026 10:00:09 GMT',
]
it.each([...notSeconds, ...nearlyDates])('ignores the Retry-After %j', (value) => {
  expect(retryAfterOf(new Headers({ 'retry-after': value, date }))).toBeUndefined()
})

it.each<[string, unknown, string]>([
  ['the innermost of three errors', new Error('a', { cause: new Error('b', { cause: new Error('c.') }) }), 'c'],
  ['the innermost of two, without what ends it', new Error('a', { cause: new Error('b: c..:') }), 'b: c'],
  ['an error without a message', new Error(''), 'the connection failed'],
  ['what is no error', 'text', 'the connection failed'],
])('takes the reason of a failed connection from %s', (_, cause, reason) => {
  expect(toConnectionError('GET /x', 'https://ledger.example/x', cause, false)).toMatchObject({
    name: 'ConnectionError',
    cause,
    message: `GET /x failed: ${reason}. Check baseUrl and the network, or try again.`,
  })
})

const withCode = (message: string, code?: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) })

const wrongVersion = 'ERR_SSL_WRONG_VERSION_NUMBER'
it.each([
  ['Node', 'https', withCode('error:0A00010B:SSL routines::wrong version number:ssl.c:77:\n', wrongVersion)],
  ['Bun', 'https', withCode('EPROTO: The TLS handshake failed.', 'EPROTO')],
  ['Node', 'http', withCode('other side closed', 'UND_ERR_SOCKET')],
  ['Bun', 'http', withCode('The socket connection was closed unexpectedly.', 'ECONNRESET')],
  ['Deno', 'https', withCode('received corrupt message of type InvalidContentType')],
  ['some runtime', 'https', withCode('packet length too long')],
  ['some runtime', 'https', withCode('failed', 'EPROTO')],
  ['some runtime', 'http', withCode('socket hang up')],
  ['some runtime', 'http', withCode('read ECONNRESET')],
  ['some runtime', 'http', withCode('failed', 'ECONNRESET')],
])('says which scheme to try where %s cannot speak %s', (_, scheme, cause) => {
  const other = scheme === 'http' ? 'https' : 'http'

  expect(toConnectionError('GET /x', `${scheme}://ledger.example/x`, cause, false).message).toMatch(
    new RegExp(
      `^GET /x failed: (no https at this address|the connection was closed without a response)\\. If the service speaks ${other} there, baseUrl must begin with ${other}://\\.$`,
    ),
  )
})

it.each([
  ['a refused connection', withCode('connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED'), false],
  ['a response that breaks off', withCode('other side closed', 'UND_ERR_SOCKET'), true],
  ['an error without a code', new Error('failed'), false],
  ['an error whose code is no string', Object.assign(new Error('failed'), { code: ['ECONNRESET'] }), false],
])('suggests no other scheme for %s', (_, cause, isReading) => {
  expect(toConnectionError('GET /x', 'http://ledger.example/x', cause, isReading).message).toMatch(
    /Check baseUrl and the network, or try again\.$/,
  )
})

it.each([
  [401, '<!doctype html><h1>Sign in</h1>', 'a body that starts with "<!doctype html><h1>Sign in</h1>"'],
  [403, '', 'no readable body'],
  [403, '{"error":"blocked"}', String.raw`a body that starts with "{\"error\":\"blocked\"}"`],
  [404, '<p>', 'a body that starts with "<p>"'],
  [401, '{"success":false,"mess', 'incomplete JSON of the service, 22 characters'],
  [400, 'The plain HTTP request was sent', 'a body that starts with "The plain HTTP request was sent"'],
  [401, '{"message":{}}', String.raw`a body that starts with "{\"message\":{}}"`],
])('says of a %i with the body %j that it is no error of the service', (status, text, what) => {
  const error = toApiError(...response(status, text), 'GET /x', 1, fresh)

  const message = `GET /x failed: ${status} (no message). Got ${what} instead of an error of the service: check the proxy or baseUrl.`
  expect(error).toMatchObject({ status, reason: undefined, message, actor: 'author', retryable: false })
})
