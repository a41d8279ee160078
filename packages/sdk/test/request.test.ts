import { GuildLedger, type GuildLedgerOptions } from '@guild-ledger/sdk'
import { describe, expect, it, vi } from 'vitest'
import { guildReply, refusal, row, userReply } from './replies.ts'
import { json, serve } from './server.ts'

const client = (baseUrl: string, options: GuildLedgerOptions = {}) =>
  new GuildLedger({ apiKey: 'k3y', baseUrl, throttle: false, retry: { baseDelayMs: 0 }, logLevel: 'off', ...options })
const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no failure',
    (error: unknown) => error,
  )

describe('a request', () => {
  it('asks with GET, the key in x-api-key and the documented names', async () => {
    await using server = await serve((_, response) => json(response, guildReply))
    await client(server.url).transactions.list({
      page: 2,
      limit: 50,
      platformId: 'a b',
      from: 'shop & co',
      minAmount: 0.5,
      maxAmount: 10,
      startDate: new Date('2026-01-01T00:00:00Z'),
      endDate: '2026-02-01T00:00:00+02:00',
      sortBy: 'name',
      sortOrder: 'asc',
    })
    expect(server.seen).toMatchObject([{ method: 'GET', headers: { 'x-api-key': 'k3y', accept: 'application/json' } }])
    const url = new URL(server.seen[0]?.url ?? '', server.url)
    expect(url.pathname).toBe('/guild/ledger/transactions')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      page: '2',
      limit: '50',
      platformId: 'a b',
      from: 'shop & co',
      minAmount: '0.5',
      maxAmount: '10',
      startDate: '2026-01-01T00:00:00.000Z',
      endDate: '2026-02-01T00:00:00+02:00',
      sortBy: 'name',
      sortOrder: 'asc',
    })
  })

  it('sends a negative zero as zero', async () => {
    await using server = await serve((_, response) => json(response, guildReply))
    await client(server.url).transactions.list({ minAmount: -0 })
    expect(server.seen[0]?.url).toBe('/guild/ledger/transactions?minAmount=0')
  })

  it('sends no parameter that was not given', async () => {
    await using server = await serve((_, response) => json(response, guildReply))
    await client(server.url).transactions.list({ from: undefined })
    expect(server.seen[0]?.url).toBe('/guild/ledger/transactions')
  })

  it.each([
    ['8412', '/guild/ledger/8412/transactions'],
    ['a/b?c#d e', '/guild/ledger/a%2Fb%3Fc%23d%20e/transactions'],
    ['%2e%2e', '/guild/ledger/%252e%252e/transactions'],
    ['$&', '/guild/ledger/%24%26/transactions'],
  ])('writes the user %s into the path as one segment', async (platformId, path) => {
    await using server = await serve((_, response) => json(response, userReply))
    await client(`${server.url}/v1/`).user(platformId).transactions.list()
    expect(server.seen[0]?.url).toBe(`/v1${path}`)
  })

  it('returns the reply body as it came, with how it came about beside it', async () => {
    const reply = {
      ...guildReply,
      since: 'v2',
      data: [{ platformId: '1', rank: 1, transactions: [{ ...row, tag: 'x' }] }],
    }
    await using server = await serve((_, response) => json(response, reply, 200, { 'x-test': 'yes' }))
    const page = await client(server.url).transactions.list()
    expect(JSON.stringify(page)).toBe(JSON.stringify(reply))
    expect(Object.keys(page)).not.toContain('response')
    expect(page.response).toMatchObject({ status: 200, attempts: 1 })
    expect(page.response.headers.get('x-test')).toBe('yes')
  })
})

describe('refusals', () => {
  it.each([
    [400, 'No guild ID provided', 'MissingGuildIdError', 'missing_guild_id'],
    [400, 'limit must be …', 'BadRequestError', 'bad_request'],
    [401, 'Unauthorized - invalid API key', 'InvalidApiKeyError', 'invalid_api_key'],
    [401, 'expired', 'AuthenticationError', 'unauthorized'],
    [402, 'pay', 'ApiError', 'http_error'],
    [403, 'no scope', 'PermissionDeniedError', 'forbidden'],
    [404, 'No transactions found for this guild', 'NoGuildTransactionsError', 'no_guild_transactions'],
    [404, 'No transactions found for this user', 'NoUserTransactionsError', 'no_user_transactions'],
    [404, 'no such route', 'NotFoundError', 'not_found'],
    [429, 'slow down', 'RateLimitError', 'rate_limited'],
    [500, 'Failed to fetch guild transactions', 'GuildTransactionsFetchError', 'guild_transactions_failed'],
    [500, 'Failed to fetch user transactions', 'UserTransactionsFetchError', 'user_transactions_failed'],
    [503, 'maintenance', 'ServerError', 'server_error'],
  ])('reads %i %j as %s', async (status, message, name, code) => {
    await using server = await serve((_, response) => json(response, refusal(message), status))
    expect(await failure(client(server.url, { retry: false }).transactions.list())).toMatchObject({
      name,
      code,
      status,
      reason: message,
      endpoint: 'GET /guild/ledger/transactions',
      attempts: 1,
      body: { success: false, message },
      message: expect.stringContaining(`GET /guild/ledger/transactions: ${status} ${message}`),
    })
  })

  it.each([
    ['HTML', '<html>Bad gateway</html>'],
    ['nothing', ''],
    ['broken JSON', '{"success":false,"mess'],
    ['JSON without a message', '[]'],
    ['a message that is not text', '{"message":{}}'],
  ])('keeps the status where the error body is %s', async (_, body) => {
    await using server = await serve((_request, response) => response.writeHead(401).end(body))
    expect(await failure(client(server.url).transactions.list())).toMatchObject({
      code: 'unauthorized',
      status: 401,
      reason: undefined,
    })
  })

  it('keeps the status where the error body breaks off', async () => {
    await using server = await serve((_, response) => {
      response.writeHead(403, { 'content-length': '100' })
      response.write('{"suc', () => response.destroy())
    })
    expect(await failure(client(server.url).transactions.list())).toMatchObject({ code: 'forbidden', status: 403 })
  })
})

describe('retries', () => {
  it.each([408, 429, 500, 502, 503, 504])('asks again after a %i, twice unless told otherwise', async (status) => {
    await using server = await serve((_, response) => json(response, refusal('later'), status))
    const error = await failure(client(server.url).transactions.list())
    expect(error).toMatchObject({ status, attempts: 3, message: expect.stringContaining('attempt 3') })
    expect(server.seen).toHaveLength(3)
  })

  it.each([400, 401, 402, 403, 404, 409, 501])('does not ask again after a %i', async (status) => {
    await using server = await serve((_, response) => json(response, refusal('no'), status))
    await failure(client(server.url).transactions.list())
    expect(server.seen).toHaveLength(1)
  })

  it('returns the page of the attempt that works, and tells how many it took', async () => {
    await using server = await serve((_, response, nth) => (nth < 3 ? response.destroy() : json(response, guildReply)))
    const page = await client(server.url).transactions.list()
    expect(page.response.attempts).toBe(3)
  })

  it('asks again when a body breaks off', async () => {
    await using server = await serve((_, response, nth) => {
      if (nth > 1) return json(response, guildReply)
      response.writeHead(200, { 'content-length': '1000' })
      return response.write('{"success":true', () => response.destroy())
    })
    expect((await client(server.url).transactions.list()).response.attempts).toBe(2)
  })

  it('asks once where the call says so', async () => {
    await using server = await serve((_, response) => json(response, refusal('later'), 500))
    await failure(client(server.url).transactions.list({}, { maxRetries: 0 }))
    expect(server.seen).toHaveLength(1)
  })
})

describe('replies that break the contract', () => {
  it.each([
    ['HTML', '<html></html>', 'the body must be JSON; got text that begins "<html></html>"'],
    ['nothing', '', 'the body must be JSON; got nothing'],
    ['cut JSON', '{"success":tr', 'the body must be JSON; got text that begins "{\\"success\\":tr"'],
    ['null', 'null', 'the body must be '],
    ['a list', '[]', 'the body must be '],
    ['a refusal with status 200', '{"success":false,"message":"database down"}', 'The service says: "database down".'],
    [
      'a wrong total',
      JSON.stringify({ ...guildReply, pagination: { page: 1, limit: 1, total: '1', totalPages: 1 } }),
      'pagination.total must be a whole number; got "1"',
    ],
  ])('refuses %s, telling what is wrong', async (_, body, message) => {
    await using server = await serve((_request, response) => response.end(body))
    const error = await failure(client(server.url).transactions.list())
    expect(error).toMatchObject({
      name: 'ResponseValidationError',
      code: 'invalid_response',
      message: expect.stringContaining(message),
    })
  })

  it('refuses a 204', async () => {
    await using server = await serve((_, response) => response.writeHead(204).end())
    expect(await failure(client(server.url).transactions.list())).toMatchObject({ code: 'invalid_response' })
  })

  it('takes a body of 10 MB', async () => {
    await using server = await serve((_, response) =>
      json(response, { ...guildReply, padding: 'x'.repeat(10_000_000) }),
    )
    expect((await client(server.url).transactions.list()).data).toHaveLength(1)
  })

  it('cuts off a body that never ends, and lets go of it', async () => {
    const mebibyte = new Uint8Array(1024 * 1024).fill(120)
    let pulled = 0
    let cancelled = false
    const endless = () => {
      const pull = (body: ReadableStreamDefaultController<Uint8Array>) => {
        pulled += 1
        body.enqueue(mebibyte)
      }
      return new ReadableStream({ pull, cancel: () => void (cancelled = true) }, { highWaterMark: 0 })
    }
    const ledger = client('https://ledger.example', { retry: false, fetch: async () => new Response(endless()) })
    await expect(ledger.transactions.list()).rejects.toMatchObject({
      code: 'connection',
      message: expect.stringContaining('the body is larger than 64 MiB'),
    })
    expect([pulled, cancelled]).toEqual([65, true])
  })

  it('lets the last of duplicate names win, and changes no prototype', async () => {
    const text = JSON.stringify(guildReply).replace(
      '"success":true',
      '"success":false,"success":true,"__proto__":{"polluted":1}',
    )
    await using server = await serve((_, response) => response.end(text))
    const page = await client(server.url).transactions.list()
    expect(page.success).toBe(true)
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
    expect(Reflect.get(page, 'polluted')).toBeUndefined()
  })

  it('only warns, or says nothing, when told so', async () => {
    await using server = await serve((_, response) => json(response, { success: true, odd: 1 }))
    const warn = vi.fn<(message: string) => void>()
    const logger = { debug: vi.fn(), info: vi.fn(), warn, error: vi.fn() }
    const ledger = client(server.url, { logger, logLevel: 'warn' })
    expect(await ledger.transactions.list({}, { validation: 'warn' })).toEqual({ success: true, odd: 1 })
    expect(warn.mock.calls[0]?.[0]).toContain('The reply breaks the contract')
    expect(await ledger.transactions.list({}, { validation: 'off' })).toEqual({ success: true, odd: 1 })
    expect(warn).toHaveBeenCalledTimes(1)
  })
})

describe('connections', () => {
  it('reports a refused connection with its cause', async () => {
    const gone = await serve(() => {})
    await gone[Symbol.asyncDispose]()
    expect(await failure(client(gone.url).transactions.list())).toMatchObject({
      name: 'ConnectionError',
      code: 'connection',
      message: expect.stringContaining('ECONNREFUSED'),
    })
  })

  it.each([301, 302, 303, 307, 308])('does not follow a %i: the other host sees nothing', async (status) => {
    await using other = await serve((_, response) => json(response, guildReply))
    await using server = await serve((_, response) => response.writeHead(status, { location: other.url }).end())
    expect(await failure(client(server.url).transactions.list())).toMatchObject({
      name: 'RedirectError',
      code: 'redirect_refused',
    })
    expect(other.seen).toEqual([])
    expect(server.seen).toHaveLength(1)
  })
})

describe('the reply body', () => {
  const local = (reply: unknown, options: GuildLedgerOptions = {}) =>
    client('https://ledger.example', { fetch: async () => Response.json(reply), ...options })

  it('is left alone where a number in it looks like the key', async () => {
    const reply = {
      ...guildReply,
      data: [{ platformId: '8412', transactions: [{ ...row, amount: 12_345_678 }] }],
    }
    const page = await local(reply, { apiKey: '12345678' }).transactions.list()
    expect(JSON.stringify(page)).toBe(JSON.stringify(reply))
  })

  it('keeps an unknown field that is called response', async () => {
    const reply = { ...guildReply, response: 'approved' }
    expect(JSON.stringify(await local(reply).transactions.list())).toBe(JSON.stringify(reply))
    expect(await local(reply).get('/guild/discharges')).toMatchObject({ response: 'approved' })
  })

  it('of another path is handed on untouched, and so is what a schema makes of it', async () => {
    const made = Object.freeze({ shared: true })
    const open = { shared: true }
    for (const value of [made, open]) {
      const schema = { '~standard': { version: 1, vendor: 'test', validate: () => ({ value }) } } as const
      expect(await local({}).get('/x', { schema })).toBe(value)
      expect(Reflect.ownKeys(value)).toEqual(['shared'])
    }
  })

  it.each([[{}], [{ ...guildReply, data: ['x'] }], [[]], [null]])(
    '%j is refused in words, each issue',
    async (reply) => {
      const error = await failure(local(reply).transactions.list())
      expect(error).toMatchObject({ code: 'invalid_response' })
      expect(String(error)).not.toContain('Invalid input')
    },
  )
})

describe('a long or hostile message of the service', () => {
  it('is shortened in the message of the error, and stays on one line', async () => {
    const text = `x\n2026-01-01 FORGED \u001b[31m${'y'.repeat(1_000_000)}`
    await using server = await serve((_, response) => json(response, refusal(text), 401))
    const error = (await failure(client(server.url).transactions.list())) as Error
    expect(error).toMatchObject({ code: 'unauthorized', reason: text })
    expect(error.message.length).toBeLessThan(2_000)
    expect(error.message).not.toMatch(/\p{Cc}/u)
  })
})

describe('connections of replies that middleware does not hand on', () => {
  it('are freed when the call is over', async () => {
    let open = 0
    await using server = await serve((_, response) => {
      open += 1
      response.on('close', () => (open -= 1))
      response.writeHead(503).end('x'.repeat(4_000_000))
    })
    const ledger = client(server.url, {
      retry: false,
      middleware: [async (request, next) => (await next(request), Response.json(guildReply))],
    })
    await Promise.all(Array.from({ length: 8 }, () => ledger.transactions.list()))
    await vi.waitFor(() => expect(open).toBe(0), { timeout: 1_000 })
  })
})
