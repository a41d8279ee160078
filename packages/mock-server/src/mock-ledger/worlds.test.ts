import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { describe, expect, it } from 'vitest'
import { createMockLedger, type MockLedger, type When } from '../index.ts'

const list = '/guild/ledger/transactions'
const ask = (mock: MockLedger, apiKey = mock.apiKey, target = list) => {
  const { status, headers, body } = mock.answer({ method: 'GET', target, apiKey })
  const { message, pagination } = JSON.parse(body) as { message?: string; pagination?: { total: number } }
  return { status, headers, message, total: pagination?.total }
}
const statuses = (mock: MockLedger, count: number, apiKey = mock.apiKey) =>
  Array.from({ length: count }, () => ask(mock, apiKey).status)
const rows = createMockLedger({ seed: 9, transactions: 5 }).guild.transactions
const [row, other] = rows as [LedgerEntry, LedgerEntry]

describe('reset, snapshot and restore', () => {
  it('bring back rows, keys, guilds, faults, limit, subscription, logs and what was to come', () => {
    const mock = createMockLedger({ now: () => 0, rateLimit: 3, transactions: 2 })
    const { guild } = mock
    guild.schedule([row], { afterRequests: 1 })
    const before = mock.snapshot()
    const later = mock.createGuild({ transactions: 1 })
    const key = guild.createKey({ name: 'bot', scopes: [], expiresAt: '2999-01-01' })
    statuses(mock, 4)
    guild.subscription = 'none'
    guild.fail({ kind: 'internal-error' })
    guild.rateLimit = 50

    mock.restore(before)

    expect(guild.keys.map(({ id }) => id)).toEqual(['key-1'])
    expect(guild.requests).toEqual([])
    expect(guild.rateLimit).toBe(3)
    expect(ask(mock, key.value).status).toBe(401)
    expect(ask(mock, later.apiKey).status).toBe(401)
    expect([ask(mock), ask(mock)]).toMatchObject([
      { status: 200, total: 2 },
      { status: 200, total: 3 },
    ])
    expect(mock.createGuild().apiKey).toBe(later.apiKey)

    mock.reset()
    expect(statuses(mock, 4)).toEqual([200, 200, 200, 429])
    expect(guild.transactions).toHaveLength(2)
    expect(mock.snapshot().guildIds).toEqual(['guild-1'])
  })

  it('can be done again and again from one snapshot', () => {
    const mock = createMockLedger({ transactions: 0 })
    mock.guild.add([row])
    const one = mock.snapshot()

    for (let round = 0; round < 3; round++) {
      mock.guild.add([other])
      mock.guild.remove([row.transactionId])
      mock.restore(one)
      expect(mock.guild.transactions).toEqual([row])
    }
    expect(() => mock.guild.add([row])).toThrow('is taken')
  })

  it('refuses a snapshot of another mock', () => {
    const mock = createMockLedger({ transactions: 0 })

    expect(() => mock.restore(createMockLedger({ transactions: 0 }).snapshot())).toThrow(
      'restore takes what snapshot() of the same mock returned',
    )
  })
})

describe('load', () => {
  it('adds what a reply holds', () => {
    const from = createMockLedger({ transactions: 30 })
    const to = createMockLedger({ transactions: 0 })
    const reply = (page: number) => {
      const { body } = from.answer({ method: 'GET', target: `${list}?page=${page}`, apiKey: from.apiKey })
      return body
    }

    expect(to.guild.load(`${reply(1)}\n${reply(2)}\n`)).toBe(30)
    expect(to.guild.transactions.toSorted((a, b) => (a.transactionId < b.transactionId ? -1 : 1))).toEqual(
      from.guild.transactions.toSorted((a, b) => (a.transactionId < b.transactionId ? -1 : 1)),
    )
  })

  it('adds nothing when a line is bad', () => {
    const { guild } = createMockLedger({ transactions: 0 })

    expect(() => guild.load(`${JSON.stringify(row)}\n{}`)).toThrow('line 2: transactionId must be')
    expect(guild.transactions).toEqual([])
  })
})

describe('schedule', () => {
  it('lets rows in between requests', () => {
    const mock = createMockLedger({ transactions: 0, rateLimit: 'off' })
    mock.guild.schedule(rows.slice(0, 2), { afterRequests: 1 })
    mock.guild.schedule(rows.slice(2), { afterRequests: 3 })

    expect([ask(mock), ask(mock), ask(mock), ask(mock)].map(({ total }) => total)).toEqual([undefined, 2, 2, 5])
  })

  it('lets rows in as time goes by', () => {
    let time = Date.UTC(2026, 0, 1)
    const mock = createMockLedger({ transactions: 0, now: () => time })
    mock.guild.schedule([row], { afterMs: 500 })
    mock.guild.schedule([other], { at: '2026-01-01T00:00:00.200Z' })

    expect(mock.guild.transactions).toEqual([])
    time += 200
    expect(ask(mock).total).toBe(1)
    time += 300
    expect(mock.guild.transactions).toEqual([other, row])
  })

  it.each<[unknown, unknown, string]>([
    [[{}], { afterMs: 1 }, 'breaks the contract'],
    [[row, row], { afterMs: 1 }, 'is taken'],
    [[row], { afterMs: -1 }, 'afterMs must be a whole number of at least 0, not -1.'],
    [[row], { afterRequests: 0 }, 'afterRequests must be a whole number of at least 1, not 0.'],
    [[row], { at: null }, "at must be a date such as '2026-02-01T00:00:00Z', not null."],
    [[row], { at: 'soon' }, 'at must be a date such as \'2026-02-01T00:00:00Z\', not "soon".'],
    [[row], {}, 'is said by one of at, afterMs, afterRequests'],
    [[row], { afterMs: 1, afterRequests: 1 }, 'not by "afterMs, afterRequests".'],
    [[row], undefined, 'is said by one of'],
  ])('refuses %j %j', (given, when, message) => {
    const { guild } = createMockLedger({ transactions: 0 })

    expect(() => guild.schedule(given as LedgerEntry[], when as When)).toThrow(message)
    expect(() => guild.schedule([row], { afterMs: 1 })).not.toThrow()
  })

  it('keeps the ids of rows that are on their way', () => {
    const { guild } = createMockLedger({ transactions: 0 })
    guild.schedule([row], { afterRequests: 9 })

    expect(() => guild.add([row])).toThrow('is taken')
    expect(() => guild.schedule([row], { afterMs: 9 })).toThrow('is taken')
  })
})
