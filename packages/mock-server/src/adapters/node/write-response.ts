import type { ServerResponse } from 'node:http'
import type { BodyFault, MockResponse, Wait } from '../../http.ts'
import { bodyChunks, BrokenConnection } from '../body-chunks.ts'

/** Statuses whose responses have neither a body nor its length. */
const lengthlessStatuses = new Set([204, 205])

const closeSignalOf = (out: ServerResponse): AbortSignal => {
  const closed = new AbortController()
  if (out.closed || out.destroyed) closed.abort()
  else out.once('close', () => closed.abort())
  return closed.signal
}

const headersOf = ({ status, headers }: MockResponse, length: number) => ({
  ...headers,
  ...(!lengthlessStatuses.has(status) && { 'content-length': length }),
})

/** A response without a connection fault. As a string, not as bytes: Node sends that in one piece with the head. */
const writeWhole = (out: ServerResponse, response: MockResponse): void => {
  const { status, body } = response
  out.writeHead(status, headersOf(response, Buffer.byteLength(body))).end(body)
}

const writeChunks = async (
  out: ServerResponse,
  response: MockResponse,
  fault: BodyFault,
  wait: Wait,
  closed: AbortSignal,
): Promise<void> => {
  const body = Buffer.from(response.body)
  out.writeHead(response.status, headersOf(response, body.length))
  try {
    for await (const chunk of bodyChunks(body, fault, wait, closed)) out.write(chunk)
    out.end()
  } catch (error) {
    if (closed.aborted) return
    if (!(error instanceof BrokenConnection)) throw error
    // The client must have read what was sent before it meets the end, so this is no reset.
    out.write('', () => out.socket?.destroySoon())
  }
}

const writeWithFaults = async (out: ServerResponse, response: MockResponse, wait: Wait): Promise<void> => {
  const { latencyMs, connectionFault } = response
  const closed = closeSignalOf(out)
  if (latencyMs !== undefined) await wait(latencyMs, closed)
  if (closed.aborted || connectionFault?.kind === 'hang') return
  if (connectionFault?.kind === 'reset') out.socket?.resetAndDestroy()
  else if (connectionFault) await writeChunks(out, response, connectionFault, wait, closed)
  else writeWhole(out, response)
}

/** Writes a response. Most have no fault and are written synchronously, without watching the client. */
export const writeResponse = (out: ServerResponse, response: MockResponse, wait: Wait): Promise<void> | void =>
  response.latencyMs === undefined && response.connectionFault === undefined
    ? writeWhole(out, response)
    : writeWithFaults(out, response, wait)
