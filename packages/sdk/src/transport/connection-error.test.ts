import { expect, it } from 'vitest'
import { ConfigurationError } from '../errors/index.ts'
import { summarize, toConnectionError } from './connection-error.ts'
import { toApiError, toTimeoutError } from './to-error.ts'

it.each<[string, unknown, string]>([
  ['an error', new Error('connect ECONNREFUSED'), 'connect ECONNREFUSED'],
  ['the innermost of three errors', new Error('a', { cause: new Error('b', { cause: new Error('c.') }) }), 'c'],
  [
    'the innermost of two errors, without colons and full stops at its end',
    new Error('a', { cause: new Error('b: c..:') }),
    'b: c',
  ],
  ['an error without a message', new Error(''), 'the connection failed'],
  ['what is no error', 'text', 'the connection failed'],
])('takes the reason of a failed connection from %s', (_, cause, reason) => {
  expect(toConnectionError('GET /x', 'https://ledger.example/x', cause, false)).toMatchObject({
    name: 'ConnectionError',
    cause,
    message: `GET /x failed: ${reason}. Check baseUrl and the network, or try again.`,
  })
})

it('says that a response broke off if the connection failed while its body was read', () => {
  expect(toConnectionError('GET /x', 'https://ledger.example/x', new Error('terminated'), true).message).toBe(
    'GET /x failed: the response broke off: terminated. Check baseUrl and the network, or try again.',
  )
})

const withCode = (message: string, code?: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) })

it.each([
  [
    'Node',
    'https',
    withCode('40:error:0A00010B:SSL routines::wrong version number:ssl.c:77:\n', 'ERR_SSL_WRONG_VERSION_NUMBER'),
  ],
  ['Bun', 'https', withCode('EPROTO: The TLS handshake failed.', 'EPROTO')],
  ['Node', 'http', withCode('other side closed', 'UND_ERR_SOCKET')],
  ['Bun', 'http', withCode('The socket connection was closed unexpectedly.', 'ECONNRESET')],
  ['Deno', 'https', withCode('received corrupt message of type InvalidContentType')],
  ['some runtime', 'https', withCode('wrong version number')],
  ['some runtime', 'https', withCode('packet length too long')],
  ['some runtime', 'https', withCode('failed', 'EPROTO')],
  ['some runtime', 'http', withCode('other side closed')],
  ['some runtime', 'http', withCode('socket hang up')],
  ['some runtime', 'http', withCode('closed unexpectedly')],
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
  [
    'an error response',
    toApiError({ status: 503, text: '', headers: new Headers(), retryAfterMs: undefined }, 'GET /x', 1),
    '503',
  ],
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
])('summarizes %s for the log', (_, error, summary) => {
  expect(summarize(error)).toBe(summary)
})
