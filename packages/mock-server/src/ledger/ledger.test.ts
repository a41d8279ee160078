import { listAll } from '@guild-ledger/test-kit'
import { describe, expect, it } from 'vitest'
import { createMockLedger, type MockLedgerOptions } from '../index.ts'

const details = { name: 'bot', scopes: ['guild:read'], expiresAt: '2999-01-01T00:00:00Z' } as const
type Mock = ReturnType<typeof createMockLedger>
const send = async (mock: Mock, apiKey: string, target = listAll) => {
  const response = await mock.fetch(`${mock.origin}${target}`, { headers: { 'x-api-key': apiKey } })
  const { message } = (await response.json()) as { message?: string }
  return message === undefined ? response.status : `${response.status} ${message}`
}

describe('createMockLedger', () => {
  it('creates 500 transactions of 20 users, the same each time', () => {
    const { guild, origin } = createMockLedger()
    const { transactions } = guild

    expect(origin).toBe('https://ledger.test')
    expect(transactions).toHaveLength(500)
    expect(new Set(transactions.map(({ platformId }) => platformId)).size).toBe(20)
    expect(createMockLedger().guild.transactions).toEqual(transactions)
    expect(createMockLedger({ seed: 2 }).guild.transactions).not.toEqual(transactions)
  })

  it.each<[Record<string, unknown>, string]>([
    [{ seed: -1 }, '`seed` must be an integer ≥ 0, got -1'],
    [{ transactions: 1.5 }, '`transactions` must be an integer from 0 to 5000000, got 1.5'],
    [{ transactions: 1e9 }, '`transactions` must be an integer from 0 to 5000000, got 1000000000'],
    [{ users: 0 }, '`users` must be an integer ≥ 1 where there are transactions (500), got 0'],
    [{ user: 3 }, 'Unknown option `user`. Did you mean `users`?'],
    [{ origin: '*/' }, '`origin` must be an origin such as https://ledger.test'],
    [{ origin: 'https://ledger.test/v1' }, 'without a path, got a string of 22 characters'],
    [{ now: 5 }, '`now` must be a function'],
    [{ assumptions: { pageUnit: 'x' } }, '`pageUnit` must be one of'],
    [{ subscription: 'free' }, '`subscription` must be one of developer, enterprise, none, got "free"'],
    [{ rateLimit: 0 }, "`rateLimit` must be an integer from 1 to 1000000, or 'off', got 0"],
    [{ rateLimit: 'none' }, '`rateLimit` must be'],
    [{ apiKey: '' }, 'printable ASCII'],
  ])('rejects the options %o', (options, message) => {
    expect(() => createMockLedger(options as MockLedgerOptions)).toThrow(message)
  })
})

describe('createGuild', () => {
  it('creates guilds with data, keys, assumptions and faults of their own', async () => {
    const mock = createMockLedger({ transactions: 3, assumptions: { maxPage: 1 } })
    const other = mock.createGuild({ transactions: 3, assumptions: { maxPage: 2 } })

    expect(mock.guild.id).not.toBe(other.id)
    expect(mock.guild.transactions[0]).not.toEqual(other.transactions[0])
    expect(await send(mock, mock.apiKey, `${listAll}?page=2`)).toMatch(/^400 .*`page` must be an integer from 1 to 1/)
    expect(await send(mock, other.apiKey, `${listAll}?page=2`)).toBe(200)

    mock.guild.fault({ kind: 'internal-error' })
    expect(await send(mock, other.apiKey, listAll)).toBe(200)
  })

  it('creates no guild when an option is not allowed', () => {
    const mock = createMockLedger()

    expect(() => mock.createGuild({ seed: -1 })).toThrow('`seed` must be')
    expect(() => mock.createGuild({ apiKey: mock.apiKey })).toThrow('A key with this value exists')
    expect(mock.createGuild().id).toBe('guild-2')
  })
})

describe('API keys', () => {
  it('belong to one guild', () => {
    const mock = createMockLedger()
    const { id } = mock.createGuild().createKey(details)

    expect(() => mock.guild.deleteKey(id)).toThrow(`guild-1 has no key "${id}".`)
    expect(() => mock.deleteUnboundKey(id)).toThrow(`No key without a guild has the id "${id}".`)
  })

  it('are not created without a subscription, nor beyond maxKeysPerGuild', () => {
    const { guild } = createMockLedger({ assumptions: { maxKeysPerGuild: 1 } })

    expect(() => guild.createKey(details)).toThrow(
      'guild-1 has 1 API keys, as many as the assumption `maxKeysPerGuild`',
    )
    guild.subscription = 'none'
    expect(() => guild.createKey(details)).toThrow('no active Developer or Enterprise subscription')
    expect(() => (guild.subscription = 'free' as 'none')).toThrow('`subscription` must be one of')
  })
})

describe('checks of a request', () => {
  it('come in the order key, subscription, scope, guild, parameters, data', async () => {
    let time = Date.UTC(2026, 0, 1)
    const mock = createMockLedger({ transactions: 0, now: () => time })
    const { guild } = mock
    const key = guild.createKey({ ...details, scopes: [], expiresAt: new Date(time + 1000) })
    const unbound = mock.createUnboundKey(details)
    const unboundAndScopeless = mock.createUnboundKey({ ...details, scopes: [] })
    const wrong = `${listAll}?page=0&limit=0`

    guild.subscription = 'none'
    expect(await send(mock, key.value, wrong)).toBe('401 Unauthorized - no active Developer or Enterprise subscription')
    time += 1000
    expect(await send(mock, key.value, wrong)).toBe('401 Unauthorized - API key has expired')
    time -= 1000
    guild.subscription = 'enterprise'
    expect(await send(mock, key.value, wrong)).toBe('401 Unauthorized - API key lacks the scope guild:read')
    expect(await send(mock, unboundAndScopeless.value, wrong)).toMatch(/lacks the scope/)
    expect(await send(mock, unbound.value, wrong)).toBe('400 No guild ID provided')
    expect(await send(mock, mock.apiKey, wrong)).toBe(
      '400 Invalid query: `page` must be an integer ≥ 1, got "0"; `limit` must be an integer from 1 to 100, got "0"',
    )
    expect(await send(mock, mock.apiKey)).toBe('404 No transactions found for this guild')
  })

  it('respond with the assumed status', async () => {
    const time = Date.UTC(2026, 0, 1)
    let late = 0
    const mock = createMockLedger({
      now: () => time + late,
      assumptions: { expiredKeyStatus: 403, missingScopeStatus: 403, lapsedSubscriptionStatus: 402 },
    })
    const scopeless = mock.guild.createKey({ ...details, scopes: [] })
    const short = mock.guild.createKey({ ...details, expiresAt: new Date(time + 1) })
    late = 1

    expect(await send(mock, scopeless.value)).toBe('403 Forbidden - API key lacks the scope guild:read')
    expect(await send(mock, short.value)).toBe('403 Forbidden - API key has expired')
    mock.guild.subscription = 'none'
    expect(await send(mock, mock.apiKey)).toBe('402 Payment Required - no active Developer or Enterprise subscription')
  })
})
