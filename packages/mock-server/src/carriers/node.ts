/**
 * A mock ledger behind real HTTP.
 *
 * @module @guild-ledger/mock-server/node
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Reply } from '../engine.ts'
import { corsHeaders, isOptions, preflightHeaders } from './cors.ts'
import { listen } from './listen.ts'
import { maxHeadBytes, maxTargetBytes, reasonOf, refusalOf, refuseSocket } from './not-http.ts'
import { trackRequests } from './open-requests.ts'
import { replyOf, targetOf, write } from './respond.ts'
import type { MockServer, MockServerOptions, Patience } from './server-options.ts'

export type { Asked, Engine, Reply } from '../engine.ts'
export type { Beside, MockServer, MockServerOptions, Patience, Served } from './server-options.ts'

const patient = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 60_000,
  endedMs: 5000,
  closeMs: 800,
} as const satisfies Required<Patience>

/** Late clients are looked for this often: soon enough for the shortest wait, seldom enough to cost nothing. */
const checkingInterval = (shortestMs: number) => Math.max(20, Math.min(1000, shortestMs / 4))

const preflight: Reply = { status: 204, headers: preflightHeaders, body: '' }

const withCors = (reply: Reply): Reply => ({ ...reply, headers: { ...reply.headers, ...corsHeaders } })

/** What HTTP itself has against a request. */
const unfit = ({ url = '/', headers, httpVersion }: IncomingMessage): Reply | undefined => {
  if (url.length > maxTargetBytes) return refusalOf('targetTooLong')
  return headers.host === undefined && httpVersion === '1.1' ? refusalOf('noHost') : undefined
}

const answering = ({ mock, cors = false }: MockServerOptions) =>
  cors
    ? (asked: IncomingMessage) => (isOptions(asked) ? preflight : withCors(replyOf(mock, asked)))
    : (asked: IncomingMessage) => replyOf(mock, asked)

/** Tells of a request once its reply is out. */
const tell = (asked: IncomingMessage, out: ServerResponse, reply: Reply, start: number, options: MockServerOptions) => {
  const { method = 'GET', url = '/' } = asked
  const { refusedBy, keyName, faults } = reply
  out.once('close', () =>
    options.onServed?.({
      method,
      target: url,
      status: reply.status,
      durationMs: performance.now() - start,
      ...(refusedBy && { refusedBy }),
      ...(keyName !== undefined && { keyName }),
      ...(faults && { faults }),
    }),
  )
}

/**
 * Serves a mock ledger over HTTP.
 *
 * @throws {RangeError} `port` is not one.
 * @throws {Error} The address can not be listened on; `code` is that of the system, such as `EADDRINUSE`.
 */
export const startMockServer = async (options: MockServerOptions): Promise<MockServer> => {
  const { mock, port = 0, host = '127.0.0.1', onServed, beside, patience } = options
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new RangeError(`port must be a whole number from 0 to 65535, not ${port}.`)
  }
  const { headersMs, requestMs, keepAliveMs, endedMs, closeMs } = { ...patient, ...patience }
  const server = createServer({
    maxHeaderSize: maxHeadBytes,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: checkingInterval(Math.min(headersMs, requestMs)),
    requireHostHeader: false, // refused below, with a body
  })
  // Without it, late replies to a client that has ended its side are lost. Node's types do not know it.
  Object.assign(server, { httpAllowHalfOpen: true })
  const requests = trackRequests(server, endedMs)
  const answer = answering(options)
  const send = (asked: IncomingMessage, out: ServerResponse, reply: Reply, start: number) => {
    if (onServed) tell(asked, out, reply, start, options)
    if (reply.ending?.kind === 'hang') requests.abandon(out)
    return write(asked, out, reply, mock.wait)
  }
  const serve = (asked: IncomingMessage, out: ServerResponse, refusal?: Reply): Promise<void> | void => {
    const start = onServed ? performance.now() : 0
    const unfitFor = refusal ?? unfit(asked)
    if (unfitFor) return send(asked, out, unfitFor, start)
    if (!beside?.owns(targetOf(asked.url ?? '/'))) return send(asked, out, answer(asked), start)
    return beside.answer(asked).then((reply) => write(asked, out, reply, mock.wait))
  }
  const serveOrBreak = (asked: IncomingMessage, out: ServerResponse, refusal?: Reply) => {
    requests.opened(out)
    // A mistake of ours breaks one connection, not the server.
    const destroy = () => void out.destroy()
    try {
      serve(asked, out, refusal)?.catch(destroy)
    } catch {
      destroy()
    }
  }
  server.on('request', (asked, out) => serveOrBreak(asked, out))
  server.on('checkExpectation', (asked, out) => serveOrBreak(asked, out, refusalOf('noExpectation')))
  server.on('connect', (_asked, socket) => refuseSocket(socket, 'noTunnel'))
  server.on('clientError', (error, socket) => {
    const reason = reasonOf(error)
    // In the middle of a reply a refusal would look like a part of it; a body that never ends was answered before.
    const answered = reason === 'tooSlow' && (socket as Socket).bytesWritten > 0
    if (answered || !socket.writable) socket.destroy()
    else if (requests.busy(socket)) requests.endAfter(socket)
    else refuseSocket(socket, reason)
  })
  const address = await listen(server, port, host)
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= requests.end(closeMs)
    return closing
  }
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return { url: `http://${shown}:${address.port}`, port: address.port, close, [Symbol.asyncDispose]: close }
}
