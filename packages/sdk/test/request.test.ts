import { GuildLedger, type Middleware } from '@guild-ledger/sdk'
import {
  failureOf,
  guildResponse,
  sendJson,
  startTestServer,
  stubService,
  transaction,
  userResponse,
} from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'

const options = { apiKey: 'k3y', throttle: false } as const

it('sends a GET with the key in x-api-key and the documented parameter names', async () => {
  await using server = await startTestServer((_, response) => sendJson(response, guildResponse))

  await new GuildLedger({ ...options, baseUrl: server.url }).transactions.list({
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

it.each([
  ['a negative zero as zero', { minAmount: -0 }, '/guild/ledger/transactions?minAmount=0'],
  ['no parameter that is undefined', { from: undefined }, '/guild/ledger/transactions'],
])('sends %s', async (_, query, path) => {
  const service = stubService(() => Response.json(guildResponse))

  await new GuildLedger(service.options).transactions.list(query)

  expect(service.sent[0]?.url).toBe(`https://ledger.example${path}`)
})

it.each([
  ['8412', '/guild/ledger/8412/transactions'],
  ['a/b?c#d e', '/guild/ledger/a%2Fb%3Fc%23d%20e/transactions'],
  ['%2e%2e', '/guild/ledger/%252e%252e/transactions'],
  ['$&', '/guild/ledger/%24%26/transactions'],
])('encodes the platformId %s as one path segment, below the path of baseUrl', async (platformId, path) => {
  await using server = await startTestServer((_, response) => sendJson(response, userResponse))

  await new GuildLedger({ ...options, baseUrl: `${server.url}/v1/` }).user(platformId).transactions.list()

  expect(server.seen[0]?.url).toBe(`/v1${path}`)
})

it('asks for JSON and says who asks, unless the request says otherwise', async () => {
  const service = stubService(() => Response.json(guildResponse))
  const own = (request: Request) => new Request(request, { headers: { 'user-agent': 'own' } })
  const middleware: Middleware = (request, next) => next(service.sent.length === 0 ? request : own(request))
  const ledger = new GuildLedger({ ...service.options, appInfo: { name: 'bot' }, middleware: [middleware] })

  await ledger.transactions.list()
  await ledger.transactions.list()

  const shared = { accept: 'application/json', 'x-api-key': 'key-of-a-guild' }
  const agent: unknown = expect.stringMatching(/^guild-ledger-sdk\/.* bot$/)
  expect(service.sent.map(({ init }) => init.headers)).toEqual([
    { ...shared, 'user-agent': agent },
    { ...shared, 'user-agent': 'own' },
  ])
})

it('hands fetch a manual redirect mode, and neither cache nor credentials', async () => {
  const service = stubService(() => Response.json(guildResponse))

  await new GuildLedger(service.options).transactions.list()

  const init = service.sent[0]?.init
  expect(Object.keys(init ?? {}).toSorted()).toEqual(['headers', 'method', 'redirect', 'signal'])
  expect(init).toMatchObject({ method: 'GET', redirect: 'manual' })
})

it('resolves with the response body as it is, with the response behind it as a hidden property', async () => {
  const body = {
    ...guildResponse,
    since: 'v2',
    data: [{ platformId: '1', rank: 1, transactions: [{ ...transaction, tag: 'x' }] }],
  }
  await using server = await startTestServer((_, response) => sendJson(response, body, 200, { 'x-test': 'yes' }))

  const page = await new GuildLedger({ ...options, baseUrl: server.url }).transactions.list()

  expect(JSON.stringify(page)).toBe(JSON.stringify(body))
  expect(Object.keys(page)).not.toContain('response')
  expect(page.response).toMatchObject({ status: 200, attempts: 1 })
  expect(page.response.headers.get('x-test')).toBe('yes')
})

it('stops reading a response body at 16 MiB and cancels the rest', async () => {
  const chunk = new Uint8Array(2 * 1024 * 1024).fill(120)
  let pulled = 0
  let isCancelled = false
  const endless = () => {
    const pull = (body: ReadableStreamDefaultController<Uint8Array>) => {
      pulled++
      body.enqueue(chunk)
    }
    return new ReadableStream({ pull, cancel: () => void (isCancelled = true) }, { highWaterMark: 0 })
  }
  const service = stubService(() => new Response(endless()))

  await expect(new GuildLedger(service.options).transactions.list()).rejects.toMatchObject({
    code: 'invalid_response',
    message: expect.stringContaining('must have at most 16777216 bytes when decompressed'),
  })
  expect([pulled, isCancelled]).toEqual([9, true])
})

it('applies the size limit to a body whose content-length is empty', async () => {
  const service = stubService(
    () => new Response(new Uint8Array(16 * 1024 * 1024 + 1), { headers: { 'content-length': '' } }),
  )

  await expect(new GuildLedger(service.options).transactions.list()).rejects.toThrow('at most 16777216 bytes')
})

it('takes the last of duplicate names in a response body, and changes no prototype', async () => {
  const text = JSON.stringify(guildResponse).replace(
    '"success":true',
    '"success":false,"success":true,"__proto__":{"polluted":1}',
  )
  const service = stubService(() => new Response(text))

  const page = await new GuildLedger(service.options).transactions.list()

  expect(page.success).toBe(true)
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
  expect(Reflect.get(page, 'polluted')).toBeUndefined()
})

it('does not abort a fetch that has failed by itself, because Node can throw an exception then that nobody catches', async () => {
  const service = stubService(() => Promise.reject(new TypeError('too many content-encodings in response')))

  expect(await failureOf(new GuildLedger(service.options).transactions.list())).toMatchObject({ code: 'connection' })
  expect(service.sent[0]?.init.signal?.aborted).toBe(false)
})
