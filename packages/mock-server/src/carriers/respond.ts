import { apiKeyHeader } from '@guild-ledger/sdk/contract'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Wait } from '../deliver.ts'
import type { Engine, Reply } from '../engine.ts'
import { cutAt, type Ending } from '../faults/index.ts'
import { asksForGzip, compress, worthGzip } from './gzip.ts'

/** Origin-form is what clients send; absolute-form is what they send to a proxy. */
export const targetOf = (url: string): string => (url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, ''))

type Write<Kind extends Ending['kind']> = (
  out: ServerResponse,
  bytes: Uint8Array,
  ending: Extract<Ending, { readonly kind: Kind }>,
  wait: Wait,
  gone: AbortSignal,
) => Promise<void> | void

const drained = (out: ServerResponse, gone: AbortSignal) =>
  new Promise<void>((resolve) => {
    out.once('drain', resolve)
    gone.addEventListener('abort', () => resolve(), { once: true })
  })

const inPieces: Write<'slow-body'> = async (out, bytes, { chunkBytes, intervalMs }, wait, gone) => {
  for (let at = 0; at < bytes.length && !gone.aborted; at += chunkBytes) {
    if (at > 0) await wait(intervalMs, gone)
    if (!out.write(bytes.subarray(at, at + chunkBytes)) && !gone.aborted) await drained(out, gone)
  }
  out.end()
}

const cutShort: Write<'truncate'> = (out, body, { bytes }) => {
  // The client must have read what is sent before it meets the end, so no reset here.
  out.write(body.subarray(0, cutAt(body.length, bytes)), () => out.socket?.destroySoon())
}

const writers: { readonly [Kind in Ending['kind']]: Write<Kind> } = {
  hang: () => {},
  reset: (out) => void out.socket?.resetAndDestroy(),
  truncate: cutShort,
  'slow-body': inPieces,
}

/** Statuses that have neither a body nor its length. */
const bodiless = new Set([204, 205])

const endOf = (out: ServerResponse): AbortSignal => {
  const gone = new AbortController()
  if (out.closed || out.destroyed) gone.abort()
  else out.once('close', () => gone.abort())
  return gone.signal
}

const headersOf = ({ status, headers }: Reply, length: number, zip: boolean, zipped: boolean) => ({
  ...headers,
  ...(zip && { vary: 'accept-encoding' }),
  ...(zipped && { 'content-encoding': 'gzip' }),
  ...(!bodiless.has(status) && { 'content-length': length }),
})

const writeZipped = async (out: ServerResponse, reply: Reply): Promise<void> => {
  const bytes = await compress(Buffer.from(reply.body))
  out.writeHead(reply.status, headersOf(reply, bytes.length, true, true)).end(bytes)
}

/** A reply with nothing to go wrong on the way, compressed where the client asks for it. */
const writeWhole = (asked: IncomingMessage, out: ServerResponse, reply: Reply): Promise<void> | void => {
  const { status, headers, body } = reply
  const length = Buffer.byteLength(body)
  const zip = worthGzip(length) && headers['content-encoding'] === undefined
  if (zip && asksForGzip(asked.headers['accept-encoding'])) return writeZipped(out, reply)
  // As text, not as bytes: Node sends that in one piece with the head, which takes half the time.
  out.writeHead(status, headersOf(reply, length, zip, false)).end(body)
}

/** A reply that goes wrong on its way. */
const writeSpoilt = async (out: ServerResponse, reply: Reply, ending: Ending, wait: Wait, gone: AbortSignal) => {
  const { kind } = ending
  const bytes = Buffer.from(reply.body)
  if (kind !== 'hang' && kind !== 'reset') out.writeHead(reply.status, headersOf(reply, bytes.length, false, false))
  const spoil = writers[kind] as Write<Ending['kind']>
  await spoil(out, bytes, ending, wait, gone)
}

const writeLate = async (asked: IncomingMessage, out: ServerResponse, reply: Reply, wait: Wait): Promise<void> => {
  const { latencyMs, ending } = reply
  const gone = endOf(out)
  if (latencyMs !== undefined) await wait(latencyMs, gone)
  if (gone.aborted) return
  await (ending === undefined ? writeWhole(asked, out, reply) : writeSpoilt(out, reply, ending, wait, gone))
}

/** Writes a reply: most are whole and written at once, and for those nobody needs to wait or to watch the client. */
export const write = (asked: IncomingMessage, out: ServerResponse, reply: Reply, wait: Wait): Promise<void> | void =>
  reply.latencyMs === undefined && reply.ending === undefined
    ? writeWhole(asked, out, reply)
    : writeLate(asked, out, reply, wait)

/** Asks the engine. */
export const replyOf = (mock: Pick<Engine, 'answer'>, asked: IncomingMessage): Reply => {
  const key = asked.headers[apiKeyHeader]
  return mock.answer({
    method: asked.method ?? 'GET',
    target: targetOf(asked.url ?? '/'),
    apiKey: typeof key === 'string' ? key : null,
    address: asked.socket.remoteAddress,
  })
}
