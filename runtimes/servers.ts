import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMockLedger, type MockLedger } from '@guild-ledger/mock-server'
import type { Addresses } from './conformance.ts'

/** What a server can do wrong, by the first segment of the path. */
const troubles: Record<string, (response: ServerResponse, elsewhere: string) => void> = {
  redirect: (response, elsewhere) => void response.writeHead(302, { location: elsewhere }).end(),
  hang: () => {},
  cut: (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"success":true', () => setTimeout(() => response.destroy(), 20))
  },
  stall: (response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{"success":true'),
}

const answerFrom = async (mock: MockLedger, asked: IncomingMessage, response: ServerResponse): Promise<void> => {
  const headers = new Headers(asked.headers['x-api-key'] ? { 'x-api-key': String(asked.headers['x-api-key']) } : {})
  const reply = await mock.handle(new Request(`${mock.origin}${asked.url}`, { headers }))
  response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(await reply.text())
}

/**
 * Serves the mock, the troubles and an empty page from one origin, so that a web page needs no permission to ask, and
 * counts what comes to a second origin, where nothing may come.
 */
export const startServers = async (script: () => string) => {
  const mock = createMockLedger({ seed: 1, users: 5, transactions: 120 })
  const strays: string[] = []
  const elsewhere = createServer((asked, response) => {
    strays.push(`${asked.method} ${asked.url}`)
    response.end()
  })
  const main = createServer((asked, response) => {
    const [, first = ''] = (asked.url ?? '').split('/')
    const trouble = troubles[first]
    if (first === 'page')
      response.setHeader('content-type', 'text/html').end('<!doctype html><script src="/page.js"></script>')
    else if (first === 'page.js') response.setHeader('content-type', 'text/javascript').end(script())
    else if (trouble) trouble(response, urlOf(elsewhere))
    else void answerFrom(mock, asked, response)
  })
  const gone = createServer()
  const urlOf = (server: typeof main) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const server of [elsewhere, main, gone]) await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const closed = urlOf(gone)
  await new Promise((done) => gone.close(done))
  const url = urlOf(main)
  const addresses: Addresses = { mock: url, trouble: url, closed, apiKey: mock.apiKey, isBrowser: false }
  return {
    addresses,
    strays,
    close: () => {
      for (const server of [elsewhere, main]) {
        server.closeAllConnections()
        server.close()
      }
    },
  }
}
