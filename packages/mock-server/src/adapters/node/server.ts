/**
 * A mock ledger behind real HTTP.
 *
 * @module @guild-ledger/mock-server/node
 */
import { apiKeyHeader } from '@guild-ledger/sdk/contract'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { formatErrorBody, type Engine, type MockResponse } from '../../http.ts'
import { internalErrorResponse, reportInternalError, toInternalError } from '../../internal-error.ts'
import { preflightResponse, withCors } from '../cors.ts'
import { coreOf } from '../core.ts'
import { isLoopback, isLoopbackHost } from './host-names.ts'
import { listen } from './listen.ts'
import { checkedServerOptions, type MockServer, type MockServerOptions, type ResponseEvent } from './options.ts'
import { writeResponse } from './write-response.ts'

export type { MockRequest, Engine, MockResponse } from '../../http.ts'
export type { Routes, MockServer, MockServerOptions, ResponseEvent } from './options.ts'

// Node's own limit is half of it.
const maxHeaderSize = 32_768
// Clients that wait between two tests keep their connections.
const keepAliveTimeout = 60_000

/** Origin-form is what clients send; absolute-form is what they send to a proxy. */
const requestTarget = ({ url = '/' }: IncomingMessage): string =>
  url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '')

const respondTo = (mock: Engine, request: IncomingMessage): MockResponse => {
  const { method = 'GET', headers, socket } = request
  const key = headers[apiKeyHeader]
  return mock.respond({
    method,
    target: requestTarget(request),
    apiKey: typeof key === 'string' ? key : null,
    address: socket.remoteAddress,
  })
}

/** A web page that has its own name resolved to a loopback address (DNS rebinding) still sends that name. */
const otherHost: MockResponse = {
  status: 421,
  headers: { 'content-type': 'application/json', connection: 'close' },
  body: formatErrorBody(
    'The host header must be localhost or a loopback address, unless the server is started with cors',
  ),
  rejectedBy: 'http',
}

const eventOf = (
  { method = 'GET', url = '/' }: IncomingMessage,
  { status, rejectedBy, keyName, faults }: MockResponse,
  durationMs: number,
  error?: unknown,
): ResponseEvent => ({
  method,
  target: url,
  status,
  durationMs,
  ...(rejectedBy && { rejectedBy }),
  ...(keyName !== undefined && { keyName }),
  ...(faults && { faults }),
  ...(error !== undefined && { error: toInternalError(error).message }),
})

/**
 * Serves a mock ledger over HTTP.
 *
 * @throws {TypeError} An option is unknown or not allowed.
 * @throws {Error} Listening failed; `code` is that of the system, such as `EADDRINUSE`.
 */
export const startMockServer = async (given: MockServerOptions): Promise<MockServer> => {
  const options = checkedServerOptions(given)
  const { mock, port = 0, host = '127.0.0.1', cors = false, onResponse, routes, closeMs = 800 } = options
  const server = createServer({ maxHeaderSize, keepAliveTimeout })
  const { waitFor, unreceived } = coreOf(mock)
  /**
   * What nobody waits for when the server is closed: responses that never come, and connections without a request. Node's
   * fetch opens one in place of each that it gives up, and Node's server leaves them open.
   */
  const abandoned = new Set<Socket | ServerResponse>()
  const abandon = (one: Socket | ServerResponse) => {
    abandoned.add(one)
    one.once('close', () => abandoned.delete(one))
  }
  server.on('connection', abandon)

  const send = (
    request: IncomingMessage,
    out: ServerResponse,
    response: MockResponse,
    start: number,
    error?: unknown,
  ) => {
    if (onResponse) out.once('close', () => onResponse(eventOf(request, response, performance.now() - start, error)))
    if (response.connectionFault?.kind === 'hang') abandon(out)
    else if (response.latencyMs !== undefined || response.connectionFault) {
      // Only those can lose their client that take their time.
      out.once('close', () => out.writableFinished || unreceived(response))
    }
    return writeResponse(out, cors ? withCors(response) : response, waitFor(response))
  }
  /** Whether only this machine is served. */
  let isPrivate = false
  const serve = (request: IncomingMessage, out: ServerResponse): Promise<void> | void => {
    const start = onResponse ? performance.now() : 0
    if (routes?.owns(requestTarget(request))) {
      return routes.respond(request).then((response) => writeResponse(out, response, waitFor(response)))
    }
    const isMisdirected = isPrivate && !isLoopbackHost(request.headers.host ?? 'localhost')
    const isPreflight = cors && request.method === 'OPTIONS'
    const response = isMisdirected ? otherHost : isPreflight ? preflightResponse : respondTo(mock, request)
    return send(request, out, response, start)
  }
  /** A mistake of ours breaks one response, not the server, and does not look like the service. */
  const fail = (request: IncomingMessage, out: ServerResponse, error: unknown) => {
    reportInternalError(error)
    if (out.headersSent || out.destroyed) out.destroy()
    else void send(request, out, internalErrorResponse(error), performance.now(), error)
  }
  let closing: Promise<void> | undefined
  server.on('request', (request, out) => {
    abandoned.delete(request.socket)
    out.once('close', () => closing && server.closeIdleConnections())
    try {
      serve(request, out)?.catch((failure: unknown) => fail(request, out, failure))
    } catch (failure) {
      fail(request, out, failure)
    }
  })

  const { address, family, port: actualPort } = await listen(server, port, host)
  isPrivate = !cors && isLoopback(address)
  const closeServer = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(() => server.closeAllConnections(), closeMs)
      server.close(() => {
        clearTimeout(timer)
        resolve()
      })
      for (const one of abandoned) one.destroy()
    })
  const close = () => (closing ??= closeServer())
  const hostname = family === 'IPv6' ? `[${address}]` : address
  return { url: `http://${hostname}:${actualPort}`, port: actualPort, close, [Symbol.asyncDispose]: close }
}
