import { GuildLedger, type GuildLedgerError } from '@guild-ledger/sdk'
import type { DocumentedErrorCode } from '@guild-ledger/sdk/contract'
import { errorBody, failureOf, sendJson, startTestServer, stubService } from '@guild-ledger/test-kit'
import { expect, it, vi } from 'vitest'

const client = (status: number, message: string) =>
  new GuildLedger(stubService(() => Response.json(errorBody(message), { status })).options)

const documented: Readonly<Record<DocumentedErrorCode, readonly [status: number, message: string, name: string]>> = {
  missing_guild_id: [400, 'No guild ID provided', 'MissingGuildIdError'],
  invalid_api_key: [401, 'Unauthorized - invalid API key', 'InvalidApiKeyError'],
  no_guild_transactions: [404, 'No transactions found for this guild', 'NoGuildTransactionsError'],
  no_user_transactions: [404, 'No transactions found for this user', 'NoUserTransactionsError'],
  guild_transactions_failed: [500, 'Failed to fetch guild transactions', 'GuildTransactionsFetchError'],
  user_transactions_failed: [500, 'Failed to fetch user transactions', 'UserTransactionsFetchError'],
}

it.each([
  ...Object.entries(documented).map(([code, facts]) => [...facts, code] as const),
  [400, 'limit must be …', 'BadRequestError', 'bad_request'],
  [401, 'expired', 'AuthenticationError', 'unauthorized'],
  [402, 'pay', 'ApiError', 'http_error'],
  [403, 'no scope', 'PermissionDeniedError', 'forbidden'],
  [403, 'API rate limit exceeded', 'RateLimitError', 'rate_limited'],
  [404, 'no such route', 'NotFoundError', 'not_found'],
  [429, 'slow down', 'RateLimitError', 'rate_limited'],
  [503, 'maintenance', 'ServerError', 'server_error'],
] as const)('maps status %i with message %j to %s', async (status, message, name, code) => {
  await using server = await startTestServer((_, response) => sendJson(response, errorBody(message), status))
  const ledger = new GuildLedger({ apiKey: 'k3y', baseUrl: server.url, throttle: false, retry: false })

  expect(await failureOf(ledger.transactions.list())).toMatchObject({
    name,
    code,
    status,
    reason: message,
    method: 'GET',
    endpoint: '/guild/ledger/transactions',
    url: `${server.url}/guild/ledger/transactions`,
    attempts: 1,
    callId: expect.any(String),
    body: { success: false, message },
    message: expect.stringContaining(`GET /guild/ledger/transactions failed: ${status} ${message}. `),
  })
})

it('keeps the status of an error response whose body breaks off', async () => {
  await using server = await startTestServer((_, response) => {
    response.writeHead(403, { 'content-length': '100' })
    response.write('{"suc', () => response.destroy())
  })
  const ledger = new GuildLedger({ apiKey: 'k3y', baseUrl: server.url, throttle: false })

  expect(await failureOf(ledger.transactions.list())).toMatchObject({ code: 'forbidden', status: 403 })
})

it.each([
  ['without middleware', []],
  ['with middleware', [(request: Request, next: (request: Request) => Promise<Response>) => next(request)]],
])('maps a status above 599, which no Response can have, %s', async (_, middleware) => {
  await using server = await startTestServer((_request, response) => sendJson(response, errorBody('go away'), 999))
  const ledger = new GuildLedger({ apiKey: 'k3y', baseUrl: server.url, throttle: false, retry: false, middleware })

  expect(await failureOf(ledger.transactions.list())).toMatchObject({
    code: 'server_error',
    status: 999,
    reason: 'go away',
  })
})

it('reports a refused connection with its cause', async () => {
  const gone = await startTestServer(() => {})
  await gone[Symbol.asyncDispose]()
  const ledger = new GuildLedger({ apiKey: 'k3y', baseUrl: gone.url, throttle: false, retry: false })

  expect(await failureOf(ledger.transactions.list())).toMatchObject({
    name: 'ConnectionError',
    code: 'connection',
    message: expect.stringMatching(/^GET \/guild\/ledger\/transactions failed: .*ECONNREFUSED.*\. Check baseUrl/),
  })
})

it('keeps the system code of a failed connection, and its innermost reason, in JSON', async () => {
  const service = stubService(() => {
    const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' })
    throw new TypeError('fetch failed', { cause })
  })

  const error = await failureOf(new GuildLedger(service.options).transactions.list())

  expect(JSON.parse(JSON.stringify(error))).toMatchObject({
    code: 'connection',
    retryable: true,
    actor: 'nobody',
    cause: { code: 'ECONNREFUSED', name: 'Error', message: 'connect ECONNREFUSED 127.0.0.1:1' },
  })
})

it('names the endpoint by its template, and no person in the url', async () => {
  const ledger = client(403, 'no')
  const errors = [
    await failureOf(ledger.user('84/12').transactions.list({ limit: 5 })),
    await failureOf(ledger.transactions.list({ platformId: '8412', from: 'shop', page: 2 })),
    await failureOf(ledger.get('/guild/discharges', { query: { member: 'Ann', since: 7 } })),
  ]

  expect(errors).toMatchObject([
    {
      endpoint: '/guild/ledger/{platformId}/transactions',
      url: 'https://ledger.example/guild/ledger/{platformId}/transactions?limit=5',
    },
    {
      endpoint: '/guild/ledger/transactions',
      url: 'https://ledger.example/guild/ledger/transactions?platformId=[redacted]&from=shop&page=2',
    },
    {
      endpoint: '/guild/discharges',
      url: 'https://ledger.example/guild/discharges?member=[redacted]&since=[redacted]',
    },
  ])
})

it.each([
  [402, false, 'manager'],
  [408, true, 'nobody'],
  [418, false, 'author'],
  [429, true, 'nobody'],
  [503, true, 'nobody'],
])('says of status %i whether a retry may help (%s) and who has to act (%s)', async (status, retryable, actor) => {
  expect(await failureOf(client(status, 'x').transactions.list())).toMatchObject({ retryable, actor })
})

it.each([
  [
    'http://127.0.0.1:1',
    'https://127.0.0.1/guild/ledger/transactions?token=secret#x',
    'https://127.0.0.1/guild/ledger/transactions',
    'If you trust that address, set baseUrl to https://127.0.0.1.',
  ],
  ['https://ledger.example/v1', '/login?next=1', 'https://ledger.example/login', 'Check baseUrl.'],
])('says where a redirect from %s leads', async (baseUrl, target, location, advice) => {
  const service = stubService(() => new Response(null, { status: 301, headers: { location: target } }))

  expect(await failureOf(new GuildLedger({ ...service.options, baseUrl }).transactions.list())).toMatchObject({
    code: 'redirect_refused',
    location,
    message: `GET /guild/ledger/transactions failed: status 301 is a redirect to ${location}, which is not followed because the key would be sent along. ${advice}`,
  })
})

const opaque = { status: 0, type: 'opaqueredirect', headers: new Headers(), body: null, text: async () => '' }
it.each([
  [
    'to something that is no address',
    new Response(null, { status: 301, headers: { location: '//[::' } }),
    'status 301',
  ],
  ['to an empty address', new Response(null, { status: 301, headers: { location: '' } }), 'status 301'],
  ['of a browser, which does not say where to', opaque, 'the response'],
  ['of a fetch without web streams', { ...opaque, status: 308, type: 'default', body: {} }, 'status 308'],
])('knows no location of a redirect %s', async (_, response, what) => {
  const ledger = new GuildLedger({ ...stubService(() => Response.error()).options, fetch: async () => response })

  expect(await failureOf(ledger.transactions.list())).toMatchObject({
    code: 'redirect_refused',
    location: undefined,
    message: `GET /guild/ledger/transactions failed: ${what} is a redirect, which is not followed because the key would be sent along. Check baseUrl.`,
  })
})

it('cancels the body of a redirect instead of reading it', async () => {
  const cancel = vi.fn()
  const redirect = new Response(new ReadableStream({ cancel }), { status: 307 })

  await failureOf(new GuildLedger(stubService(() => redirect).options).transactions.list())

  expect(cancel).toHaveBeenCalledOnce()
})

it('shortens a long message of the service in its own message and keeps it on one line', async () => {
  const reason = `x\n2026-01-01 FORGED \u001b[31m${'y'.repeat(40_000)}`

  const error = (await failureOf(client(401, reason).transactions.list())) as Error

  expect(error).toMatchObject({ code: 'unauthorized', reason })
  expect(error.message.length).toBeLessThan(2_000)
  expect(error.message).not.toMatch(/\p{Cc}/u)
})

it('serialises an error to plain data, without its body', async () => {
  const error = await failureOf(client(401, 'Unauthorized - invalid API key').transactions.list())

  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'InvalidApiKeyError',
    code: 'invalid_api_key',
    status: 401,
    reason: 'Unauthorized - invalid API key',
    method: 'GET',
    endpoint: '/guild/ledger/transactions',
    url: 'https://ledger.example/guild/ledger/transactions',
    attempts: 1,
    callId: expect.any(String),
    retryable: false,
    actor: 'manager',
    message: expect.stringContaining('failed: 401'),
  })
})

it('sets the page of an error of pagination, which cannot be changed', async () => {
  const error = (await failureOf(client(401, 'expired').transactions.iterate({ page: 4 }).next())) as GuildLedgerError

  expect(error.page).toBe(4)
  expect(Object.getOwnPropertyDescriptor(error, 'page')).toMatchObject({ writable: false, enumerable: true })
})
