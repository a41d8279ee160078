import { describe, expect, it } from 'vitest'
import { cases, entry, listAll } from '@guild-ledger/test-kit'
import * as fc from 'fast-check'
import { assumptionDefinitions, createMockLedger, type Assumptions, type MockLedger } from '../index.ts'

const send = (mock: MockLedger, target = listAll, apiKey = mock.apiKey) =>
  mock.respond({ method: 'GET', target, apiKey })
const bodyOf = (mock: MockLedger, target = listAll) => JSON.parse(send(mock, target).body) as Record<string, unknown>

describe('guild.assume', () => {
  it('applies to summaries that were computed before', () => {
    const mock = createMockLedger({ transactions: 0 })
    mock.guild.add([entry(1, { amount: 2.5, total: 7 })])
    expect(bodyOf(mock)).toMatchObject({ summary: { totalValue: 7 } })

    mock.guild.assume({ totalValueOf: 'amount' })

    expect(bodyOf(mock)).toMatchObject({ summary: { totalValue: 2.5 } })
  })

  it.each<[Partial<Assumptions>, Partial<Assumptions>]>([
    [{ rateLimitAlgorithm: 'token-bucket' }, { rateLimitAlgorithm: 'sliding-window' }],
    [{ rateLimitAlgorithm: 'sliding-window' }, { rateLimitAlgorithm: 'fixed-window' }],
    [{ rateLimitScope: 'key' }, { rateLimitScope: 'guild' }],
  ])('clears the use of the rate limit when requests are counted differently: from %j to %j', (before, after) => {
    const mock = createMockLedger({ transactions: 1, rateLimit: 1, now: () => 1_000_000, assumptions: before })
    expect([send(mock).status, send(mock).status]).toEqual([200, 429])

    mock.guild.assume(after)

    expect([send(mock).status, send(mock).status]).toEqual([200, 429])
  })

  it('keeps the use of the rate limit when only the error response changes', () => {
    const mock = createMockLedger({ transactions: 1, rateLimit: 1, now: () => 0 })
    send(mock)

    mock.guild.assume({ rateLimitStatus: 503, rateLimitHeaders: 'x-ratelimit' })

    expect(send(mock)).toMatchObject({ status: 503, headers: { 'x-ratelimit-remaining': '0' } })
  })

  it('limits the number of keys from then on', () => {
    const { guild } = createMockLedger({ transactions: 0 })
    guild.assume({ maxKeysPerGuild: 1 })

    expect(() => guild.createKey({ name: 'bot', scopes: [], expiresAt: '2999-01-01' })).toThrow('maxKeysPerGuild')
  })
})

describe('mock.assume', () => {
  it('changes guilds that have no value of their own, those created later too', () => {
    const mock = createMockLedger({ transactions: 0, assumptions: { maxPage: 5 } })
    const own = mock.createGuild({ assumptions: { maxPage: 7 } })
    own.assume({ pageUnit: 'group' })

    mock.assume({ maxPage: 9, userLimit: 4 })

    expect(mock.assumptions).toMatchObject({ maxPage: 9, userLimit: 4 })
    expect(mock.guild.assumptions).toMatchObject({ maxPage: 9, userLimit: 4 })
    expect(own.assumptions).toMatchObject({ maxPage: 7, userLimit: 4 })
    expect(mock.createGuild().assumptions).toMatchObject({ maxPage: 9, userLimit: 4 })
  })

  it('changes responses to keys that are bound to no guild', () => {
    const mock = createMockLedger({ transactions: 0 })
    const { value } = mock.createUnboundKey({ name: 'lost', scopes: [], expiresAt: '2999-01-01' })
    expect(send(mock, listAll, value).status).toBe(401)

    mock.assume({ missingScopeStatus: 403 })

    expect(send(mock, listAll, value).status).toBe(403)
  })

  it('is undone by restore and reset, for its guilds too', () => {
    const mock = createMockLedger({ transactions: 1, rateLimit: 1, now: () => 0, assumptions: { maxPage: 5 } })
    mock.guild.assume({ rateLimitAlgorithm: 'token-bucket' })
    expect([send(mock).status, send(mock).status]).toEqual([200, 429])
    const snapshot = mock.snapshot()
    mock.assume({ maxPage: 6, userLimit: 7 })
    mock.guild.assume({ maxPage: 8, rateLimitAlgorithm: 'fixed-window' })
    expect(send(mock).status).toBe(200)

    mock.restore(snapshot)

    expect(mock.guild.assumptions).toMatchObject({ maxPage: 5, userLimit: 20, rateLimitAlgorithm: 'token-bucket' })
    expect([mock.assumptions.maxPage, mock.assumptions.userLimit]).toEqual([5, 20])
    expect(send(mock).status).toBe(429)
    mock.reset()
    expect(mock.guild.assumptions.rateLimitAlgorithm).toBe('sliding-window')
    expect(send(mock).status).toBe(200)
  })
})

it('a mock responds after any changes like a mock that was created with the final values', () => {
  const change = fc.oneof(
    ...Object.entries(assumptionDefinitions).map(([key, definition]) => {
      const values =
        'values' in definition ? definition.values.map(([value]) => value) : [definition.default, definition.min, 3]
      return fc.constantFrom(...values).map((value) => ({ [key]: value }))
    }),
  )
  const target = fc
    .tuple(
      fc.constantFrom(listAll, '/guild/ledger/1/transactions'),
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
      for (const [changes, requested] of steps) {
        changing.guild.assume(changes)
        Object.assign(all, changes)
        const created = createMockLedger({ ...rest, apiKey: 'key', assumptions: all })
        expect(send(changing, requested)).toEqual(send(created, requested))
      }
    }),
    { numRuns: cases(100, 20) },
  )
})
