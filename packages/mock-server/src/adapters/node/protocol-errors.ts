import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { formatErrorBody, type MockResponse } from '../../http.ts'

/** Longest path and query string accepted, in bytes. */
export const maxTargetBytes = 8192
/** Longest request line with all headers accepted, in bytes. */
export const maxHeadBytes = 32_768

/** What HTTP itself rejects, in the error body of the service. */
const protocolErrors = {
  notHttp: [400, 'The request is not valid HTTP'],
  noHost: [400, 'The request has no host header, which HTTP/1.1 requires'],
  twoHosts: [400, 'The request has more than one host header'],
  tunnel: [405, 'Method not allowed: use GET'],
  timeout: [408, 'The request took too long to arrive'],
  targetTooLong: [414, `The path and query string are longer than ${maxTargetBytes} bytes`],
  expectation: [417, 'The expect header is something other than 100-continue'],
  otherHost: [421, 'The host header must be localhost or a loopback address, unless the server is started with cors'],
  headTooLarge: [431, `The request line and headers are larger than ${maxHeadBytes} bytes`],
} as const satisfies Record<string, readonly [status: number, message: string]>

/** Why a request is rejected before it reaches the service. */
export type ProtocolError = keyof typeof protocolErrors

const byParserCode: Readonly<Record<string, ProtocolError>> = {
  HPE_HEADER_OVERFLOW: 'headTooLarge',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'headTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'timeout',
}

/** The error response to a request that Node could parse. The connection ends with it. */
export const protocolErrorResponse = (error: ProtocolError): MockResponse => {
  const [status, message] = protocolErrors[error]
  const headers = { 'content-type': 'application/json', connection: 'close' }
  return { status, headers, body: formatErrorBody(message), rejectedBy: 'http' }
}

// How long a rejected connection may take to close, in milliseconds.
const closeTimeoutMs = 500

/** Writes an error response on a socket whose request Node could not parse, as far as the client listens, and ends it. */
export const rejectSocket = (socket: Duplex, error: ProtocolError): void => {
  // Node hands a tunnel over without a listener: a client that breaks it would end the process.
  socket.on('error', () => socket.destroy())
  if (!socket.writable) return void socket.destroy()
  const [status, message] = protocolErrors[error]
  const body = formatErrorBody(message)
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n`
  const allow = status === 405 ? 'allow: GET, HEAD\r\n' : ''
  socket.end(`${head}${allow}connection: close\r\n\r\n${body}`)
  // What still arrives is read and discarded: unread, it would turn the end into a reset and the response might be lost.
  socket.resume()
  setTimeout(() => socket.destroy(), closeTimeoutMs).unref()
}

/** The protocol error that an error of Node's HTTP parser stands for. */
export const protocolErrorOf = ({ code = '' }: NodeJS.ErrnoException): ProtocolError => byParserCode[code] ?? 'notHttp'
