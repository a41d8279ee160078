import { describe, expect, it } from 'vitest'
import { guildQuery, guildReply, issuesOf, platformId, transaction, userQuery, userReply } from './index.ts'

const row = {
  transactionId: '0b9d1c1e-6f6a-4d3e-9c55-0a1f5f0c8a11',
  amount: 12.5,
  quantity: 2,
  name: 'Iron Sword',
  source: 'shop',
  total: 25,
  createdAt: '2026-01-31T10:00:00.000Z',
}
const pagination = { page: 1, limit: 20, total: 1, totalPages: 1 }

describe('guildQuery', () => {
  it.each([
    ['page', 0, 'a whole number of at least 1'],
    ['page', 1.5, 'a whole number of at least 1'],
    ['page', '1', 'a whole number of at least 1'],
    ['page', Number.NaN, 'a whole number of at least 1'],
    ['page', Infinity, 'a whole number of at least 1'],
    ['limit', 0, 'a whole number from 1 to 100'],
    ['limit', 101, 'a whole number from 1 to 100'],
    ['minAmount', -1, 'a number of at least 0'],
    ['maxAmount', -0.01, 'a number of at least 0'],
    ['maxAmount', Infinity, 'a number of at least 0'],
    ['sortBy', 'price', 'one of amount, quantity, total, createdAt, name'],
    ['sortOrder', 'up', 'one of asc, desc'],
    ['startDate', 'yesterday', 'a valid Date, or an ISO 8601 date-time with its offset such as 2026-01-31T00:00:00Z'],
    ['startDate', '2026-01-31', 'a valid Date, or an ISO 8601 date-time with its offset such as 2026-01-31T00:00:00Z'],
    [
      'endDate',
      '2026-02-30T00:00:00Z',
      'a valid Date, or an ISO 8601 date-time with its offset such as 2026-01-31T00:00:00Z',
    ],
    [
      'endDate',
      new Date(Number.NaN),
      'a valid Date, or an ISO 8601 date-time with its offset such as 2026-01-31T00:00:00Z',
    ],
    ['platformId', '', 'a user identifier: not empty, not "." or ".."'],
    ['from', '\uD800', 'text without half characters (lone surrogates)'],
    ['from', null, 'a string'],
  ])('refuses %s %j, telling what it takes', (name, value, expected) => {
    expect(issuesOf(guildQuery, { [name]: value })).toMatchObject([{ path: name, expected }])
  })

  it('takes every documented parameter within its limits', () => {
    const query = {
      page: 1,
      limit: 100,
      platformId: 'a/b ?#%2e',
      from: '',
      minAmount: 0,
      maxAmount: 0.5,
      startDate: new Date(0),
      endDate: '2024-02-29T23:59:59.999+02:00',
      sortBy: 'name',
      sortOrder: 'asc',
    }
    expect(issuesOf(guildQuery, query)).toEqual([])
  })

  it('leaves out what is undefined', () => {
    expect(issuesOf(guildQuery, { page: undefined, from: undefined })).toEqual([])
  })

  it('names an unknown parameter', () => {
    expect(issuesOf(guildQuery, { form: 'shop' })).toEqual([
      { path: 'form', expected: 'left out, as no such name is known (did you mean from?)', received: 'a value' },
    ])
  })
})

describe('userQuery', () => {
  it.each(['platformId', 'startDate', 'endDate'])('does not know %s', (name) => {
    expect(issuesOf(userQuery, { [name]: '2026-01-01T00:00:00Z' })).toHaveLength(1)
  })

  it('does not sort by name', () => {
    expect(issuesOf(userQuery, { sortBy: 'name' })).toEqual([
      { path: 'sortBy', expected: 'one of amount, quantity, total, createdAt', received: '"name"' },
    ])
  })
})

describe('platformId', () => {
  it.each(['', '.', '..', '\uDC00'])('refuses %j', (id) => {
    expect(issuesOf(platformId, id)).toHaveLength(1)
  })

  it.each(['8412', '...', '%2e%2e', 'a/b', 'ünï'])('takes %j', (id) => {
    expect(issuesOf(platformId, id)).toEqual([])
  })
})

describe('transaction', () => {
  it.each(['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.123456Z', '2026-01-31T10:00:00+00:00', '2026-01-31T10:00Z'])(
    'accepts the UTC date-time %s',
    (createdAt) => {
      expect(issuesOf(transaction, { ...row, createdAt })).toEqual([])
    },
  )

  it.each(['2026-01-31T10:00:00', '2026-01-31T10:00:00+02:00', '2026-13-01T10:00:00Z', '31.01.2026', ''])(
    'refuses the date-time %j',
    (createdAt) => {
      expect(issuesOf(transaction, { ...row, createdAt })).toMatchObject([
        { path: 'createdAt', expected: 'an ISO 8601 date-time in UTC' },
      ])
    },
  )

  it.each(['amount', 'quantity', 'total'])('wants a number for %s', (field) => {
    expect(issuesOf(transaction, { ...row, [field]: '1' })).toEqual([
      { path: field, expected: 'a number', received: '"1"' },
    ])
  })
})

describe('replies', () => {
  const summary = { totalTransactions: 1, totalValue: 25, uniqueUsers: 1 }
  const group = { platformId: '8412', transactions: [row] }

  it('accepts fields the document does not list', () => {
    expect(issuesOf(guildReply, { success: true, data: [{ ...group, rank: 1 }], pagination, summary, x: 1 })).toEqual(
      [],
    )
  })

  it('tells the place, what belongs there and what stood there', () => {
    const broken = { ...group, transactions: [row, { ...row, amount: null, name: undefined }] }
    expect(issuesOf(guildReply, { success: true, data: [broken], pagination, summary })).toEqual([
      { path: 'data[0].transactions[1].amount', expected: 'a number', received: 'null' },
      { path: 'data[0].transactions[1].name', expected: 'a string', received: 'nothing' },
    ])
  })

  it('wants success to be true', () => {
    expect(issuesOf(userReply, { success: false, data: group, pagination })).toEqual([
      { path: 'success', expected: 'true', received: 'false' },
    ])
  })
})
