import { channel } from 'node:diagnostics_channel'
import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { GuildLedger, GuildLedgerError } from '@guild-ledger/sdk'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { guildReply, refusal } from './replies.ts'
import { json, serve } from './server.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'

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
    parts.push(
      error.message,
      error.stack ?? '',
      ...Reflect.ownKeys(error).map((name) => inspect(Reflect.get(error as object, name), { depth: Infinity })),
    )
  }
  return parts.join('\n')
}

const hostile = { ...refusal(`key ${key} refused`), key, nested: { [key]: key } }
const answers: [string, (request: IncomingMessage, response: ServerResponse) => void][] = [
  ['a page', (_, response) => json(response, guildReply)],
  ...[400, 401, 403, 404, 429, 500, 503, 418].map((status): (typeof answers)[number] => [
    `a ${status} that echoes the key`,
    (_, response) => json(response, hostile, status, { 'x-echo': key, 'retry-after': key }),
  ]),
  ['HTML that echoes the key', (_, response) => response.end(`<p>${key}</p>`)],
  [
    'JSON of the wrong shape that echoes the key',
    (_, response) => json(response, { success: key, data: [hostile], message: key }),
  ],
  [
    'a redirect to an address with the key',
    (_, response) => response.writeHead(302, { location: `/?key=${key}` }).end(),
  ],
  ['a broken connection', (_, response) => response.destroy()],
  [
    'a body that breaks off',
    (_, response) => response.writeHead(200, { 'content-length': '99' }).write(key, () => response.destroy()),
  ],
]

afterEach(() => vi.restoreAllMocks())

describe('the API key', () => {
  it.each(answers)('shows nowhere after %s', async (_, answer) => {
    const seen: unknown[] = []
    const listeners = events.map((name) => ({ name, listener: (message: unknown) => void seen.push(message) }))
    for (const { name, listener } of listeners) channel(name).subscribe(listener)
    for (const method of ['debug', 'info', 'warn', 'error', 'log'] as const) {
      vi.spyOn(console, method).mockImplementation((...line) => void seen.push(line))
    }
    await using server = await serve(answer)
    const ledger = new GuildLedger({
      apiKey: key,
      baseUrl: server.url,
      throttle: false,
      logLevel: 'debug',
      retry: { baseDelayMs: 0, maxRetries: 1 },
      middleware: [async (request, next) => (seen.push(request, [...request.headers]), next(request))],
    })

    const walk = ledger.transactions.iterate()
    for (const call of [
      ledger.transactions.list(),
      ledger.user('1').transactions.list(),
      ledger.get('/guild/discharges'),
      walk.next(),
    ]) {
      seen.push(await call.catch((error: unknown) => error))
    }
    for (const { name, listener } of listeners) channel(name).unsubscribe(listener)
    seen.push(ledger, ledger.transactions, ledger.user('1'), walk)

    expect(server.seen.every(({ headers, url }) => headers['x-api-key'] === key && !url.includes(key))).toBe(true)
    expect(seen.length).toBeGreaterThan(10)
    const shown = seen.map(everythingOf).filter((text) => text.includes(key))
    expect(shown).toEqual([])
  })

  it('shows nowhere when fetch itself throws it', async () => {
    const leaky = Object.assign(new Error(`cannot send ${key}`, { cause: new Error(key) }), {
      config: { headers: { 'x-api-key': key } },
    })
    const ledger = new GuildLedger({
      apiKey: key,
      baseUrl: 'https://ledger.example',
      retry: false,
      fetch: () => Promise.reject(leaky),
    })
    const error: unknown = await ledger.transactions.list().catch((reason: unknown) => reason)
    expect(GuildLedgerError.is(error)).toBe(true)
    expect(everythingOf(error)).not.toContain(key)
  })

  it('does not go to another origin, whatever middleware does', async () => {
    await using other = await serve((_, response) => json(response, guildReply))
    await using server = await serve((_, response) => json(response, guildReply))
    const ledger = new GuildLedger({
      apiKey: key,
      baseUrl: server.url,
      middleware: [(_, next) => next(new Request(other.url))],
    })
    await expect(ledger.transactions.list()).rejects.toMatchObject({ code: 'configuration', option: 'middleware' })
    expect(other.seen).toEqual([])
  })

  it.each([301, 302, 303, 307, 308])('does not follow a %i to another host', async (status) => {
    await using other = await serve((_, response) => json(response, guildReply))
    await using server = await serve((_, response) => response.writeHead(status, { location: other.url }).end())
    const ledger = new GuildLedger({ apiKey: key, baseUrl: server.url, logLevel: 'off' })
    await expect(ledger.transactions.list()).rejects.toMatchObject({ code: 'redirect_refused' })
    expect(other.seen).toEqual([])
  })

  it.each(['apikey', 'api_key', 'key', 'token'])('is not shown where it is given as %s by mistake', (name) => {
    const construct = () => new GuildLedger({ [name]: key, baseUrl: 'https://ledger.example' })
    expect(construct).toThrow(`${name} must be left out`)
    expect(construct).toThrow(expect.not.objectContaining({ message: expect.stringContaining(key) }))
  })

  it('is not shown where it is given as baseUrl by mistake, nor is a password', () => {
    const messages = [key, `https://bot:${key}@ledger example`].map((baseUrl) => {
      try {
        return JSON.stringify(new GuildLedger({ apiKey: key, baseUrl }))
      } catch (error) {
        return String(error)
      }
    })
    expect(messages.filter((message) => message.includes(key))).toEqual([])
  })

  const based = 'q1w2/e3r4+t5y6=='
  it.each([
    ['slashes escaped, as PHP does', based.replaceAll('/', String.raw`\/`)],
    ['plus signs escaped, as .NET does', based.replaceAll('+', String.raw`\u002B`)],
  ])('shows nowhere when a service echoes it with %s', async (_, echo) => {
    for (const status of [200, 401]) {
      const ledger = new GuildLedger({
        apiKey: based,
        baseUrl: 'https://ledger.example',
        throttle: false,
        fetch: async () =>
          new Response(`{"success":false,"message":"unknown key ${echo}","n":["${echo}"]}`, { status }),
      })
      expect(everythingOf(await ledger.transactions.list().catch((error: unknown) => error))).not.toContain(based)
    }
  })

  it('shows in no reply that middleware sees', async () => {
    const seen: string[] = []
    await using server = await serve((_, response) => json(response, hostile, 401, { 'x-echo': key }))
    const ledger = new GuildLedger({
      apiKey: key,
      baseUrl: server.url,
      throttle: false,
      middleware: [
        async (request, next) => {
          const response = await next(request)
          seen.push(everythingOf(response), everythingOf([...response.headers]), await response.clone().text())
          return response
        },
      ],
    })
    await ledger.transactions.list().catch(() => {})
    expect(seen.filter((text) => text.includes(key))).toEqual([])
  })

  it('shows not in the name or code of an error of fetch', async () => {
    const ledger = new GuildLedger({
      apiKey: key,
      baseUrl: 'https://ledger.example',
      throttle: false,
      retry: false,
      fetch: () => Promise.reject(Object.assign(new Error('x'), { code: key, name: key })),
    })
    expect(everythingOf(await ledger.transactions.list().catch((error: unknown) => error))).not.toContain(key)
  })

  it('does not go to another origin when an address changes between check and send', async () => {
    await using other = await serve((_, response) => json(response, guildReply))
    await using server = await serve((_, response) => json(response, guildReply))
    let reads = 0
    const ledger = new GuildLedger({
      apiKey: key,
      baseUrl: server.url,
      throttle: false,
      middleware: [
        (request, next) =>
          next(
            new Proxy(request, {
              get: (target, name) =>
                name === 'url' && (reads += 1) > 1 ? other.url : (Reflect.get(target, name, target) as unknown),
            }),
          ),
      ],
    })
    await ledger.transactions.list().catch(() => {})
    expect(other.seen).toEqual([])
  })
})
