import { apiKeyHeader } from '@guild-ledger/sdk/contract'
import { nullBodyStatuses, type Engine, type MockRequest, type MockResponse } from '../http.ts'
import { bodyChunks, BrokenConnection } from './body-chunks.ts'
import { checkSupported, type Adapter } from './unsupported-faults.ts'
import { coreOf } from './core.ts'

/** The `statusText` that Node's server sends with a status. In a browser it is empty, as over HTTP/2. */
export const statusTextOf = (status: number): string =>
  globalThis.process?.getBuiltinModule?.('node:http')?.STATUS_CODES?.[status] ?? ''

/** Nothing else may hold a request that hangs: in Node, one that is collected does not hear of the caller's abort. */
const hanging = new Set<object>()

const untilAbort = async (request: Pick<Request, 'signal'>): Promise<never> => {
  const { signal } = request
  hanging.add(request)
  if (!signal.aborted) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  }
  hanging.delete(request)
  throw signal.reason as Error
}

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

const streamOf = (
  chunks: AsyncIterator<Uint8Array<ArrayBuffer>, void>,
  unreceived: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({
    cancel: unreceived,
    async pull(controller) {
      try {
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        unreceived()
        if (!(error instanceof BrokenConnection)) throw error
        await nextTurn()
        throw terminated()
      }
    },
  })

const byteLength = (text: string): number =>
  globalThis.Buffer?.byteLength(text) ?? new TextEncoder().encode(text).length

/**
 * A response as `fetch` would return it, with its faults.
 *
 * @throws {UnsupportedFaultError} This adapter cannot simulate a fault.
 * @throws {TypeError} The connection breaks.
 * @throws The reason of the request's signal, where that aborts before there is a response.
 */
const toFetchResponse = async (
  response: MockResponse,
  request: Pick<Request, 'method' | 'signal'>,
  engine: Engine,
  adapter: Adapter,
): Promise<Response> => {
  checkSupported(response, adapter)
  const { method, signal } = request
  const { waitFor, unreceived } = coreOf(engine)
  const wait = waitFor(response)
  const { status, headers, body, latencyMs, connectionFault } = response
  const statusText = statusTextOf(status)
  if (latencyMs !== undefined) {
    await wait(latencyMs, signal)
    if (signal.aborted) unreceived(response)
    signal.throwIfAborted()
  }
  if (connectionFault?.kind === 'hang') return untilAbort(request)
  if (connectionFault?.kind === 'reset') throw connectionReset()
  if (method === 'HEAD' || nullBodyStatuses.has(status)) return new Response(null, { status, statusText, headers })
  // As over HTTP. Without it MSW sends in chunks: that takes longer, a truncated body looks complete to some clients, and
  // a client that gives up in the middle of one ends the process by an assertion in Node's fetch.
  const init = { status, statusText, headers: { ...headers, 'content-length': String(byteLength(body)) } }
  // Bytes of ours would be copied; those that the runtime makes of a string are not.
  if (connectionFault === undefined) return new Response(body, init)
  const chunks = bodyChunks(new TextEncoder().encode(body), connectionFault, wait, signal)
  return new Response(
    streamOf(chunks, () => unreceived(response)),
    init,
  )
}

/** Path and query string of an absolute URL, as they are written in it. */
const targetInUrl = (url: string): string => {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  return start < 0 ? '/' : url.slice(start)
}

/**
 * Puts an engine behind `Request` and `Response`. Origin and body of requests are ignored. The promise rejects with a
 * `MockInternalError` where the mock itself fails.
 */
export const createHandle =
  (engine: Engine, adapter: Adapter, sent: Pick<MockRequest, 'unthrottled'> = {}) =>
  async (request: Request): Promise<Response> => {
    const { method, url, headers } = request
    const response = engine.respond({
      ...sent,
      method,
      target: targetInUrl(url),
      apiKey: headers.get(apiKeyHeader),
      intercepted: adapter !== 'mock.fetch',
    })
    return toFetchResponse(response, request, engine, adapter)
  }
