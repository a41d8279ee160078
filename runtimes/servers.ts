import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMockLedger, type MockLedger } from '@guild-ledger/mock-server'
import type { Addresses } from './conformance.ts'

/** The behaviours of the faulty server, by the first segment of the path. */
const faultyResponses: Record<string, (response: ServerResponse, elsewhere: string) => void> = {
  redirect: (response, elsewhere) => void response.writeHead(302, { location: elsewhere }).end(),
  hang: () => {},
  cut: (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"success":true', () => setTimeout(() => response.destroy(), 20))
  },
  slow: (response) => void setTimeout(() => response.writeHead(404).end('{}'), 600),
  stall: (response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{"success":true'),
}

const respondFromMock = async (mock: MockLedger, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const headers = new Headers(request.headers['x-api-key'] ? { 'x-api-key': String(request.headers['x-api-key']) } : {})
  const result = await mock.fetch(`${mock.origin}${request.url}`, { headers, redirect: 'manual' })
  response.writeHead(result.status, Object.fromEntries(result.headers)).end(await result.text())
}

/**
 * Serves the mock, the faulty responses and an empty page from one origin, so that a web page needs no CORS, and records
 * requests to a second origin, which must not get any.
 */
export const startServers = async (script: () => string) => {
  const mock = createMockLedger({ seed: 1, users: 5, transactions: 120 })
  const strayRequests: string[] = []
  const elsewhere = createServer((request, response) => {
    strayRequests.push(`${request.method} ${request.url}`)
    response.end()
  })
  const main = createServer((request, response) => {
    const [, first = ''] = (request.url ?? '').split('/')
    const respondFaulty = faultyResponses[first]
    if (first === 'page')
      response.setHeader('content-type', 'text/html').end('<!doctype html><script src="/page.js"></script>')
    else if (first === 'page.js') response.setHeader('content-type', 'text/javascript').end(script())
    else if (respondFaulty) respondFaulty(response, urlOf(elsewhere))
    else void respondFromMock(mock, request, response)
  })
  const closedServer = createServer()
  const urlOf = (server: typeof main) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const server of [elsewhere, main, closedServer])
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const closed = urlOf(closedServer)
  await new Promise((done) => closedServer.close(done))
  const url = urlOf(main)
  const addresses: Addresses = { mock: url, faulty: url, closed, apiKey: mock.apiKey, isBrowser: false }
  return {
    addresses,
    strayRequests,
    close: () => {
      for (const server of [elsewhere, main]) {
        server.closeAllConnections()
        server.close()
      }
    },
  }
}
