import type { Fault, MockLedger } from '@guild-ledger/mock-server'

/**
 * Failures, and what a client sees of each through each door: the table of the README, tried. `faults.test.ts` does so for
 * the doors there are in Node, the runtime checks for Bun, Deno and the service worker of MSW in Chromium.
 */

/** A way to the mock, as the README names it. */
export type DoorName = 'mock.fetch' | 'mock.handle' | 'setupServer' | 'setupWorker' | 'real HTTP'

/** An open door. */
export interface Door {
  readonly url: string
  readonly fetch: typeof fetch
}

/** What the client does besides reading the reply. */
type Client = 'reads' | 'gives up waiting' | 'gives up reading' | 'sees redirects' | 'takes no redirect'

export interface Case {
  readonly fault: Fault
  /** The row of the README's table that speaks of it; the others are shown everywhere. */
  readonly row?: string
  readonly client?: Client
  /** What every door shows, but for those that have a word of their own. */
  readonly shown: string
  readonly but?: Partial<Record<DoorName, string>>
}

const json = 'application/json'
const enough = 'Error: enough'
const reset = 'no reply, TypeError: fetch failed (ECONNRESET)'
const cutOff = `200 ${json}, body TypeError: terminated (UND_ERR_SOCKET)`
const failedToFetch = 'no reply, TypeError: Failed to fetch'
const cutOffInBrowser = `200 ${json}, body TypeError: Failed to fetch`
const redirect = `302 ${json} to https://elsewhere.test/, another body of 88`
const lyingEncoding = { kind: 'status', status: 200, headers: { 'content-encoding': 'gzip' } } as const
const notShown = (door: string) =>
  `no reply, FaultNotShownError: The failure status with the header content-encoding cannot be shown by ${door}: nothing decodes the body, so the client would read it as it is. Use startMockServer, or the kind malformed-json.`

export const cases: readonly Case[] = [
  { fault: { kind: 'internal-error' }, shown: `500 ${json}, another body of 64` },
  { fault: { kind: 'status', status: 418, body: 'short and stout' }, shown: `418 ${json}, another body of 15` },
  { fault: { kind: 'status', status: 204 }, shown: `204 ${json}, another body of 0` },
  { fault: { kind: 'latency', ms: 20 }, shown: `200 ${json}, the whole body` },
  { fault: { kind: 'latency', ms: 3_600_000 }, client: 'gives up waiting', shown: `no reply, ${enough}` },
  { fault: { kind: 'hang' }, client: 'gives up waiting', shown: `no reply, ${enough}` },
  // MSW has one word for all that is wrong with a connection.
  {
    fault: { kind: 'reset' },
    row: '`reset`',
    shown: reset,
    but: { setupServer: 'no reply, TypeError: fetch failed', setupWorker: failedToFetch },
  },
  { fault: { kind: 'truncate' }, row: '`truncate`', shown: cutOff, but: { setupWorker: cutOffInBrowser } },
  {
    fault: { kind: 'truncate', bytes: 0 },
    row: '`truncate` with `bytes: 0`',
    shown: cutOff,
    but: { setupServer: `501 ${json}, another body of 284`, setupWorker: cutOffInBrowser },
  },
  { fault: { kind: 'malformed-json' }, shown: `200 ${json}, another body of 4974` },
  { fault: { kind: 'wrong-content-type' }, shown: '200 text/plain, the whole body' },
  { fault: { kind: 'html-502' }, shown: '502 text/html, another body of 122' },
  { fault: { kind: 'slow-body', chunkBytes: 1000, intervalMs: 1 }, shown: `200 ${json}, the whole body` },
  {
    fault: { kind: 'slow-body', chunkBytes: 1000, intervalMs: 3_600_000 },
    client: 'gives up reading',
    shown: `200 ${json}, body ${enough}`,
  },
  {
    fault: { kind: 'slow-body', chunkBytes: 16, intervalMs: 5 },
    row: '`slow-body`, and the client gives up',
    client: 'gives up reading',
    shown: `200 ${json}, body ${enough}`,
  },
  {
    fault: { kind: 'schema', field: 'summary.uniqueUsers', value: 'x' },
    shown: `200 ${json}, another body of 4977`,
  },
  {
    fault: lyingEncoding,
    row: '`status` with a `content-encoding` that is not true',
    shown: `200 ${json}, body TypeError: terminated (Z_DATA_ERROR)`,
    but: {
      'mock.fetch': notShown('mock.fetch'),
      'mock.handle': notShown('mock.handle'),
      setupWorker: `501 ${json}, another body of 233`,
    },
  },
  {
    fault: { kind: 'redirect' },
    row: '`redirect`, to a client that does not follow',
    client: 'sees redirects',
    shown: redirect,
    // As browsers show every redirect to a page that does not want to follow.
    but: { setupWorker: '0 null, another body of 0' },
  },
  {
    fault: { kind: 'redirect' },
    client: 'takes no redirect',
    shown: 'no reply, TypeError: fetch failed',
    // It hands over the reply and follows nothing.
    but: { 'mock.handle': redirect, setupWorker: failedToFetch },
  },
]

/** How an error shows itself: the code of what caused it, else its own name. */
const shownAs = (error: unknown): string => {
  const { name, message, cause } = error as Error & { cause?: { code?: string } }
  return `${name}: ${message}${cause?.code === undefined ? '' : ` (${cause.code})`}`
}

/** What the client sees: an error before the reply, an error within the body, or all of it. */
const outcome = async (ask: () => Promise<Response>, whole: string): Promise<string> => {
  const response = await ask().catch((error: unknown) => error)
  if (!(response instanceof Response)) return `no reply, ${shownAs(response)}`
  const body = await response.text().catch((error: unknown) => error)
  const location = response.headers.get('location')
  const to = location === null ? '' : ` to ${location}`
  const about = `${response.status} ${response.headers.get('content-type')}${to}`
  if (typeof body !== 'string') return `${about}, body ${shownAs(body)}`
  return `${about}, ${body === whole ? 'the whole body' : `another body of ${body.length}`}`
}

const list = '/guild/ledger/transactions'

type Ask = (init?: RequestInit) => Promise<Response>

const patienceMs = 50

const clients: Readonly<Record<Client, (ask: Ask) => Promise<Response>>> = {
  reads: async (ask) => ask(),
  'gives up waiting': async (ask) => {
    const stop = new AbortController()
    setTimeout(() => stop.abort(new Error('enough')), patienceMs)
    return ask({ signal: stop.signal })
  },
  'gives up reading': async (ask) => {
    const stop = new AbortController()
    const response = await ask({ signal: stop.signal })
    setTimeout(() => stop.abort(new Error('enough')), patienceMs)
    return response
  },
  'sees redirects': async (ask) => ask({ redirect: 'manual' }),
  'takes no redirect': async (ask) => ask({ redirect: 'error' }),
}

/** What a client sees of a failure through a door. The guild that fails is one of its own. */
export const seen = async ({ fault, client = 'reads' }: Case, mock: MockLedger, door: Door): Promise<string> => {
  const guild = mock.createGuild({ seed: 1, transactions: 30, rateLimit: 'off' })
  const whole = mock.answer({ method: 'GET', target: list, apiKey: guild.apiKey }).body
  guild.fail(fault)
  const headers = { 'x-api-key': guild.apiKey }
  return outcome(() => clients[client](async (init) => door.fetch(door.url + list, { headers, ...init })), whole)
}

/** What the table says. */
export const expectedOf = ({ shown, but }: Case, door: DoorName): string => but?.[door] ?? shown

/** A name for a case. */
export const nameOf = ({ fault, client }: Case): string =>
  `${JSON.stringify(fault)}${client ? `, a client that ${client}` : ''}`
