/**
 * What clients do when things go wrong, each with its default options, given only the address and the key: each requests
 * the same page of a service that redirects, fails, rejects the key, violates its contract or counts arrivals. No timing is
 * measured.
 *
 *     pnpm --dir bench behaviour
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { REST } from '@discordjs/rest'
import { GuildLedger } from '@guild-ledger/sdk'
import { Octokit } from '@octokit/core'
import got from 'got'
import ky from 'ky'
import OpenAI from 'openai'
import Stripe from 'stripe'

const path = '/guild/ledger/transactions'
const key = 'a-key-of-24-characters-x'
const headers = { 'x-api-key': key }

/** The page as each client asks for it; what it calls a key of its own is sent too, and not looked at. */
const clientsOf = (origin: string): Record<string, () => Promise<unknown>> => {
  const ledger = new GuildLedger({ apiKey: key, baseUrl: origin, logLevel: 'off' })
  const openai = new OpenAI({ apiKey: 'unused', baseURL: origin, defaultHeaders: headers })
  const octokit = new Octokit({ baseUrl: origin, log: { debug() {}, info() {}, warn() {}, error() {} } })
  const { hostname, port } = new URL(origin)
  const stripe = new Stripe('unused', { host: hostname, port, protocol: 'http' })
  const discord = new REST({ api: origin, version: '10' }).setToken('unused')
  return {
    '@guild-ledger/sdk': () => ledger.transactions.list(),
    'fetch + json()': async () => (await fetch(`${origin}${path}`, { headers })).json(),
    ky: () => ky(`${origin}${path}`, { headers }).json(),
    got: () => got(`${origin}${path}`, { headers }).json(),
    openai: () => openai.get(path),
    '@octokit/core': () => octokit.request(`GET ${path}`, { headers }),
    stripe: () => stripe.rawRequest('GET', path, {}, { additionalHeaders: headers }),
    '@discordjs/rest': () => discord.get(path as `/${string}`, { headers }),
  }
}

const row = { amount: 1, quantity: 1, name: 'Shield', source: 'shop', total: 1, createdAt: '2026-01-01T00:00:00.000Z' }
const page = (total: unknown) => ({
  success: true,
  data: [{ platformId: '1', transactions: [{ ...row, transactionId: 'a', total }] }],
  pagination: { page: 1, limit: 20, total: 1, totalPages: 1 },
  summary: { totalTransactions: 1, totalValue: 1, uniqueUsers: 1 },
})
const json = (response: ServerResponse, status: number, body: unknown, more: Record<string, string> = {}) =>
  void response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(body))

type Respond = (response: ServerResponse, nth: number) => void

/** Serves `respond` and notes what arrives. */
const serve = async (respond: Respond) => {
  const seen: { readonly at: number; readonly key: unknown }[] = []
  const server: Server = createServer((request: IncomingMessage, response) => {
    seen.push({ at: performance.now(), key: request.headers['x-api-key'] })
    respond(response, seen.length)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { origin: `http://127.0.0.1:${port}`, seen, close }
}

const failed = { success: false, message: 'Failed to fetch guild transactions' }
const settled = async (call: () => Promise<unknown>): Promise<unknown> => call().catch((error: unknown) => error)

const fail = () => Promise.reject(new Error('no such client'))

type Trial = (client: string) => Promise<string>

const trials: Record<string, Trial> = {
  'key given to where a redirect points': async (client) => {
    const elsewhere = await serve((response) => json(response, 200, page(1)))
    const location = `${elsewhere.origin}/x`
    const { origin, close } = await serve((response) => json(response, 302, {}, { location }))
    await settled(clientsOf(origin)[client] ?? fail)
    close()
    elsewhere.close()
    if (elsewhere.seen.length === 0) return 'no, not followed'
    return elsewhere.seen.some((request) => request.key === key) ? 'yes' : 'no, left out'
  },
  'attempts at a 500': async (client) => {
    const { origin, seen, close } = await serve((response) => json(response, 500, failed))
    await settled(clientsOf(origin)[client] ?? fail)
    close()
    return String(seen.length)
  },
  'waits as a 429 asks (2 s)': async (client) => {
    const { origin, seen, close } = await serve((response, nth) =>
      nth === 1 ? json(response, 429, failed, { 'retry-after': '2' }) : json(response, 200, page(1)),
    )
    await settled(clientsOf(origin)[client] ?? fail)
    close()
    const [first, second] = seen
    if (!first || !second) return 'no retry'
    return second.at - first.at >= 1990 ? 'yes' : `no, ${Math.round(second.at - first.at)} ms`
  },
  'detects a `total` that is a string': async (client) => {
    const { origin, close } = await serve((response) => json(response, 200, page('12.5')))
    const result = await settled(clientsOf(origin)[client] ?? fail)
    close()
    return result instanceof Error ? 'yes' : 'no'
  },
  'key in the printed error of a 401': async (client) => {
    const { origin, close } = await serve((response) => json(response, 401, failed))
    const result = await settled(clientsOf(origin)[client] ?? fail)
    close()
    if (!(result instanceof Error)) return 'no error'
    return `${inspect(result, { depth: 8 })} ${JSON.stringify(result)}`.includes(key) ? 'yes' : 'no'
  },
  'of 25 calls at once, arrive in the first second': async (client) => {
    const { origin, seen, close } = await serve((response) => json(response, 200, page(1)))
    const call = clientsOf(origin)[client] ?? fail
    await Promise.all(Array.from({ length: 25 }, () => settled(call)))
    close()
    return String(seen.filter(({ at }) => at < (seen[0]?.at ?? 0) + 1000).length)
  },
}
const names = Object.keys(clientsOf('http://127.0.0.1:1'))
process.stdout.write(`| | ${names.join(' | ')} |\n| --- |${' --- |'.repeat(names.length)}\n`)
for (const [name, trial] of Object.entries(trials)) {
  const results: string[] = []
  for (const client of names) results.push(await trial(client))
  process.stdout.write(`| ${name} | ${results.join(' | ')} |\n`)
}
process.exit()
