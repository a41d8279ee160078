import { createMockLedger, type MockLedger } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { GuildLedger, type GuildLedgerOptions, type LedgerEntry } from '@guild-ledger/sdk'
import { setupServer } from 'msw/node'
import { describe, expect, it } from 'vitest'

interface Connection {
  readonly options: GuildLedgerOptions
  readonly close: () => void | Promise<void>
}

/** How the SDK reaches the mock. */
const adapters: [string, (mock: MockLedger) => Connection | Promise<Connection>][] = [
  ['mock.fetch', (mock) => ({ options: { baseUrl: mock.origin, fetch: mock.fetch }, close: () => {} })],
  [
    'MSW in Node',
    (mock) => {
      const server = setupServer(...mock.handlers)
      server.listen({ onUnhandledFrame: 'error' })
      return { options: { baseUrl: mock.origin }, close: () => server.close() }
    },
  ],
  [
    'real HTTP',
    async (mock) => {
      const server = await startMockServer({ mock, port: 0 })
      return { options: { baseUrl: server.url }, close: () => server.close() }
    },
  ],
]

const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => Array.fromAsync(items)
const byId = (entries: readonly LedgerEntry[]) => new Map(entries.map((entry) => [entry.transactionId, entry]))

describe.each(adapters)('the SDK and the mock through %s', (_, connect) => {
  const withLedger = async (mock: MockLedger, use: (ledger: GuildLedger) => Promise<void>, apiKey = mock.apiKey) => {
    const connection = await connect(mock)
    try {
      await use(new GuildLedger({ apiKey, throttle: false, retry: false, logLevel: 'off', ...connection.options }))
    } finally {
      await connection.close()
    }
  }

  it('list a page of the guild with its pagination and summary', async () => {
    const mock = createMockLedger({ rateLimit: 'off', seed: 1, users: 5, transactions: 60 })
    await withLedger(mock, async (ledger) => {
      const page = await ledger.transactions.list()
      expect(page.pagination).toEqual({ page: 1, limit: 20, total: 60, totalPages: 3 })
      expect(page.summary).toMatchObject({ totalTransactions: 60, uniqueUsers: 5 })
      expect(page.data.flatMap(({ transactions }) => transactions)).toHaveLength(20)
      expect(page.response).toMatchObject({ status: 200, attempts: 1 })
    })
  })

  it('iterate over every transaction once', async () => {
    const mock = createMockLedger({ rateLimit: 'off', seed: 2, users: 30, transactions: 333 })
    await withLedger(mock, async (ledger) => {
      const entries = await all(ledger.transactions.iterate({ limit: 50 }))
      expect(entries).toHaveLength(333)
      expect(byId(entries)).toEqual(byId(mock.guild.transactions))
    })
  })

  it('list and iterate over one user, whatever the identifier looks like', async () => {
    const mock = createMockLedger({ rateLimit: 'off', transactions: 40 })
    const platformId = 'guild/one ?#%2e'
    mock.guild.add(
      mock.guild.transactions
        .slice(0, 3)
        .map((entry, i) => ({ ...entry, transactionId: `00000000-0000-4000-8000-00000000000${i}`, platformId })),
    )
    await withLedger(mock, async (ledger) => {
      const { transactions } = ledger.user(platformId)
      expect((await transactions.list({ sortBy: 'amount' })).data).toMatchObject({
        platformId,
        transactions: [{}, {}, {}],
      })
      expect((await all(transactions.iterate())).map((entry) => entry.platformId)).toEqual([
        platformId,
        platformId,
        platformId,
      ])
    })
  })

  it('return no pages of an empty ledger, or throw what list throws', async () => {
    const mock = createMockLedger({ rateLimit: 'off', transactions: 0 })
    await withLedger(mock, async (ledger) => {
      expect(await all(ledger.transactions.iterate())).toEqual([])
      expect(await all(ledger.user('1').transactions.pages())).toEqual([])
      await expect(ledger.transactions.list()).rejects.toMatchObject({ code: 'no_guild_transactions' })
      await expect(ledger.user('1').transactions.list()).rejects.toMatchObject({ code: 'no_user_transactions' })
      await expect(all(ledger.transactions.iterate({}, { onEmpty: 'throw' }))).rejects.toMatchObject({
        code: 'no_guild_transactions',
        page: 1,
      })
    })
  })

  it('distinguish an invalid key from a key without a guild', async () => {
    const mock = createMockLedger({ rateLimit: 'off' })
    await withLedger(
      mock,
      (ledger) => expect(ledger.transactions.list()).rejects.toMatchObject({ code: 'invalid_api_key' }),
      'wrong-key',
    )
    const { value } = mock.createUnboundKey({ name: 'lost', scopes: ['guild:read'], expiresAt: '2999-01-01T00:00:00Z' })
    await withLedger(
      mock,
      (ledger) => expect(ledger.transactions.list()).rejects.toMatchObject({ code: 'missing_guild_id' }),
      value,
    )
  })
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
      'GET /guild/ledger/transactions failed: 421 mock.fetch responds for https://ledger.test only, not for https://api.example: use mock.origin as the base URL. Check baseUrl: the server does not serve this host on this connection.',
  })
})
