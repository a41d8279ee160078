import { apiKeyHeader } from '@guild-ledger/sdk/contract'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Wait } from '../deliver.ts'
import type { Engine, Reply } from '../engine.ts'
import { cutAt } from '../faults/index.ts'
import { asksForGzip, compress, worthGzip } from './gzip.ts'

/** Origin-form is what clients send; absolute-form is what they send to a proxy. */
export const targetOf = (url: string): string => (url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, ''))

type Write = (
  out: ServerResponse,
  bytes: Uint8Array,
  reply: Reply,
  wait: Wait,
  gone: AbortSignal,
) => Promise<void> | void

const drained = (out: ServerResponse, gone: AbortSignal) =>
  new Promise<void>((resolve) => {
    out.once('drain', resolve)
    gone.addEventListener('abort', () => resolve(), { once: true })
  })

const inPieces: Write = async (out, bytes, { ending }, wait, gone) => {
  if (ending?.kind !== 'slow-body') return
  for (let at = 0; at < bytes.length && !gone.aborted; at += ending.chunkBytes) {
    if (at > 0) await wait(ending.intervalMs, gone)
    if (!out.write(bytes.subarray(at, at + ending.chunkBytes)) && !gone.aborted) await drained(out, gone)
  }
  out.end()
}

const cutShort: Write = (out, bytes, { ending }) => {
  if (ending?.kind !== 'truncate') return
  // The client must have read what is sent before it meets the end, so no reset here.
  out.write(bytes.subarray(0, cutAt(bytes.length, ending.bytes)), () => out.socket?.destroySoon())
}

const whole: Write = (out, bytes) => void out.end(bytes)

const writers: Readonly<Record<NonNullable<Reply['ending']>['kind'] | 'whole', Write>> = {
  hang: () => {},
  reset: (out) => void out.socket?.resetAndDestroy(),
  truncate: cutShort,
  'slow-body': inPieces,
  whole,
}

/** Statuses that have neither a body nor its length. */
const bodiless = new Set([204, 205])

const endOf = (out: ServerResponse): AbortSignal => {
  const gone = new AbortController()
  if (out.closed || out.destroyed) gone.abort()
  else out.once('close', () => gone.abort())
  return gone.signal
}

/** Writes a reply, compressed where the client asks for it and nothing is to go wrong on the way. */
export const write = async (asked: IncomingMessage, out: ServerResponse, reply: Reply, wait: Wait): Promise<void> => {
  const { status, headers, body, latencyMs, ending } = reply
  const kind = ending?.kind ?? 'whole'
  // Most replies are whole and at once: for those nobody needs to watch the client.
  const gone = latencyMs === undefined && kind === 'whole' ? new AbortController().signal : endOf(out)
  if (latencyMs !== undefined) await wait(latencyMs, gone)
  if (gone.aborted) return
  let bytes: Uint8Array = Buffer.from(body)
  if (kind !== 'hang' && kind !== 'reset') {
    const zip = ending === undefined && worthGzip(bytes) && headers['content-encoding'] === undefined
    const zipped = zip && asksForGzip(asked.headers['accept-encoding'])
    if (zipped) bytes = await compress(bytes)
    out.writeHead(status, {
      ...headers,
      ...(zip && { vary: 'accept-encoding' }),
      ...(zipped && { 'content-encoding': 'gzip' }),
      ...(!bodiless.has(status) && { 'content-length': bytes.length }),
    })
  }
  await writers[kind](out, bytes, reply, wait, gone)
}

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
