import { request, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { buffer, text } from 'node:stream/consumers'

export const list = '/guild/ledger/transactions'

export interface RawReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A request that adds no header of its own but host, and takes the body as it comes. */
export const ask = (
  { port }: { readonly port: number },
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
  body = '',
): Promise<RawReply> =>
  new Promise((resolve, reject) => {
    // Node sends the body of a DELETE without its length.
    const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const all = { ...headers, ...length }
    const asked = request({ host: '127.0.0.1', port, path, method, headers: all, agent: false }, (reply) => {
      buffer(reply).then(
        (bytes) => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: bytes }),
        reject,
      )
    })
    asked.once('error', reject)
    asked.end(body)
  })

/** Sends text as it is, says that this was all, and reads to the end. */
export const rawReply = async (port: number, sent: string): Promise<string> => {
  const socket = connect(port, '127.0.0.1')
  socket.end(sent)
  return text(socket)
}
