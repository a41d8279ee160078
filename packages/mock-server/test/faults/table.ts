import type { Fault, MockLedger } from '@guild-ledger/mock-server'

/**
 * Faults, and what a client observes of each through each adapter: the table in the documentation. `faults.test.ts` tries
 * the adapters of Node, the runtime checks try Bun, Deno and the service worker of MSW in Chromium.
 */

/** An adapter, as the documentation names it. */
export type AdapterName = 'mock.fetch' | 'setupServer' | 'setupWorker' | 'real HTTP'

/** An adapter in use. */
export interface Connection {
  readonly url: string
  readonly fetch: typeof fetch
}

/** What the client does. */
type Client = 'reads' | 'gives up waiting' | 'gives up reading' | 'sees redirects' | 'takes no redirect'

export interface Case {
  readonly fault: Fault
  /** Its row in the table of the documentation, which has only the faults that depend on the adapter. */
  readonly row?: string
  readonly client?: Client
  /** What a client observes through every adapter but those in `except`. */
  readonly observed: string
  readonly except?: Partial<Record<AdapterName, string>>
}

const json = 'application/json'
const enough = 'Error: enough'
const reset = 'no response, TypeError: fetch failed (ECONNRESET)'
const cutOff = `200 ${json}, body TypeError: terminated (UND_ERR_SOCKET)`
const failedToFetch = 'no response, TypeError: Failed to fetch'
const cutOffInBrowser = `200 ${json}, body TypeError: Failed to fetch`
const redirect = `302 ${json} to https://elsewhere.test/, another body of 88`
const falseEncoding = { kind: 'status', status: 200, headers: { 'content-encoding': 'gzip' } } as const
const unsupported = (adapter: string) =>
  `no response, UnsupportedFaultError: The fault status with the header content-encoding is not supported by ${adapter}: nothing decodes the body, so the client would read it as it is. Use startMockServer, or the kind malformed-json.`

export const cases: readonly Case[] = [
  { fault: { kind: 'internal-error' }, observed: `500 ${json}, another body of 64` },
  { fault: { kind: 'status', status: 418, body: 'short and stout' }, observed: `418 ${json}, another body of 15` },
  { fault: { kind: 'status', status: 204 }, observed: `204 ${json}, another body of 0` },
  { fault: { kind: 'latency', ms: 20 }, observed: `200 ${json}, the whole body` },
  { fault: { kind: 'latency', ms: 3_600_000 }, client: 'gives up waiting', observed: `no response, ${enough}` },
  { fault: { kind: 'hang' }, client: 'gives up waiting', observed: `no response, ${enough}` },
  // MSW has one error for everything that is wrong with a connection.
  {
    fault: { kind: 'reset' },
    row: '`reset`',
    observed: reset,
    except: { setupServer: 'no response, TypeError: fetch failed', setupWorker: failedToFetch },
  },
  { fault: { kind: 'truncate' }, row: '`truncate`', observed: cutOff, except: { setupWorker: cutOffInBrowser } },
  {
    fault: { kind: 'truncate', bytes: 0 },
    row: '`truncate` with `bytes: 0`',
    observed: cutOff,
    except: { setupServer: `501 ${json}, another body of 283`, setupWorker: cutOffInBrowser },
  },
  { fault: { kind: 'truncate', bytes: 1e6 }, observed: cutOff, except: { setupWorker: cutOffInBrowser } },
  { fault: { kind: 'malformed-json' }, observed: `200 ${json}, another body of 4802` },
  { fault: { kind: 'wrong-content-type' }, observed: '200 text/plain, the whole body' },
  { fault: { kind: 'html-502' }, observed: '502 text/html, another body of 122' },
  { fault: { kind: 'slow-body', chunkBytes: 1000, intervalMs: 1 }, observed: `200 ${json}, the whole body` },
  {
    fault: { kind: 'slow-body', chunkBytes: 1000, intervalMs: 3_600_000 },
    client: 'gives up reading',
    observed: `200 ${json}, body ${enough}`,
  },
  {
    fault: { kind: 'slow-body', chunkBytes: 16, intervalMs: 5 },
    row: '`slow-body`, and the client gives up',
    client: 'gives up reading',
    observed: `200 ${json}, body ${enough}`,
  },
  {
    fault: { kind: 'schema', field: 'summary.uniqueUsers', value: 'x' },
    observed: `200 ${json}, another body of 4805`,
  },
  {
    fault: falseEncoding,
    row: '`status` with a false `content-encoding`',
    observed: `200 ${json}, body TypeError: terminated (Z_DATA_ERROR)`,
    except: { 'mock.fetch': unsupported('mock.fetch'), setupWorker: `501 ${json}, another body of 232` },
  },
  {
    fault: { kind: 'redirect' },
    row: '`redirect`, to a client that does not follow',
    client: 'sees redirects',
    observed: redirect,
    // As browsers present every redirect that a page does not follow.
    except: { setupWorker: '0 null, another body of 0' },
  },
  {
    fault: { kind: 'redirect' },
    client: 'takes no redirect',
    observed: 'no response, TypeError: fetch failed',
    except: { setupWorker: failedToFetch },
  },
]

/** An error by its name, its message and the code of its cause. */
const describeError = (error: unknown): string => {
  const { name, message, cause } = error as Error & { cause?: { code?: string } }
  // Some versions of Chromium reject the body with an error of their own instead of the reason of the abort.
  if (name === 'AbortError' && 'document' in globalThis) return enough
  return `${name}: ${message}${cause?.code === undefined ? '' : ` (${cause.code})`}`
}

/** What the client observes: an error before the response, an error within the body, or all of it. */
const outcomeOf = async (send: () => Promise<Response>, whole: string): Promise<string> => {
  const response = await send().catch((error: unknown) => error)
  if (!(response instanceof Response)) return `no response, ${describeError(response)}`
  const body = await response.text().catch((error: unknown) => error)
  const location = response.headers.get('location')
  const to = location === null ? '' : ` to ${location}`
  const head = `${response.status} ${response.headers.get('content-type')}${to}`
  if (typeof body !== 'string') return `${head}, body ${describeError(body)}`
  return `${head}, ${body === whole ? 'the whole body' : `another body of ${body.length}`}`
}

const list = '/guild/ledger/transactions'

type Send = (init?: RequestInit) => Promise<Response>

const giveUpMs = 50

const clients: Readonly<Record<Client, (send: Send) => Promise<Response>>> = {
  reads: async (send) => send(),
  'gives up waiting': async (send) => {
    const stop = new AbortController()
    setTimeout(() => stop.abort(new Error('enough')), giveUpMs)
    return send({ signal: stop.signal })
  },
  'gives up reading': async (send) => {
    const stop = new AbortController()
    const response = await send({ signal: stop.signal })
    setTimeout(() => stop.abort(new Error('enough')), giveUpMs)
    return response
  },
  'sees redirects': async (send) => send({ redirect: 'manual' }),
  'takes no redirect': async (send) => send({ redirect: 'error' }),
}

/** What a client observes of a fault through an adapter. The fault is that of a guild of its own. */
export const observe = async (
  { fault, client = 'reads' }: Case,
  mock: MockLedger,
  connection: Connection,
): Promise<string> => {
  const guild = mock.createGuild({ seed: 1, transactions: 30, rateLimit: 'off' })
  const whole = mock.respond({ method: 'GET', target: list, apiKey: guild.apiKey }).body
  guild.fault(fault)
  const headers = { 'x-api-key': guild.apiKey }
  return outcomeOf(
    () => clients[client](async (init) => connection.fetch(connection.url + list, { headers, ...init })),
    whole,
  )
}

/** What the table says. */
export const expectedOf = ({ observed, except }: Case, adapter: AdapterName): string => except?.[adapter] ?? observed

/** A name for a case. */
export const nameOf = ({ fault, client }: Case): string =>
  `${JSON.stringify(fault)}${client ? `, a client that ${client}` : ''}`
