import type { GuildResponse, LedgerEntry } from '@guild-ledger/sdk/contract'
import { describe, expect, it } from 'vitest'
import { assume, type Assumptions } from '../assumptions/index.ts'
import { createTransactionStore } from '../store/index.ts'
import { guildPage, userPage } from './page.ts'
import type { ParsedQuery } from './parse-query.ts'

const entry = (n: number, platformId: string, amount: number): LedgerEntry => ({
  platformId,
  transactionId: `00000000-0000-4000-8000-00000000000${n}`,
  amount,
  quantity: 1,
  name: `Item ${n}`,
  source: n % 2 ? 'shop' : 'quest',
  total: amount * 10,
  createdAt: `2026-01-0${n}T00:00:00.000Z`,
})
const transactions = createTransactionStore()
// In the order of the ledger, u3 is first; by id, u1 is; sorted by amount ascending, u2 is.
transactions.add([entry(1, 'u3', 3), entry(2, 'u1', 4), entry(3, 'u3', 5), entry(4, 'u2', 1), entry(5, 'u2', 6)])

const ascending: ParsedQuery = { page: 1, limit: 20, sortBy: 'amount', sortOrder: 'asc' }
const list = (parsed: Partial<ParsedQuery>, assumptions: Partial<Assumptions> = {}) =>
  guildPage(transactions, { ...ascending, ...parsed }, assume(assumptions)).body
const shape = ({ data }: GuildResponse) =>
  data.map((group) => `${group.platformId}: ${group.transactions.map(({ amount }) => amount).join(' ')}`)

it('contains the documented fields of a transaction, pagination and summary', () => {
  expect(list({ limit: 1 })).toEqual({
    success: true,
    data: [
      {
        platformId: 'u2',
        transactions: [
          {
            transactionId: '00000000-0000-4000-8000-000000000004',
            amount: 1,
            quantity: 1,
            name: 'Item 4',
            source: 'quest',
            total: 10,
            createdAt: '2026-01-04T00:00:00.000Z',
          },
        ],
      },
    ],
    pagination: { page: 1, limit: 1, total: 5, totalPages: 5 },
    summary: { totalTransactions: 5, totalValue: 190, uniqueUsers: 3 },
  })
})

describe('pageUnit', () => {
  it('splits sorted transactions into pages with pageUnit transaction, so that a user may be on several', () => {
    expect(shape(list({ limit: 2, page: 1 }))).toEqual(['u2: 1', 'u3: 3'])
    expect(shape(list({ limit: 2, page: 2 }))).toEqual(['u1: 4', 'u3: 5'])
    expect(shape(list({ limit: 2, page: 3 }))).toEqual(['u2: 6'])
    expect(list({ limit: 2, page: 3 }).pagination).toEqual({ page: 3, limit: 2, total: 5, totalPages: 3 })
  })

  it('splits users into pages with pageUnit group, each with all of their matches', () => {
    const assumptions = { pageUnit: 'group' } as const

    expect(shape(list({ limit: 2, page: 1 }, assumptions))).toEqual(['u2: 1 6', 'u3: 3 5'])
    expect(shape(list({ limit: 2, page: 2 }, assumptions))).toEqual(['u1: 4'])
    expect(list({ limit: 2, page: 2 }, assumptions).pagination).toEqual({ page: 2, limit: 2, total: 3, totalPages: 2 })
    expect(shape(list({ maxAmount: 4 }, assumptions))).toEqual(['u2: 1', 'u3: 3', 'u1: 4'])
  })
})

describe('groupOrder', () => {
  it.each([
    ['first-transaction', ['u2: 1 6', 'u3: 3 5', 'u1: 4']],
    ['platform-id', ['u1: 4', 'u2: 1 6', 'u3: 3 5']],
    ['ledger', ['u3: 3 5', 'u1: 4', 'u2: 1 6']],
  ] as const)('orders groups by %s', (groupOrder, expected) => {
    expect(shape(list({}, { groupOrder }))).toEqual(expected)
    expect(shape(list({}, { groupOrder, pageUnit: 'group' }))).toEqual(expected)
  })
})

it('orders the users of a page by the ledger, also where those that came first are not on it', () => {
  const ledger = createTransactionStore()
  ledger.add([entry(1, 'u1', 9), entry(2, 'u2', 8), entry(3, 'u3', 1), entry(4, 'u4', 3), entry(5, 'u5', 2)])
  const page = guildPage(ledger, { ...ascending, limit: 3 }, assume({ groupOrder: 'ledger' })).body

  expect(shape(page)).toEqual(['u3: 1', 'u4: 3', 'u5: 2'])
})

const day = (n: number) => Date.UTC(2026, 0, n)

describe('date bounds', () => {
  it.each([
    ['inclusive', 'inclusive', [4, 5, 1]],
    ['exclusive', 'inclusive', [5, 1]],
    ['inclusive', 'exclusive', [4, 5]],
    ['exclusive', 'exclusive', [5]],
  ] as const)(
    'includes or excludes the bounds of a date range: start %s, end %s',
    (startDateBound, endDateBound, amounts) => {
      const parsed = { startDate: day(2), endDate: day(4), sortBy: 'createdAt' } as const

      const { data } = list(parsed, { startDateBound, endDateBound })

      expect(data.flatMap((group) => group.transactions.map(({ amount }) => amount))).toEqual(amounts)
    },
  )
})

describe('summary', () => {
  const parsed = { minAmount: 4, limit: 2 }

  it.each([
    ['match', { totalTransactions: 3, totalValue: 150, uniqueUsers: 3 }],
    ['guild', { totalTransactions: 5, totalValue: 190, uniqueUsers: 3 }],
    ['page', { totalTransactions: 2, totalValue: 90, uniqueUsers: 2 }],
  ] as const)('summarizes the %s with summaryScope', (summaryScope, expected) => {
    expect(list(parsed, { summaryScope }).summary).toEqual(expected)
  })

  it('adds up amount instead of total with totalValueOf amount', () => {
    expect(list(parsed, { totalValueOf: 'amount' }).summary.totalValue).toBe(15)
    expect(list(parsed, { totalValueOf: 'amount', summaryScope: 'page' }).summary.totalValue).toBe(9)
  })
})

it.each([
  ['milliseconds', '2026-01-04T00:00:00.000Z'],
  ['seconds', '2026-01-04T00:00:00Z'],
  ['offset', '2026-01-04T00:00:00.000+00:00'],
] as const)('formats createdAt in %s', (createdAtFormat, expected) => {
  expect(list({ limit: 1 }, { createdAtFormat }).data[0]?.transactions[0]?.createdAt).toBe(expected)
  expect(
    userPage(transactions, 'u2', ascending, assume({ createdAtFormat })).body.data.transactions[0]?.createdAt,
  ).toBe(expected)
})

it.each([0, 1] as const)('counts %i pages when nothing matches', (emptyTotalPages) => {
  expect(list({ from: 'nowhere' }, { emptyTotalPages }).pagination).toEqual({
    page: 1,
    limit: 20,
    total: 0,
    totalPages: emptyTotalPages,
  })
})

it('returns one user without a summary', () => {
  const page = userPage(transactions, 'u3', { ...ascending, limit: 1, page: 2 }, assume()).body

  expect(Object.keys(page)).toEqual(['success', 'data', 'pagination'])
  expect(page.data.platformId).toBe('u3')
  expect(page.data.transactions.map(({ amount }) => amount)).toEqual([5])
  expect(page.pagination).toEqual({ page: 2, limit: 1, total: 2, totalPages: 2 })
})

it('returns an empty page after the last one', () => {
  expect(list({ page: 9_007_199_254_740_991, limit: 100 }).data).toEqual([])
})
