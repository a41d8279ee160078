import { apiKeyHeader } from '@guild-ledger/sdk/contract'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Wait } from '../deliver.ts'
import type { Engine, Reply } from '../engine.ts'
import { cutAt } from '../faults/index.ts'

/** Origin-form is what clients send; absolute-form is what they send to a proxy. */
const targetOf = (url: string): string => (url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, ''))

type Write = (out: ServerResponse, bytes: Buffer, reply: Reply, wait: Wait) => Promise<void> | void

const inPieces: Write = async (out, bytes, { ending }, wait) => {
  if (ending?.kind !== 'slow-body') return
  const gone = new AbortController()
  out.once('close', () => gone.abort())
  for (let at = 0; at < bytes.length && !gone.signal.aborted; at += ending.chunkBytes) {
    if (at > 0) await wait(ending.intervalMs, gone.signal)
    out.write(bytes.subarray(at, at + ending.chunkBytes))
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

/** Asks the engine, and writes what it says as it is to be written. */
export const respond = async (
  mock: Pick<Engine, 'answer' | 'wait'>,
  asked: IncomingMessage,
  out: ServerResponse,
): Promise<void> => {
  const key = asked.headers[apiKeyHeader]
  const reply = mock.answer({
    method: asked.method ?? 'GET',
    target: targetOf(asked.url ?? '/'),
    apiKey: typeof key === 'string' ? key : null,
    address: asked.socket.remoteAddress,
  })
  const { status, headers, body, latencyMs, ending } = reply
  if (latencyMs !== undefined) await mock.wait(latencyMs)
  const kind = ending?.kind ?? 'whole'
  const bytes = Buffer.from(body)
  if (kind !== 'hang' && kind !== 'reset') out.writeHead(status, { ...headers, 'content-length': bytes.length })
  await writers[kind](out, bytes, reply, mock.wait)
}
