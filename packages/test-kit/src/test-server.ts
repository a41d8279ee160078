import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as a server saw it. */
export interface SeenRequest {
  readonly url: string
  readonly method: string
  readonly headers: IncomingMessage['headers']
}

/**
 * Starts a real HTTP server on a free port of 127.0.0.1 that responds with `handler` and records the requests it saw.
 * `count` is the number of the request, from 1.
 */
export const startTestServer = async (
  handler: (request: IncomingMessage, response: ServerResponse, count: number) => void,
) => {
  const seen: SeenRequest[] = []
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

/** Ends a response of a server with a JSON body. */
export const sendJson = (
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
