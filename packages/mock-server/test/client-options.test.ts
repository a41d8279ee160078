import { createMockLedger } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { GuildLedger } from '@guild-ledger/sdk'
import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('mock.clientOptions connects a client to the first guild, guild.clientOptions to another', async () => {
  const mock = createMockLedger({ transactions: 30 })
  const guild = mock.createGuild({ transactions: 7 })

  const totals = [mock, mock.guild, guild].map(async ({ clientOptions }) => {
    const { pagination } = await new GuildLedger(clientOptions).transactions.list()
    return pagination.total
  })

  expect(await Promise.all(totals)).toEqual([30, 30, 7])
})

it('a client with clientOptions sends requests and retries without waiting', async () => {
  vi.useFakeTimers({ now: 0 })
  const { guild } = createMockLedger({ rateLimit: 'off', transactions: 1 })
  guild.fault({ kind: 'internal-error', times: 2 })
  const ledger = new GuildLedger({ ...guild.clientOptions, logLevel: 'off' })

  const pages = Promise.all(
    Array.from({ length: 25 }, async (_, i) => ledger.transactions.list({ minAmount: i / 100 })),
  )
  await vi.advanceTimersByTimeAsync(0)

  expect(await pages).toHaveLength(25)
  expect(Date.now()).toBe(0)
  guild.expectRequests(2, { status: 500 })
})

it('a pagination with clientOptions fails at once if the service does not recover', async () => {
  vi.useFakeTimers({ now: 0 })
  const { guild } = createMockLedger({ transactions: 1 })
  guild.fault({ kind: 'internal-error' })
  const ledger = new GuildLedger({ ...guild.clientOptions, logLevel: 'off' })

  const failure = Array.fromAsync(ledger.transactions.iterate()).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(10)

  expect(await failure).toMatchObject({ status: 500, page: 1 })
})

it('clientOptions works in a web page, and with another fetch and address', async () => {
  vi.stubGlobal('window', {})
  vi.stubGlobal('document', {})
  const mock = createMockLedger({ transactions: 3 })
  const server = await startMockServer({ mock, port: 0 })

  const ledger = new GuildLedger({ ...mock.clientOptions, baseUrl: server.url, fetch })
  const page = await ledger.transactions.list()
  await server.close()

  expect(page.pagination.total).toBe(3)
})

it('clientOptions cannot be changed by one test for the next', () => {
  const { clientOptions } = createMockLedger({ transactions: 0 })

  expect(() => Object.assign(clientOptions, { apiKey: 'other' })).toThrow(TypeError)
  expect(() => Object.assign(clientOptions.retry, { baseDelayMs: 300 })).toThrow(TypeError)
})

it('the default rate limit does not apply to clientOptions, and one that is set does', async () => {
  const mock = createMockLedger({ transactions: 3, now: () => 0 })
  const [inherits, limited] = [mock.createGuild({ transactions: 1 }), mock.createGuild({ rateLimit: 10 })]
  const sendTwenty = async (guild: typeof inherits) => {
    const ledger = new GuildLedger({ ...guild.clientOptions, retry: false, deduplicate: false, logLevel: 'off' })
    const calls = Array.from({ length: 20 }, async () => ledger.transactions.list())
    await Promise.allSettled(calls)
    return guild.requests.filter(({ status }) => status === 429).length
  }

  expect([await sendTwenty(mock.guild), await sendTwenty(inherits), await sendTwenty(limited)]).toEqual([0, 0, 10])
  mock.guild.rateLimit = 5
  expect(await sendTwenty(mock.guild)).toBe(15)
  mock.reset()
  expect(await sendTwenty(mock.guild)).toBe(0)
  // Whoever throttles is limited, as by the service.
  const statuses = Array.from({ length: 11 }, () =>
    mock.fetch(`${mock.origin}/guild/ledger/transactions`, { headers: { 'x-api-key': mock.apiKey } }),
  )
  expect((await Promise.all(statuses)).map(({ status }) => status).join(' ')).toBe(`${'200 '.repeat(10)}429`)
})

it('each mock of a process has keys of its own, so that their clients do not share a throttle', () => {
  const mocks = [createMockLedger(), createMockLedger()]
  const keys = mocks.flatMap((mock) => [mock.apiKey, mock.createGuild().apiKey])
  expect(new Set(keys).size).toBe(4)
})

it('the SDK fails without retry when its base URL is not that of the mock', async () => {
  const mock = createMockLedger()
  const ledger = new GuildLedger({ apiKey: mock.apiKey, baseUrl: 'https://api.example', fetch: mock.fetch })

  await expect(ledger.transactions.list()).rejects.toMatchObject({
    code: 'http_error',
    attempts: 1,
    message:
      'GET /guild/ledger/transactions failed: 421 mock.fetch responds for https://ledger.test only, not for https://api.example: use mock.origin as the base URL. Check baseUrl: the server does not serve this host.',
  })
})
