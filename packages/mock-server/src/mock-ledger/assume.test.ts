import { describe, expect, it } from 'vitest'
import * as fc from 'fast-check'
import { assumptionRows, createMockLedger, type Assumptions, type MockLedger } from '../index.ts'

const list = '/guild/ledger/transactions'
const ask = (mock: MockLedger, target = list, apiKey = mock.apiKey) => mock.answer({ method: 'GET', target, apiKey })
const bodyOf = (mock: MockLedger, target = list) => JSON.parse(ask(mock, target).body) as Record<string, unknown>

describe('a guild that is running', () => {
  it('takes other readings', () => {
    const mock = createMockLedger({ transactions: 30, users: 3, assumptions: { maxPage: 5 } })
    expect(bodyOf(mock)).toMatchObject({ pagination: { total: 30 } })

    mock.guild.assume({ pageUnit: 'group' })

    expect(bodyOf(mock)).toMatchObject({ pagination: { total: 3 } })
    expect(mock.guild.assumptions).toMatchObject({ pageUnit: 'group', maxPage: 5 })
  })

  it('sums up anew what it had summed up', () => {
    const mock = createMockLedger({ transactions: 0 })
    const row = { platformId: '1', quantity: 1, name: 'Item', source: 'shop', createdAt: '2026-01-01T00:00:00.000Z' }
    mock.guild.add([{ ...row, transactionId: '00000001-0000-4000-8000-000000000000', amount: 2, total: 7 }])
    expect(bodyOf(mock)).toMatchObject({ summary: { totalValue: 7 } })

    mock.guild.assume({ totalValueOf: 'amount' })

    expect(bodyOf(mock)).toMatchObject({ summary: { totalValue: 2 } })
  })

  it('changes nothing where one reading is wrong', () => {
    const { guild } = createMockLedger({ transactions: 0 })

    expect(() => guild.assume({ pageUnit: 'group', maxPag: 1 } as Partial<Assumptions>)).toThrow(
      'did you mean maxPage?',
    )
    expect(guild.assumptions.pageUnit).toBe('transaction')
  })

  it.each<[Partial<Assumptions>, Partial<Assumptions>]>([
    [{ rateLimitAlgorithm: 'gcra' }, { rateLimitAlgorithm: 'sliding-window' }],
    [{ rateLimitAlgorithm: 'token-bucket' }, { rateLimitAlgorithm: 'sliding-window' }],
    [{ rateLimitAlgorithm: 'sliding-window' }, { rateLimitAlgorithm: 'fixed-window' }],
    [{ rateLimitScope: 'key' }, { rateLimitScope: 'guild' }],
  ])('forgets how much of the rate limit was used when it counts otherwise: from %j to %j', (before, after) => {
    const mock = createMockLedger({ transactions: 1, rateLimit: 1, now: () => 1_000_000, assumptions: before })
    expect([ask(mock).status, ask(mock).status]).toEqual([200, 429])

    mock.guild.assume(after)

    expect([ask(mock).status, ask(mock).status]).toEqual([200, 429])
  })

  it('does not forget it when only the refusal changes', () => {
    const mock = createMockLedger({ transactions: 1, rateLimit: 1, now: () => 0 })
    ask(mock)

    mock.guild.assume({ rateLimitStatus: 503, rateLimitHeaders: 'x-ratelimit' })

    expect(ask(mock)).toMatchObject({ status: 503, headers: { 'x-ratelimit-remaining': '0' } })
  })

  it('has no room for a key once the assumption says so', () => {
    const { guild } = createMockLedger({ transactions: 0 })
    guild.assume({ maxKeysPerGuild: 1 })

    expect(() => guild.createKey({ name: 'bot', scopes: [], expiresAt: '2999-01-01' })).toThrow('maxKeysPerGuild')
  })
})

describe('the mock as a whole', () => {
  it('takes other readings for guilds that have none of their own, now and later', () => {
    const mock = createMockLedger({ transactions: 0, assumptions: { maxPage: 5 } })
    const own = mock.createGuild({ assumptions: { maxPage: 7 } })

    mock.assume({ maxPage: 9, userLimit: 4 })

    expect(mock.assumptions).toMatchObject({ maxPage: 9, userLimit: 4 })
    expect(mock.guild.assumptions).toMatchObject({ maxPage: 9, userLimit: 4 })
    expect(own.assumptions).toMatchObject({ maxPage: 7, userLimit: 4 })
    expect(mock.createGuild().assumptions).toMatchObject({ maxPage: 9, userLimit: 4 })
  })

  it('takes other readings for keys that are bound to no guild', () => {
    const mock = createMockLedger({ transactions: 0 })
    const { value } = mock.createUnboundKey({ name: 'lost', scopes: [], expiresAt: '2999-01-01' })
    expect(ask(mock, list, value).status).toBe(401)

    mock.assume({ missingScopeStatus: 403 })

    expect(ask(mock, list, value).status).toBe(403)
  })

  it('comes back with a snapshot and a reset, and its guilds with it', () => {
    const mock = createMockLedger({ transactions: 1, rateLimit: 1, now: () => 0, assumptions: { maxPage: 5 } })
    mock.guild.assume({ rateLimitAlgorithm: 'gcra' })
    expect([ask(mock).status, ask(mock).status]).toEqual([200, 429])
    const snapshot = mock.snapshot()
    mock.assume({ maxPage: 6, userLimit: 7 })
    mock.guild.assume({ maxPage: 8, rateLimitAlgorithm: 'fixed-window' })
    expect(ask(mock).status).toBe(200)

    mock.restore(snapshot)

    expect(mock.guild.assumptions).toMatchObject({ maxPage: 5, userLimit: 20, rateLimitAlgorithm: 'gcra' })
    expect([mock.assumptions.maxPage, mock.assumptions.userLimit]).toEqual([5, 20])
    expect(ask(mock).status).toBe(429)
    mock.reset()
    expect(mock.guild.assumptions.rateLimitAlgorithm).toBe('sliding-window')
    expect(ask(mock).status).toBe(200)
  })
})

it('answers after any changes as a mock that was created with the last of them', () => {
  const change = fc.oneof(
    ...Object.entries(assumptionRows).map(([key, row]) => {
      const values = 'readings' in row ? row.readings.map(([value]) => value) : [row.default, row.min, 3]
      return fc.constantFrom(...values).map((value) => ({ [key]: value }))
    }),
  )
  const target = fc
    .tuple(
      fc.constantFrom(list, '/guild/ledger/1/transactions'),
      fc.constantFrom(
        '',
        '?page=2&limit=3',
        '?page=0',
        '?from=SHOP',
        '?minAmount=9&maxAmount=1',
        '?sortBy=name',
        '?x=1',
      ),
    )
    .map(([path, query]) => path + query)
  const rest = { transactions: 12, users: 3, now: () => 0, rateLimit: 'off' } as const

  fc.assert(
    fc.property(fc.array(fc.tuple(change, target), { minLength: 1, maxLength: 6 }), (steps) => {
      const changing = createMockLedger({ ...rest, apiKey: 'key' })
      const all: Partial<Assumptions> = {}
      for (const [changes, asked] of steps) {
        changing.guild.assume(changes)
        Object.assign(all, changes)
        const created = createMockLedger({ ...rest, apiKey: 'key', assumptions: all })
        expect(ask(changing, asked)).toEqual(ask(created, asked))
      }
    }),
    { numRuns: process.env.CI ? 200 : 40 },
  )
})
