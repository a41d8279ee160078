import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a server was asked, as it saw it. */
interface Seen {
  readonly url: string
  readonly method: string
  readonly headers: IncomingMessage['headers']
}

/** A real HTTP server on a free port of this machine that answers with `handler` and remembers what it was asked. */
export const serve = async (handler: (request: IncomingMessage, response: ServerResponse, nth: number) => void) => {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    seen.push({ url: request.url ?? '', method: request.method ?? '', headers: request.headers })
    handler(request, response, seen.length)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

export const json = (response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}) => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
