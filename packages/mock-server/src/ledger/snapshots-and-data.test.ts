import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { describe, expect, it } from 'vitest'
import { listAll, sendToMock, statusesFrom } from '@guild-ledger/test-kit'
import { createMockLedger, type Schedule } from '../index.ts'

const transactions = createMockLedger({ seed: 9, transactions: 5 }).guild.transactions
const [transaction, other] = transactions as [LedgerEntry, LedgerEntry]

describe('reset, snapshot and restore', () => {
  it('restore transactions, keys, guilds, faults, rate limit, subscription, logs and scheduled transactions', () => {
    const mock = createMockLedger({ now: () => 0, rateLimit: 3, transactions: 2 })
    const { guild } = mock
    guild.schedule([transaction], { afterRequests: 1 })
    const before = mock.snapshot()
    const later = mock.createGuild({ transactions: 1 })
    const key = guild.createKey({ name: 'bot', scopes: [], expiresAt: '2999-01-01' })
    statusesFrom(mock, 4)
    guild.subscription = 'none'
    guild.fault({ kind: 'internal-error' })
    guild.rateLimit = 50

    mock.restore(before)

    expect(guild.keys.map(({ id }) => id)).toEqual(['key-1'])
    expect(guild.requests).toEqual([])
    expect(guild.rateLimit).toBe(3)
    expect(sendToMock(mock, key.value).status).toBe(401)
    expect(sendToMock(mock, later.apiKey).status).toBe(401)
    expect([sendToMock(mock), sendToMock(mock)]).toMatchObject([
      { status: 200, total: 2 },
      { status: 200, total: 3 },
    ])
    expect(mock.createGuild().apiKey).toBe(later.apiKey)

    mock.reset()
    expect(statusesFrom(mock, 4)).toEqual([200, 200, 200, 429])
    expect(guild.transactions).toHaveLength(2)
    expect(mock.snapshot().guildIds).toEqual(['guild-1'])
  })

  it('restore the same snapshot several times', () => {
    const mock = createMockLedger({ transactions: 0 })
    mock.guild.add([transaction])
    const snapshot = mock.snapshot()

    for (let round = 0; round < 3; round++) {
      mock.guild.add([other])
      mock.guild.remove([transaction.transactionId])
      mock.restore(snapshot)
      expect(mock.guild.transactions).toEqual([transaction])
    }
    expect(() => mock.guild.add([transaction])).toThrow('is taken')
  })

  it('reject a snapshot of another mock', () => {
    const mock = createMockLedger({ transactions: 0 })

    expect(() => mock.restore(createMockLedger({ transactions: 0 }).snapshot())).toThrow(
      '`snapshot` must be one that snapshot() of the same mock returned',
    )
  })
})

describe('load', () => {
  it('adds the transactions of responses', () => {
    const from = createMockLedger({ transactions: 30 })
    const to = createMockLedger({ transactions: 0 })
    const responseBody = (page: number) =>
      from.respond({ method: 'GET', target: `${listAll}?page=${page}`, apiKey: from.apiKey }).body

    expect(to.guild.load(`${responseBody(1)}\n${responseBody(2)}\n`)).toBe(30)
    const inOrder = ({ guild }: typeof to) => guild.transactions.map((one) => JSON.stringify(one)).toSorted()
    expect(inOrder(to)).toEqual(inOrder(from))
  })
})

describe('schedule', () => {
  it('adds transactions between requests', () => {
    const mock = createMockLedger({ transactions: 0, rateLimit: 'off' })
    mock.guild.schedule(transactions.slice(0, 2), { afterRequests: 1 })
    mock.guild.schedule(transactions.slice(2), { afterRequests: 3 })

    expect([1, 2, 3, 4].map(() => sendToMock(mock).total)).toEqual([undefined, 2, 2, 5])
  })

  it('fills in what an added transaction lacks, and returns what was added', () => {
    const { guild } = createMockLedger({ transactions: 0 })
    guild.add([{ ...transaction, createdAt: '2026-03-01T00:00:00Z' }])

    const [added] = guild.add([{ platformId: '8412', name: 'Shield' }])

    expect(added).toEqual({
      platformId: '8412',
      transactionId: expect.any(String) as string,
      amount: 10,
      quantity: 1,
      name: 'Shield',
      source: 'shop',
      total: 10,
      createdAt: '2026-03-01T00:00:01.000Z',
    })
    expect(guild.transactions[1]).toEqual(added)
    expect(() => guild.add([{}, { nane: 'Shield' } as object])).toThrow(
      'Transaction 1 of 2: Unknown field `nane`. Did you mean `name`?',
    )
    expect(guild.transactions).toHaveLength(2)
  })

  it('exports what can be loaded, also where there is nothing', () => {
    const mock = createMockLedger({ transactions: 3 })
    const [copy, empty] = [mock.createGuild(), mock.createGuild()]

    expect(mock.guild.export().split('\n')).toHaveLength(4)
    expect(copy.load(mock.guild.export())).toBe(3)
    expect(copy.transactions).toEqual(mock.guild.transactions)
    expect(empty.export()).toBe('[]\n')
    expect(empty.load(empty.export())).toBe(0)
  })

  it('adds transactions as time goes by', () => {
    let time = Date.UTC(2026, 0, 1)
    const mock = createMockLedger({ transactions: 0, now: () => time })
    mock.guild.schedule([transaction], { afterMs: 500 })
    mock.guild.schedule([other], { at: '2026-01-01T00:00:00.200Z' })

    expect(mock.guild.transactions).toEqual([])
    time += 200
    expect(sendToMock(mock).total).toBe(1)
    time += 300
    expect(mock.guild.transactions).toEqual([other, transaction])
  })

  it('adds transactions that are due together in the order of their times, then those that waited for requests', () => {
    let time = 0
    const mock = createMockLedger({ transactions: 0, now: () => time })
    const [first, second, third, fourth] = transactions as [LedgerEntry, LedgerEntry, LedgerEntry, LedgerEntry]
    mock.guild.schedule([fourth], { afterRequests: 1 })
    mock.guild.schedule([third], { afterMs: 300 })
    mock.guild.schedule([first], { afterMs: 100 })
    mock.guild.schedule([second], { afterMs: 100 })
    sendToMock(mock)
    time = 300

    expect(mock.guild.transactions).toEqual([first, second, third, fourth])
  })

  it.each<[unknown, unknown, string]>([
    [[{ amount: '1' }], { afterMs: 1 }, 'Transaction 0 of 1: `amount` must be a number, got "1"'],
    [[transaction, transaction], { afterMs: 1 }, 'is taken'],
    [[transaction], { afterMs: -1 }, '`afterMs` must be an integer ≥ 0, got -1'],
    [[transaction], { afterRequests: 0 }, '`afterRequests` must be an integer ≥ 1, got 0'],
    [[transaction], { at: 'soon' }, '`at` must be a date such as \'2026-02-01T00:00:00Z\', got "soon"'],
    [[transaction], {}, '`schedule` must have exactly one of at, afterMs, afterRequests, got none'],
    [[transaction], { afterMs: 1, afterRequests: 1 }, 'got afterMs, afterRequests'],
    [[transaction], { afterMS: 1 }, 'Unknown field `afterMS`. Did you mean `afterMs`?'],
    [[transaction], undefined, '`schedule` must be an object, got undefined'],
  ])('rejects %j %j', (given, schedule, message) => {
    const { guild } = createMockLedger({ transactions: 0 })

    expect(() => guild.schedule(given as LedgerEntry[], schedule as Schedule)).toThrow(message)
    expect(() => guild.schedule([transaction], { afterMs: 1 })).not.toThrow()
  })

  it('reserves the ids of scheduled transactions', () => {
    const { guild } = createMockLedger({ transactions: 0 })
    guild.schedule([transaction], { afterRequests: 9 })

    expect(() => guild.add([transaction])).toThrow('is taken')
    expect(() => guild.schedule([transaction], { afterMs: 9 })).toThrow('is taken')
  })
})
