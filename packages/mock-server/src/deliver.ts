import { checkShown, cutAt, nullBody, type Door, type Ending, type Story } from './faults/index.ts'

/** Waits so many milliseconds, or until the signal aborts; it never rejects. */
export type Wait = (ms: number, signal?: AbortSignal) => Promise<void>

/** An HTTP reply. For HEAD it has the body of GET, which the carrier leaves out. */
export interface Reply extends Story {
  /** HTTP status. */
  readonly status: number
  /** Headers, by names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body as text. */
  readonly body: string
  /** Milliseconds to wait before anything is sent: a simulated failure. */
  readonly latencyMs?: number
  /** How the connection misbehaves: a simulated failure. */
  readonly ending?: Ending
}

/** Waits by timers that are looked up when they are needed, so that fake ones work. */
export const waitByTimer: Wait = async (ms, signal) => {
  if (signal?.aborted) return
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    const fail = () => reject(signal.reason as Error)
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })

/** Errors as Node's fetch words them. */
const connectionReset = () =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) })
const terminated = () =>
  new TypeError('terminated', { cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }) })

// MSW in Node drops what is written in the same turn as an error, the status line too.
const nextTurn = () =>
  new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(null)
  })

const cutShort = (bytes: Uint8Array<ArrayBuffer>): ReadableStream => {
  let sent = bytes.length === 0
  return new ReadableStream({
    async pull(controller) {
      if (!sent) controller.enqueue(bytes)
      else {
        await nextTurn()
        controller.error(terminated())
      }
      sent = true
    },
  })
}

const inPieces = (
  bytes: Uint8Array<ArrayBuffer>,
  ending: Ending & { kind: 'slow-body' },
  wait: Wait,
  to: AbortSignal,
) => {
  let at = 0
  return new ReadableStream({
    async pull(controller) {
      if (at > 0) await wait(ending.intervalMs, to)
      if (to.aborted) return controller.error(to.reason)
      controller.enqueue(bytes.subarray(at, at + ending.chunkBytes))
      at += ending.chunkBytes
      if (at >= bytes.length) controller.close()
    },
  })
}

const byteLength = (text: string): number =>
  globalThis.Buffer?.byteLength(text) ?? new TextEncoder().encode(text).length

/**
 * A reply as `fetch` would hand it over, with the failures it is to show.
 *
 * @throws {FaultNotShownError} This door cannot show the failure.
 * @throws {TypeError} The connection breaks, or the reply never comes and the signal aborts (then its reason is thrown).
 */
export const deliver = async (reply: Reply, { method, signal }: Request, wait: Wait, door: Door): Promise<Response> => {
  checkShown(reply, door)
  const { status, headers, body, latencyMs, ending } = reply
  if (latencyMs !== undefined) await wait(latencyMs, signal)
  if (latencyMs !== undefined) signal.throwIfAborted()
  if (ending?.kind === 'hang') return aborted(signal)
  if (ending?.kind === 'reset') throw connectionReset()
  if (method === 'HEAD' || nullBody.has(status)) return new Response(null, { status, headers })
  // As over HTTP. Without it MSW sends in chunks: that takes longer, a body cut short looks whole to some clients, and a
  // client that gives up in the middle of one ends the process by an assertion in Node's fetch.
  const init = { status, headers: { ...headers, 'content-length': String(byteLength(body)) } }
  // Bytes of ours would be copied; those that the runtime makes of a text are not.
  if (ending === undefined) return new Response(body, init)
  const bytes = new TextEncoder().encode(body)
  if (ending.kind === 'slow-body') return new Response(inPieces(bytes, ending, wait, signal), init)
  return new Response(cutShort(bytes.subarray(0, cutAt(bytes.length, ending.bytes))), init)
}
