/**
 * The cost of the mock's adapters for a page of 20 transactions: `mock.fetch` compared to creating the same Request and
 * Response by hand, and `setupServer` of MSW with the mock's handlers compared to a handler that returns a constant.
 *
 *     pnpm --dir bench mock:adapters
 */
import { createRequire } from 'node:module'
import { createMockLedger } from '@guild-ledger/mock-server'
import { median } from './statistics.ts'

/** As much of MSW as is used here. It is the mock's own copy: another one might not accept its handlers. */
interface Msw {
  setupServer(): { listen(options: object): void; resetHandlers(...handlers: unknown[]): void; close(): void }
  http: { get(path: string, resolver: () => unknown): unknown }
  HttpResponse: { json(body: object): unknown }
}
const required = createRequire(new URL('../../packages/mock-server/package.json', import.meta.url))
const { setupServer, http, HttpResponse } = { ...required('msw'), ...required('msw/node') } as Msw

const print = (line: string) => process.stdout.write(`${line}\n`)
const mock = createMockLedger({ rateLimit: 'off' })
const path = '/guild/ledger/transactions?page=2'
const init = { headers: { 'x-api-key': mock.apiKey } }
const direct = () => mock.respond({ method: 'GET', target: path, apiKey: mock.apiKey })
const page = JSON.parse(direct().body) as object

/** The median time of several functions in microseconds, in alternating blocks, so that load hits all of them. */
const inTurns = async (functions: Record<string, () => Promise<unknown>>, blocks: number, each: number) => {
  const times: Record<string, number[]> = {}
  for (let block = 0; block < blocks; block++) {
    for (const [name, request] of Object.entries(functions)) {
      const own = (times[name] ??= [])
      for (let i = 0; i < each; i++) {
        const start = performance.now()
        await request()
        own.push((performance.now() - start) * 1000)
      }
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, own]) => [name, median(own)]))
}

const inProcess = await inTurns(
  {
    'mock.respond': async () => direct(),
    'by hand': async () => {
      const request = new Request(mock.origin + path, init)
      return (request.url === '' ? Response.error() : Response.json(page)).json()
    },
    'mock.fetch': async () => (await mock.fetch(mock.origin + path, init)).json(),
  },
  10,
  500,
)

const server = setupServer()
server.listen({ onUnhandledFrame: 'error' })
const constant = http.get(`${mock.origin}/guild/ledger/transactions`, () => HttpResponse.json(page))
const throughMsw = async () => (await fetch(mock.origin + path, init)).json()
const behindMsw: Record<string, number[]> = { constant: [], 'mock.handlers': [] }
for (let block = 0; block < 8; block++) {
  for (const [name, handlers] of [
    ['constant', [constant]],
    ['mock.handlers', mock.handlers],
  ] as const) {
    server.resetHandlers(...handlers)
    const { only = 0 } = await inTurns({ only: throughMsw }, 1, 100)
    behindMsw[name]?.push(only)
  }
}
server.close()

for (const [name, value] of Object.entries(inProcess)) print(`${name.padEnd(32)} ${value.toFixed(1).padStart(8)} µs`)
print(
  `mock.fetch / by hand             ${((inProcess['mock.fetch'] ?? 0) / (inProcess['by hand'] ?? 1)).toFixed(2).padStart(8)}`,
)
for (const [name, values] of Object.entries(behindMsw)) {
  print(`setupServer, ${name.padEnd(19)} ${median(values).toFixed(1).padStart(8)} µs`)
}
print(
  `mock.handlers / constant         ${(median(behindMsw['mock.handlers'] ?? []) / median(behindMsw['constant'] ?? [1])).toFixed(2).padStart(8)}`,
)
