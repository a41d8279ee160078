import { http, pageText, type Hostile, type HostileResponses } from './hostile.ts'

const raw = (
  writes: readonly (string | Uint8Array)[],
  expected: readonly string[],
  rest: Partial<Hostile> = {},
): Hostile => ({
  send: () => writes,
  expected,
  ...rest,
})
const failed = ['connection'] as const
const late = ['timeout'] as const
const page = pageText({})
const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'
const chunked = `${head}transfer-encoding: chunked\r\n\r\n`
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const open = { stays: true } as const

/** What is on the wire. */
export const framing: HostileResponses = {
  'no response': raw([], late, open),
  'a connection that is closed at once': raw([], failed),
  'a status line only': raw(['HTTP/1.1 200 OK\r\n'], late, open),
  'half of a status line': raw(['HTT'], failed),
  'no HTTP': raw(['SSH-2.0-OpenSSH_9.9\r\n'], failed),
  TLS: raw([Uint8Array.of(0x16, 3, 3, 0, 4, 2, 0, 0, 0)], failed),
  'HTTP/2': raw([Uint8Array.of(0, 0, 0, 4, 0, 0, 0, 0, 0)], failed),
  'HTTP/9.9': raw([`HTTP/9.9 200 OK\r\ncontent-length: ${page.length}\r\n\r\n${page}`], ['connection', 'result']),
  'HTTP/0.9': raw([page], failed),
  'status 0': raw(['HTTP/1.1 0 OK\r\n\r\n'], ['connection', 'http_error', 'invalid_response']),
  'status 1000': raw(['HTTP/1.1 1000 OK\r\n\r\n'], failed),
  'a reason with control codes': raw(['HTTP/1.1 200 \u0007\u001b[2J\r\n\r\n'], ['connection', 'invalid_response']),
  'headers without end': raw([head, 'x-a: b\r\n'], failed, { repeats: true }),
  'one header without end': raw([`${head}x: `, 'y'.repeat(65_536)], failed, { repeats: true }),
  'a header each 100 ms': raw([head, 'x: y\r\n'], late, { repeats: true, pauseMs: 100 }),
  'a header with a zero byte': raw([`${head}x: \0\r\ncontent-length: 2\r\n\r\n{}`], ['connection', 'invalid_response']),
  'a header without a colon': raw([`${head}nothing\r\n\r\n{}`], failed),
  'a header called __proto__': raw(http(page, { __proto__: 'x', constructor: 'y' }), ['result']),
  'informational responses without end': raw(
    ['HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'],
    ['timeout', 'connection'],
    { repeats: true },
  ),
  'Continue without end': raw(['HTTP/1.1 100 Continue\r\n\r\n'], ['timeout', 'connection'], {
    repeats: true,
    pauseMs: 1,
  }),
  'a switch of protocols': raw(
    ['HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
    ['connection', 'http_error', 'timeout'],
    open,
  ),
  'a length that is too large': raw([`${head}content-length: 99999\r\n\r\n${page}`], failed),
  'a length that is too large, connection open': raw([`${head}content-length: 99999\r\n\r\n${page}`], late, open),
  'a length that is too small': raw([`${head}content-length: 10\r\n\r\n${page}`], ['invalid_response', 'connection']),
  'a negative length': raw([`${head}content-length: -1\r\n\r\n${page}`], failed),
  'two lengths': raw([`${head}content-length: 2\r\ncontent-length: 3\r\n\r\n{} `], ['connection', 'invalid_response']),
  'a length of 1e30': raw([`${head}content-length: 1${'0'.repeat(30)}\r\n\r\n{}`], failed),
  'length and chunks': raw(
    [`${chunked.slice(0, -2)}content-length: 2\r\n\r\n${chunk('{}')}0\r\n\r\n`],
    ['connection', 'invalid_response'],
  ),
  'a chunk of unknown size': raw([chunked, 'zz\r\n{}\r\n'], failed),
  'a chunk of 2^80 bytes': raw([chunked, `1${'0'.repeat(20)}\r\n{}`], failed),
  'a chunk with an extension without end': raw([`${chunked}2;x=`, 'y'.repeat(65_536)], ['connection', 'timeout'], {
    repeats: true,
  }),
  'chunks of one byte, 100,000': raw([chunked, chunk(' ').repeat(100_000) + chunk(page), '0\r\n\r\n'], ['result']),
  'chunks without end': raw([chunked, chunk(' '.repeat(65_536))], ['invalid_response', 'connection'], {
    repeats: true,
  }),
  'chunks that stop': raw([chunked, chunk('{"success":')], late, open),
  'chunks that are cut off': raw([chunked, chunk('{"success":')], failed),
  'trailers without end': raw([`${chunked}${chunk(page)}0\r\n`, 'x: y\r\n'], ['connection', 'result'], {
    repeats: true,
  }),
  'a body each 20 ms': raw([`${head}content-length: 9999999\r\n\r\n`, ' '], ['timeout', 'connection'], {
    repeats: true,
    pauseMs: 20,
  }),
  'a body without a length and without end': raw([`${head}\r\n`, ' '.repeat(65_536)], ['invalid_response'], {
    repeats: true,
  }),
  'a second response that nobody asked for': raw(
    [...http(page, { connection: 'keep-alive' }), ...http('{}')],
    ['result', 'connection'],
  ),
  'a connection that breaks after each page': {
    send: ({ page: number }) =>
      http(pageText({ page: number, from: number * 10, limit: 10, total: 100, totalPages: 10 })),
    use: 'iterate',
    expected: ['result'],
  },
}
