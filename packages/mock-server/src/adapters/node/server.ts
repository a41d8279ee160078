/**
 * A mock ledger behind real HTTP.
 *
 * @module @guild-ledger/mock-server/node
 */
import { apiKeyHeader } from '@guild-ledger/sdk/contract'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Engine, MockResponse } from '../../http.ts'
import { internalErrorResponse, reportInternalError, toInternalError } from '../../internal-error.ts'
import { preflightResponse, withCors } from '../cors.ts'
import { coreOf } from '../core.ts'
import { trackConnections } from './connection-tracker.ts'
import { isLoopback, isLoopbackHost } from './host-names.ts'
import { listen } from './listen.ts'
import {
  checkedServerOptions,
  type MockServer,
  type MockServerOptions,
  type ResponseEvent,
  type Timeouts,
} from './options.ts'
import {
  maxHeadBytes,
  maxTargetBytes,
  protocolErrorOf,
  protocolErrorResponse,
  rejectSocket,
} from './protocol-errors.ts'
import { writeResponse } from './write-response.ts'

export type { MockRequest, Engine, MockResponse } from '../../http.ts'
export type { Routes, MockServer, MockServerOptions, Timeouts, ResponseEvent } from './options.ts'

const defaultTimeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 60_000,
  endedMs: 5000,
  lastRequestMs: 0,
  closeMs: 800,
} as const satisfies Required<Timeouts>

/** How often Node looks for late clients: soon enough for the shortest timeout, seldom enough to cost nothing. */
const checkingInterval = (shortestMs: number) => Math.max(20, Math.min(1000, shortestMs / 4))

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

const createResponder =
  ({ mock, cors = false }: MockServerOptions) =>
  (request: IncomingMessage): MockResponse =>
    cors && request.method === 'OPTIONS' ? preflightResponse : respondTo(mock, request)

/** The response to a request that HTTP does not allow. */
const protocolErrorIn = ({
  url = '/',
  headers,
  rawHeaders,
  httpVersion,
}: IncomingMessage): MockResponse | undefined => {
  if (url.length > maxTargetBytes) return protocolErrorResponse('targetTooLong')
  if (headers.host === undefined) return httpVersion === '1.1' ? protocolErrorResponse('noHost') : undefined
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.toLowerCase() === 'host') hosts++
  return hosts > 1 ? protocolErrorResponse('twoHosts') : undefined
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
  const { mock, port = 0, host = '127.0.0.1', cors = false, onResponse, routes, timeouts } = options
  const { headersMs, requestMs, keepAliveMs, endedMs, lastRequestMs, closeMs } = { ...defaultTimeouts, ...timeouts }
  const server = createServer({
    maxHeaderSize: maxHeadBytes,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: checkingInterval(Math.min(headersMs, requestMs)),
    requireHostHeader: false, // checked here, for a response with a body
  })
  // Without it, late responses to a client that has ended its side are lost. Node's types do not know it.
  Object.assign(server, { httpAllowHalfOpen: true })
  const connections = trackConnections(server, endedMs)
  const responseTo = createResponder(options)
  const { waitFor, unreceived } = coreOf(mock)

  const send = (
    request: IncomingMessage,
    out: ServerResponse,
    response: MockResponse,
    start: number,
    error?: unknown,
  ) => {
    if (onResponse) out.once('close', () => onResponse(eventOf(request, response, performance.now() - start, error)))
    if (response.connectionFault?.kind === 'hang') connections.abandon(out)
    // Only those can lose their client that take their time.
    else if (response.latencyMs !== undefined || response.connectionFault) {
      out.once('close', () => out.writableFinished || unreceived(response))
    }
    return writeResponse(request, out, cors ? withCors(response) : response, waitFor(response))
  }
  /** Whether only this machine is served. */
  let isPrivate = false
  const serve = (request: IncomingMessage, out: ServerResponse, error?: MockResponse): Promise<void> | void => {
    const start = onResponse ? performance.now() : 0
    const protocolError = error ?? protocolErrorIn(request)
    if (protocolError) return send(request, out, protocolError, start)
    if (routes?.owns(requestTarget(request))) {
      return routes.respond(request).then((response) => writeResponse(request, out, response, waitFor(response)))
    }
    // A web page that has its own name resolved to a loopback address (DNS rebinding) still sends that name.
    const isMisdirected = isPrivate && !isLoopbackHost(request.headers.host ?? 'localhost')
    return send(request, out, isMisdirected ? protocolErrorResponse('otherHost') : responseTo(request), start)
  }
  /** A mistake of ours breaks one response, not the server, and does not look like the service. */
  const fail = (request: IncomingMessage, out: ServerResponse, error: unknown) => {
    reportInternalError(error)
    if (out.headersSent || out.destroyed) out.destroy()
    else void send(request, out, internalErrorResponse(error), performance.now(), error)
  }
  const serveOrDestroy = (request: IncomingMessage, out: ServerResponse, error?: MockResponse) => {
    connections.opened(out, () => {
      if (out.destroyed) return
      try {
        serve(request, out, error)?.catch((failure: unknown) => fail(request, out, failure))
      } catch (failure) {
        fail(request, out, failure)
      }
    })
  }
  server.on('request', (request, out) => serveOrDestroy(request, out))
  server.on('checkExpectation', (request, out) => serveOrDestroy(request, out, protocolErrorResponse('expectation')))
  server.on('connect', (_request, socket) => rejectSocket(socket, 'tunnel'))
  server.on('clientError', (error, socket) => {
    const protocolError = protocolErrorOf(error)
    // Within a response an error would look like a part of it; a body that never ends got its response before.
    const hasResponse = protocolError === 'timeout' && (socket as Socket).bytesWritten > 0
    if (hasResponse || !socket.writable) socket.destroy()
    else if (protocolError === 'timeout' && connections.isReceiving(socket)) rejectSocket(socket, protocolError)
    else if (connections.isBusy(socket)) connections.endAfter(socket)
    else rejectSocket(socket, protocolError)
  })

  const { address, family, port: actualPort } = await listen(server, port, host)
  isPrivate = !cors && isLoopback(address)
  let closing: Promise<void> | undefined
  const close = () => (closing ??= connections.close(closeMs, lastRequestMs))
  const hostname = family === 'IPv6' ? `[${address}]` : address
  return { url: `http://${hostname}:${actualPort}`, port: actualPort, close, [Symbol.asyncDispose]: close }
}
