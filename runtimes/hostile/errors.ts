import { http, type Hostile, type HostileRequest, type HostileResponses } from './hostile.ts'
import { shapes } from './shapes.ts'

const error = (status: string, text: string, ...expected: string[]): Hostile => ({
  send: () => http(text, {}, status),
  expected,
})
const withHeaders = (status: string, headers: Readonly<Record<string, string>>, ...expected: string[]): Hostile => ({
  send: () => http('{"success":false,"message":"later"}', headers, status),
  expected,
})
const reflected = (toText: (request: HostileRequest) => string, ...expected: string[]): Hostile => ({
  send: (request) => http(toText(request), {}, '400 Bad Request'),
  expected,
})
const escapeAll = (text: string) =>
  Array.from(text, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
const of = (shape: string, length: number) => (shapes[shape] as (length: number) => string)(length)
const unavailable = '503 Service Unavailable'
const tooMany = '429 Too Many Requests'

/** Error responses, redirects and headers. */
export const errors: HostileResponses = {
  'an error of nested arrays, 64 KB': error('500 Oops', of('nested arrays', 65_000), 'server_error'),
  'an error of many field names, 512 KiB': error('500 Oops', of('many field names', 524_288), 'server_error'),
  'an error of 8 MiB': error('400 Bad Request', of('one string', 8_388_608), 'bad_request'),
  'an error whose message has 500 KB': error('404 Not Found', `{"message":${of('one string', 500_000)}}`, 'not_found'),
  'an error whose message has terminal codes': error(
    '403 No',
    '{"message":"\\u001b[2J\\u001b]0;x\\u0007"}',
    'forbidden',
  ),
  'an error whose message is an object': error('401 No', '{"message":{"toString":1}}', 'unauthorized'),
  'an error whose body is a prototype': error('400 Bad', '{"__proto__":{"message":"x"}}', 'bad_request'),
  'the key, escaped, a thousand times': reflected(
    ({ key }) => `{"message":"${escapeAll(key).repeat(200)}"}`,
    'bad_request',
  ),
  'all of the key but its end, until 500 KB': reflected(
    ({ key }) => `"${key.slice(0, -1).repeat(14_000)}"`,
    'bad_request',
  ),
  'the key in nested arrays': reflected(
    ({ key }) => `${'['.repeat(5000)}"${escapeAll(key)}"${']'.repeat(5000)}`,
    'bad_request',
  ),
  'half references to characters, until 500 KB': reflected(() => `"${'&#0000000'.repeat(55_000)}"`, 'bad_request'),
  'a 429 each time': withHeaders(tooMany, {}, 'rate_limited', 'timeout'),
  'a 429 with Retry-After of 1e30': withHeaders(tooMany, { 'retry-after': '1e30' }, 'rate_limited', 'timeout'),
  'a 429 with Retry-After of 99999999999 s': withHeaders(tooMany, { 'retry-after': '99999999999' }, 'rate_limited'),
  'a 429 with a negative Retry-After': withHeaders(tooMany, { 'retry-after': '-5' }, 'rate_limited', 'timeout'),
  'a 429 with Retry-After 0': withHeaders(tooMany, { 'retry-after': '0' }, 'rate_limited', 'timeout'),
  'a 503 with Retry-After in the year 9999': withHeaders(
    unavailable,
    { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' },
    'server_error',
  ),
  'a 503 with Retry-After in 1970': withHeaders(
    unavailable,
    { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' },
    'server_error',
  ),
  'a 503 with a Retry-After of 8 KB': withHeaders(unavailable, { 'retry-after': '1'.repeat(8000) }, 'server_error'),
  'a redirect to itself': withHeaders('302 Found', { location: '/guild/ledger/transactions' }, 'redirect_refused'),
  'a redirect to another host': withHeaders('307 Elsewhere', { location: 'http://127.0.0.2:9/' }, 'redirect_refused'),
  'a redirect without a place': withHeaders('301 Moved', {}, 'redirect_refused'),
  'a redirect with a body without end': {
    ...withHeaders('308 Moved', { location: '/x', 'content-length': '99999999' }, 'redirect_refused'),
    stays: true,
  },
  'a 304 with a body': withHeaders('304 Not Modified', {}, 'http_error', 'connection'),
  'a 204 with a body': withHeaders('204 No Content', {}, 'invalid_response', 'connection'),
  'a 205 with a body': withHeaders('205 Reset Content', {}, 'invalid_response', 'connection'),
  'a 407': withHeaders('407 Proxy', { 'proxy-authenticate': 'Basic' }, 'http_error', 'connection'),
  'a 599': withHeaders('599 Odd', {}, 'server_error'),
  'a 999': withHeaders('999 Odd', {}, 'server_error', 'connection'),
  'a Set-Cookie of 8 KB': { ...withHeaders(unavailable, { 'set-cookie': 'x'.repeat(8000) }, 'server_error') },
}
