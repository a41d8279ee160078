import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Engine } from '../engine.ts'
import { respond } from './respond.ts'

export type { Asked, Engine, Reply } from '../engine.ts'

/** One request that was answered, for a log. It holds nothing of the key. */
export interface Served {
  readonly method: string
  /** Path and query string, as sent. */
  readonly target: string
  readonly status: number
  /** From the headers of the request to the end of the reply. */
  readonly durationMs: number
}

/** Where and what to serve. */
export interface MockServerOptions {
  /** What answers: a mock ledger. */
  readonly mock: Pick<Engine, 'answer' | 'wait'>
  /**
   * Port to listen on; 0 for a free one.
   *
   * @default 0
   */
  readonly port?: number
  /**
   * Address to listen on. Anything but loopback opens the mock to the network.
   *
   * @default '127.0.0.1'
   */
  readonly host?: string
  /** Told of each request when its reply is out. */
  readonly onServed?: (served: Served) => void
}

/** A mock ledger behind real HTTP. With `await using` it closes by itself. */
export interface MockServer extends AsyncDisposable {
  /** Base URL, without a slash at the end. */
  readonly url: string
  readonly port: number
  /** Ends open connections and frees the port. Calling it again does no harm. */
  close(): Promise<void>
}

const listen = (server: Server, port: number, host: string) =>
  new Promise<AddressInfo>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve(server.address() as AddressInfo)
    })
  })

const whyNot: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is already in use; choose another, or 0 for a free one',
  EACCES: 'this needs more rights; choose one above 1023, or 0 for a free one',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such host',
}

const badRequest = '{"success":false,"message":"The request is not valid HTTP"}'
const rawBadRequest = `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: ${badRequest.length}\r\nconnection: close\r\n\r\n${badRequest}`

/**
 * Serves a mock ledger over HTTP.
 *
 * @throws {RangeError} `port` is not one.
 * @throws {Error} The address can not be listened on; `code` is that of the system, such as `EADDRINUSE`.
 */
export const startMockServer = async (options: MockServerOptions): Promise<MockServer> => {
  const { mock, port = 0, host = '127.0.0.1', onServed } = options
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new RangeError(`port must be a whole number from 0 to 65535, not ${port}.`)
  }
  const server = createServer((asked, out) => {
    const start = performance.now()
    if (onServed) {
      out.once('close', () => {
        const { method = 'GET', url = '/' } = asked
        onServed({ method, target: url, status: out.statusCode, durationMs: performance.now() - start })
      })
    }
    // A mistake of ours breaks one connection, not the server.
    respond(mock, asked, out).catch(() => out.destroy())
  })
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end(rawBadRequest)
  })
  const address = await listen(server, port, host).catch((error: NodeJS.ErrnoException) => {
    const reason = whyNot[error.code ?? ''] ?? error.message
    throw Object.assign(new Error(`Cannot listen on port ${port} of ${host}: ${reason}.`, { cause: error }), {
      code: error.code,
    })
  })

  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
    return closing
  }
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return { url: `http://${shown}:${address.port}`, port: address.port, close, [Symbol.asyncDispose]: close }
}
