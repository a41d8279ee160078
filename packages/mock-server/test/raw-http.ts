import { request, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { buffer, text } from 'node:stream/consumers'

export { listAll as list } from '@guild-ledger/test-kit'

export interface RawResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A request that adds no header of its own but host, and takes the body as it comes. */
export const sendRequest = (
  { port }: { readonly port: number },
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
  body = '',
): Promise<RawResponse> =>
  new Promise((resolve, reject) => {
    // Node sends the body of a DELETE without its length.
    const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const all = { ...headers, ...length }
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers: all, agent: false }, (response) => {
      buffer(response).then(
        (bytes) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: bytes }),
        reject,
      )
    })
    outgoing.once('error', reject)
    outgoing.end(body)
  })

/** Sends text as it is, ends its side of the connection, and reads to the end. */
export const sendRaw = async (port: number, sent: string): Promise<string> => {
  const socket = connect(port, '127.0.0.1')
  socket.end(sent)
  return text(socket)
}
