import { channel } from 'node:diagnostics_channel'
import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  createThrottle,
  GuildLedger,
  GuildLedgerError,
  type GuildLedgerOptions,
  type Middleware,
} from '@guild-ledger/sdk'
import { errorBody, failureOf, guildResponse, sendJson, startTestServer, stubService } from '@guild-ledger/test-kit'
import { afterEach, expect, it, vi } from 'vitest'

const key = randomBytes(24).toString('base64url')
const events = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'].map((name) => `tracing:guild-ledger:request:${name}`)

/** Every way a value gets into a log or onto a screen. */
const everythingOf = (value: unknown): string => {
  const parts = [
    inspect(value, { depth: Infinity, showHidden: true, getters: true, maxStringLength: Infinity }),
    String(value),
  ]
  try {
    parts.push(JSON.stringify(value))
  } catch {}
  for (let error = value; error instanceof Error; error = error.cause) {
    const fields = Reflect.ownKeys(error).map((name) =>
      inspect(Reflect.get(error as object, name), { depth: Infinity }),
    )
    parts.push(error.message, error.stack ?? '', ...fields)
  }
  return parts.join('\n')
}

const clientOf = (baseUrl: string, options: GuildLedgerOptions = {}) =>
  new GuildLedger({ apiKey: key, baseUrl, throttle: false, ...options })

const echo = { ...errorBody(`key ${key} rejected`), key, nested: { [key]: key } }

type Handler = (request: IncomingMessage, response: ServerResponse) => void
const responses: [string, Handler][] = [
  ['a page', (_, response) => sendJson(response, guildResponse)],
  ['a page with headers that echo it', (_, response) => sendJson(response, guildResponse, 200, { 'x-echo': key })],
  ...[400, 401, 403, 404, 429, 500, 503, 418].map((status): [string, Handler] => [
    `a ${status} that echoes it`,
    (_, response) => sendJson(response, echo, status, { 'x-echo': key, 'retry-after': key }),
  ]),
  ['HTML that echoes it', (_, response) => response.end(`<p>${key}</p>`)],
  [
    'JSON of the wrong shape that echoes it',
    (_, response) => sendJson(response, { ...echo, success: key, data: [echo] }),
  ],
  ['a redirect to a URL with it', (_, response) => response.writeHead(302, { location: `/?key=${key}` }).end()],
  ['a broken connection', (_, response) => response.destroy()],
  [
    'a body that breaks off after it',
    (_, response) => response.writeHead(200, { 'content-length': '99' }).write(key, () => response.destroy()),
  ],
]

afterEach(() => vi.restoreAllMocks())

it.each(responses)('shows the key in no error, log, event or object after %s', async (_, handler) => {
  const seen: unknown[] = []
  const listeners = events.map((name) => ({ name, listener: (message: unknown) => void seen.push(message) }))
  for (const { name, listener } of listeners) channel(name).subscribe(listener)
  for (const method of ['debug', 'info', 'warn', 'error', 'log'] as const)
    vi.spyOn(console, method).mockImplementation((...line) => void seen.push(line))
  await using server = await startTestServer(handler)
  const look: Middleware = async (request, next) => (seen.push(request, [...request.headers]), next(request))
  const retry = { baseDelayMs: 0, maxRetries: 1 }
  const ledger = clientOf(server.url, { logLevel: 'debug', retry, middleware: [look] })

  const paginator = ledger.transactions.iterate({}, { retryForMs: 0 })
  const lists = [ledger.transactions.list(), ledger.user('1').transactions.list()]
  for (const call of [...lists, ledger.get('/guild/discharges'), paginator.next()]) {
    const result: unknown = await call.catch((error: unknown) => error)
    seen.push(result, [...((result as { response?: Response }).response?.headers ?? [])])
  }
  for (const { name, listener } of listeners) channel(name).unsubscribe(listener)
  seen.push(ledger, ledger.transactions, ledger.user('1'), paginator)

  expect(server.seen.every(({ headers, url }) => headers['x-api-key'] === key && !url.includes(key))).toBe(true)
  expect(seen.length).toBeGreaterThan(10)
  expect(seen.map(everythingOf).filter((text) => text.includes(key))).toEqual([])
})

it('shows the key in no response that middleware gets', async () => {
  const seen: string[] = []
  await using server = await startTestServer((_, response) => sendJson(response, echo, 401, { 'x-echo': key }))
  const look: Middleware = async (request, next) => {
    const response = await next(request)
    seen.push(everythingOf(response), everythingOf([...response.headers]), await response.clone().text())
    return response
  }

  await failureOf(clientOf(server.url, { middleware: [look] }).transactions.list())

  expect(seen).toHaveLength(3)
  expect(seen.filter((text) => text.includes(key))).toEqual([])
})

it('shows the key in no error when fetch throws one that holds it', async () => {
  const leaky = Object.assign(new Error(`cannot send ${key}`, { cause: new Error(key) }), {
    config: { headers: { 'x-api-key': key } },
    code: key,
    name: key,
  })
  const service = stubService(() => Promise.reject(leaky))

  const error = await failureOf(new GuildLedger({ ...service.options, apiKey: key }).transactions.list())

  expect(GuildLedgerError.is(error)).toBe(true)
  expect(everythingOf(error)).not.toContain(key)
})

it.each([200, 401])(
  'shows the key in no error when the service escapes it as PHP and .NET do, with status %i',
  async (status) => {
    const base64Key = 'q1w2/e3r4+t5y6=='
    const form = base64Key.replaceAll('/', String.raw`\/`).replaceAll('+', String.raw`\u002B`)
    const service = stubService(() => new Response(`{"success":false,"message":"${form}","n":["${form}"]}`, { status }))

    const error = await failureOf(new GuildLedger({ ...service.options, apiKey: base64Key }).transactions.list())

    expect(everythingOf(error)).not.toContain(base64Key)
  },
)

it('sends the key to no other origin when middleware changes the request, or its URL after the check', async () => {
  await using other = await startTestServer((_, response) => sendJson(response, guildResponse))
  await using server = await startTestServer((_, response) => sendJson(response, guildResponse))
  let reads = 0
  const get = (request: Request, name: string | symbol): unknown =>
    name === 'url' && reads++ > 0 ? other.url : Reflect.get(request, name, request)
  const replacing: Middleware = (_, next) => next(new Request(other.url))
  const changing: Middleware = (request, next) => next(new Proxy(request, { get }))

  const failure = await failureOf(clientOf(server.url, { middleware: [replacing] }).transactions.list())
  await clientOf(server.url, { middleware: [changing] })
    .transactions.list()
    .catch(() => {})

  expect(failure).toMatchObject({ code: 'configuration', option: 'middleware' })
  expect(reads).toBeGreaterThan(0)
  expect(other.seen).toEqual([])
})

it.each([301, 302, 303, 307, 308])('does not follow a %i to another host', async (status) => {
  await using other = await startTestServer((_, response) => sendJson(response, guildResponse))
  await using server = await startTestServer((_, response) => response.writeHead(status, { location: other.url }).end())

  const error = { name: 'RedirectError', code: 'redirect_refused' }
  await expect(clientOf(server.url).transactions.list()).rejects.toMatchObject(error)
  expect([other.seen.length, server.seen.length]).toEqual([0, 1])
})

it.each(['apikey', 'api_key', 'key', 'token'])('does not show a key that was given as %s by mistake', async (name) => {
  const error = await failureOf(() => new GuildLedger({ [name]: key, baseUrl: 'https://ledger.example' }))

  expect(error).toHaveProperty('message', expect.stringContaining(`Unknown option \`${name}\``))
  expect(everythingOf(error)).not.toContain(key)
})

it('does not show a key that was given instead of the options, or as any of them, by mistake', async () => {
  const { clientChecks, retryChecks } = await import('../src/options/client-options.ts')
  const { throttleChecks } = await import('../src/throttle/options.ts')
  const { callChecks } = await import('../src/transport/options.ts')
  const valid = { apiKey: 'key-of-a-guild', baseUrl: 'https://ledger.example' }
  const ledger = new GuildLedger({ ...valid, fetch: () => Promise.reject(new Error('sent')) })
  const { transactions } = ledger
  const given = (value: unknown) => value as never
  const ofIterate = ['concurrency', 'onEmpty', 'onDrift', 'maxItems', 'retryForMs']
  const ofWatch = ['since', 'intervalMs', 'overlapMs', 'onError', 'follow']
  const calls = [
    () => new GuildLedger(given(key)),
    () => new GuildLedger({ ...valid, middleware: [given(key)] }),
    ...Object.keys(clientChecks).map((name) => () => new GuildLedger({ ...valid, baseUrl: '', [name]: key })),
    ...Object.keys(retryChecks).map((name) => () => new GuildLedger({ ...valid, retry: { [name]: key } })),
    ...Object.keys(throttleChecks).map((name) => () => new GuildLedger({ ...valid, throttle: { [name]: key } })),
    () => createThrottle(given(key)),
    () => createThrottle().pause(given(key)),
    () => transactions.list(given(key)),
    ...['page', 'limit', 'minAmount'].map((name) => () => transactions.list({ [name]: key })),
    () => transactions.list({}, given(key)),
    ...Object.keys(callChecks).map((name) => () => transactions.list({}, { [name]: key })),
    ...ofIterate.map((name) => () => transactions.iterate({}, { [name]: key })),
    ...ofWatch.map((name) => () => transactions.watch({}, { [name]: key })),
    () => ledger.get(key),
    () => ledger.get('/guild/discharges', given(key)),
    () => ledger.get('/guild/discharges', { query: given(key) }),
  ]

  const failures = await Promise.all(calls.map(async (call) => failureOf(async () => call())))

  expect(failures.filter((error) => !GuildLedgerError.is(error))).toEqual([])
  expect(failures.filter((error) => everythingOf(error).includes(key))).toEqual([])
})

it('does not show a key or password that was given within baseUrl by mistake', async () => {
  for (const baseUrl of [key, `https://bot:${key}@ledger example`, `https://bot:${key}@ledger.example`])
    expect(everythingOf(await failureOf(() => new GuildLedger({ apiKey: key, baseUrl })))).not.toContain(key)
})

it('puts no key into the registry of shared throttles', async () => {
  const service = stubService(() => Response.json(guildResponse))
  await new GuildLedger({ ...service.options, apiKey: key, throttle: {} }).transactions.list()

  const registry = Reflect.get(globalThis, Symbol.for('@guild-ledger/sdk/throttles/1')) as Map<string, object>

  expect(registry.size).toBeGreaterThan(0)
  expect(everythingOf([...registry])).not.toContain(key)
})

it('shows only the address of a client when it is inspected or serialised', () => {
  const ledger = new GuildLedger({ apiKey: key, baseUrl: 'https://ledger.example/v1' })

  expect(inspect(ledger)).toBe("GuildLedger { baseUrl: 'https://ledger.example/v1' }")
  expect(JSON.stringify(ledger)).toBe('{"baseUrl":"https://ledger.example/v1"}')
})

it('leaves a number in a response body as it is if it looks like a short key', async () => {
  const body = JSON.stringify(guildResponse).replace('12.5', '12345678')
  const service = stubService(() => new Response(body))

  const page = await new GuildLedger({ ...service.options, apiKey: '12345678' }).transactions.list()

  expect(JSON.stringify(page)).toBe(body)
})
