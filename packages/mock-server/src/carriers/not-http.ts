import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Reply } from '../engine.ts'

/** Largest path and query string that is looked at, in bytes. */
export const maxTargetBytes = 8192
/** Largest request line with all headers, in bytes. */
export const maxHeadBytes = 32_768

type Refusal = readonly [status: number, message: string]

/** What HTTP itself refuses, in the error body of the service. */
const transportRefusals = {
  notHttp: [400, 'The request is not valid HTTP'],
  noHost: [400, 'The request has no host header, which HTTP/1.1 asks for'],
  noTunnel: [405, 'Method not allowed: both operations are asked with GET'],
  tooSlow: [408, 'The request took too long to arrive'],
  targetTooLong: [414, `The path and query string are longer than ${maxTargetBytes} bytes`],
  noExpectation: [417, 'The expect header asks for something other than 100-continue'],
  headTooLarge: [431, `The request line and headers are larger than ${maxHeadBytes} bytes`],
} as const satisfies Record<string, Refusal>

/** Why a request is refused before it reached the service. */
export type TransportRefusal = keyof typeof transportRefusals

const bodyOf = (message: string) => JSON.stringify({ success: false, message })

const reasons: Readonly<Record<string, TransportRefusal>> = {
  HPE_HEADER_OVERFLOW: 'headTooLarge',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'headTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'tooSlow',
}

/** Refuses a request that was understood, and keeps no connection for what may follow it. */
export const refusalOf = (reason: TransportRefusal): Reply => {
  const [status, message] = transportRefusals[reason]
  const headers = { 'content-type': 'application/json', connection: 'close' }
  return { status, headers, body: bodyOf(message), refusedBy: 'http' }
}

// How long a connection that was refused may take to go away, in milliseconds.
const lingerMs = 500

/** Refuses what is no request, as far as anyone still listens, and ends the connection. */
export const refuseSocket = (socket: Duplex, reason: TransportRefusal): void => {
  // Node hands a tunnel over without a listener: a client that breaks it would end the process.
  socket.on('error', () => socket.destroy())
  if (!socket.writable) return void socket.destroy()
  const [status, message] = transportRefusals[reason]
  const body = bodyOf(message)
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n`
  const allow = status === 405 ? 'allow: GET, HEAD\r\n' : ''
  socket.end(`${head}${allow}connection: close\r\n\r\n${body}`)
  // What is still on its way is thrown away: unread, it would turn the end into a reset and the refusal might be lost.
  socket.resume()
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

/** Which refusal an error of Node's HTTP parser calls for. */
export const reasonOf = ({ code = '' }: NodeJS.ErrnoException): TransportRefusal => reasons[code] ?? 'notHttp'
