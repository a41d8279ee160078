import { GuildLedger, GuildLedgerError, type GuildLedgerOptions } from '@guild-ledger/sdk'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { guildReply, refusal } from './replies.ts'
import { json, serve } from './server.ts'

const passOn = (request: Request, next: (request: Request) => Promise<Response>) => next(request)
const client = (answer: () => Response, options: GuildLedgerOptions = {}) => {
  const sent: string[] = []
  const fetch = async (url: string) => (sent.push(url), answer())
  const given = { apiKey: 'k3y', baseUrl: 'https://ledger.example', throttle: false, retry: false, logLevel: 'off' }
  return { ledger: new GuildLedger({ ...given, fetch, ...options } as GuildLedgerOptions), sent }
}
const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no failure',
    (error: unknown) => error,
  )

afterEach(() => void vi.useRealTimers())

describe('a reply with a million mistakes', () => {
  it('is refused by the first hundred of them', async () => {
    const text = `{"success":true,"data":[${'0,'.repeat(1_000_000)}0],"pagination":{},"summary":{}}`
    const error = await failure(client(() => new Response(text)).ledger.transactions.list())
    expect(error).toMatchObject({
      code: 'invalid_response',
      message: expect.stringContaining('data[0] must be an object; got 0. data[1] must be an object; got 0.'),
    })
    expect((error as { issues: unknown[] }).issues).toHaveLength(100)
  })
})

describe('a status that no Response can be made with', () => {
  it.each([
    ['without middleware', []],
    ['with middleware', [passOn]],
  ])('is a refusal like any other %s', async (_, middleware) => {
    await using server = await serve((_request, response) => json(response, refusal('go away'), 999))
    const options = { apiKey: 'k3y', throttle: false, retry: false, middleware } as const
    const ledger = new GuildLedger({ ...options, baseUrl: server.url })
    expect(await failure(ledger.transactions.list())).toMatchObject({
      code: 'server_error',
      status: 999,
      reason: 'go away',
    })
  })
})

describe('a fetch that answers with a network error', () => {
  it.each([
    ['without middleware', []],
    ['with middleware', [passOn]],
  ])('has failed to connect, %s, and is asked again', async (_, middleware) => {
    const answers = [() => Response.error(), () => Response.json(guildReply)]
    const { ledger, sent } = client(() => (answers.shift() ?? Response.error)(), {
      middleware,
      retry: { maxRetries: 1, baseDelayMs: 0 },
    })
    expect((await ledger.transactions.list()).response.attempts).toBe(2)
    await expect(ledger.transactions.list()).rejects.toMatchObject({ code: 'connection' })
    expect(sent).toHaveLength(4)
  })
})

describe('a length that says nothing', () => {
  it('does not let a body through that is too large', async () => {
    const long = () => new Response(new Uint8Array(70 * 1024 * 1024), { headers: { 'content-length': '' } })
    const { ledger } = client(long)
    await expect(ledger.transactions.list()).rejects.toThrow('the body is larger than 64 MiB')
  })
})

describe('a walk that does not check replies', () => {
  it.each([
    ['nothing', {}],
    ['no pagination', { ...guildReply, pagination: undefined }],
    ['users without transactions', { ...guildReply, data: [{}] }],
    ['null', null],
  ])('still throws errors of this package: %s', async (_, reply) => {
    const { ledger } = client(() => Response.json(reply), { validation: 'off' })
    for (const walk of [ledger.transactions.pages({ page: 3 }), ledger.transactions.iterate({ page: 3 })]) {
      const error = await failure(Array.fromAsync(walk as AsyncIterable<unknown>))
      expect(GuildLedgerError.is(error) && error).toMatchObject({ code: 'invalid_response', page: 3 })
    }
  })
})

describe('a path that only looks plain', () => {
  it.each(['/guild/..%2f..%2Fadmin', '/guild/%2E%2e%5cadmin', '/a/.%2e', ['/guild/discharges'], 7])(
    '%j is refused',
    async (path) => {
      const { ledger, sent } = client(() => Response.json({}))
      expect(await failure(ledger.get(path as string))).toMatchObject({ code: 'invalid_parameter' })
      expect(sent).toEqual([])
    },
  )

  it.each(['/guild/..discharges', '/guild/a%2fb', '/guild/...'])('%s is one', async (path) => {
    const { ledger, sent } = client(() => Response.json({}))
    await ledger.get(path)
    expect(sent).toEqual([`https://ledger.example${path}`])
  })
})

describe('a name that no address can hold', () => {
  it('is refused like such a value', async () => {
    const { ledger, sent } = client(() => Response.json({}))
    const error = await failure(ledger.get('/guild/discharges', { query: { 'half \ud800': 'x' } }))
    expect(error).toMatchObject({ code: 'invalid_parameter' })
    expect(sent).toEqual([])
  })
})

describe('a watch', () => {
  it('that is told to wait longer than timers reach does not ask without a pause', async () => {
    vi.useFakeTimers()
    const waits: number[] = []
    const headers = { 'retry-after': '99999999999' }
    const { ledger, sent } = client(() => Response.json(refusal('slow down'), { status: 429, headers }))
    const stop = new AbortController()
    const onError = (_: Error, { retryInMs }: { retryInMs: number }) => void waits.push(retryInMs)
    const ended = failure(Array.fromAsync(ledger.transactions.watch({}, { signal: stop.signal, onError })))
    await vi.advanceTimersByTimeAsync(86_400_000)
    stop.abort('enough')
    expect(await ended).toBe('enough')
    expect(sent).toHaveLength(1)
    expect(waits).toEqual([2_147_483_647])
  })

  it('goes on watching what it was made for when its filters are changed', async () => {
    vi.useFakeTimers()
    const { ledger, sent } = client(() => Response.json(guildReply))
    const filters = { from: 'shop' }
    const stop = new AbortController()
    const watch = ledger.transactions.watch(filters, { signal: stop.signal })
    filters.from = 'gift'
    const ended = failure(Array.fromAsync(watch))
    await vi.advanceTimersByTimeAsync(10_000)
    stop.abort('enough')
    await ended
    expect(watch.checkpoint?.watched).toContain('from=shop')
    expect(sent.filter((url) => !url.includes('from=shop'))).toEqual([])
    expect(sent.length).toBeGreaterThan(1)
  })

  it.each(['2026-02-30T00:00:00Z', new Date(8.64e15), new Date(-8.64e15), new Date(Number.NaN), '2026-01-31'])(
    'since %s, which is no date that can be asked for, is refused',
    (since) => {
      const { ledger } = client(() => Response.json(guildReply))
      expect(() => ledger.transactions.watch({}, { since })).toThrow(/^since must be 'now', a valid Date/)
    },
  )
})
