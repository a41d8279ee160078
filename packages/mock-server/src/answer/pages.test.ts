import type { GuildResponse } from '@guild-ledger/sdk/contract'
import { entry as entryOf } from '@guild-ledger/test-kit'
import { describe, expect, it } from 'vitest'
import { assume, type Assumptions } from '../assumptions/values.ts'
import { createTransactionStore } from '../store/transactions.ts'
import { guildPage, type Page } from './pages.ts'
import type { ParsedQuery } from './parse-query.ts'

const entry = (n: number, platformId: string, amount: number) => entryOf(n, { platformId, amount })
const transactions = createTransactionStore()
// In the order of the ledger, u3 is first; by id, u1 is; sorted by amount ascending, u2 is.
transactions.add([entry(1, 'u3', 3), entry(2, 'u1', 4), entry(3, 'u3', 5), entry(4, 'u2', 1), entry(5, 'u2', 6)])

const ascending: ParsedQuery = { page: 1, limit: 20, sortBy: 'amount', sortOrder: 'asc' }
const list = (parsed: Partial<ParsedQuery>, assumptions: Partial<Assumptions> = {}) =>
  guildPage(transactions, { ...ascending, ...parsed }, assume(assumptions)).parts
const shape = ({ data }: Page<GuildResponse>['parts']) =>
  data().map((group) => `${group.platformId}: ${group.transactions.map(({ amount }) => amount).join(' ')}`)

describe('pageUnit', () => {
  it('splits sorted transactions into pages with pageUnit transaction, so that a user may be on several', () => {
    expect(shape(list({ limit: 2, page: 1 }))).toEqual(['u2: 1', 'u3: 3'])
    expect(shape(list({ limit: 2, page: 2 }))).toEqual(['u1: 4', 'u3: 5'])
    expect(shape(list({ limit: 2, page: 3 }))).toEqual(['u2: 6'])
    expect(list({ limit: 2, page: 3 }).pagination()).toEqual({ page: 3, limit: 2, total: 5, totalPages: 3 })
  })

  it('splits users into pages with pageUnit group, each with all of their matches', () => {
    const assumptions = { pageUnit: 'group' } as const

    expect(shape(list({ limit: 2, page: 1 }, assumptions))).toEqual(['u2: 1 6', 'u3: 3 5'])
    expect(shape(list({ limit: 2, page: 2 }, assumptions))).toEqual(['u1: 4'])
    expect(list({ limit: 2, page: 2 }, assumptions).pagination()).toEqual({
      page: 2,
      limit: 2,
      total: 3,
      totalPages: 2,
    })
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

it('a page orders its users by the ledger, also where those that came first are not on it', () => {
  const ledger = createTransactionStore()
  ledger.add([entry(1, 'u1', 9), entry(2, 'u2', 8), entry(3, 'u3', 1), entry(4, 'u4', 3), entry(5, 'u5', 2)])
  const page = guildPage(ledger, { ...ascending, limit: 3 }, assume({ groupOrder: 'ledger' })).parts

  expect(shape(page)).toEqual(['u3: 1', 'u4: 3', 'u5: 2'])
})

it.each<[Partial<ParsedQuery>, Partial<Assumptions>, string[]]>([
  [{ sortBy: 'name' }, { nameOrder: 'code-unit' }, ['u1: 1', 'u3: 3', 'u2: 2', 'u4: 4']],
  [{ sortBy: 'name' }, { nameOrder: 'case-insensitive' }, ['u2: 2', 'u1: 1', 'u3: 3', 'u4: 4']],
  [{ sortBy: 'name' }, { nameOrder: 'language' }, ['u2: 2', 'u4: 4', 'u1: 1', 'u3: 3']],
  [{ endDate: Date.UTC(2026, 0, 1, 0, 0, 2) }, { endDateBound: 'inclusive' }, ['u1: 1', 'u2: 2']],
  [{ endDate: Date.UTC(2026, 0, 1, 0, 0, 2) }, { endDateBound: 'exclusive' }, ['u1: 1']],
  [{ from: 'SHOP' }, { sourceMatch: 'case-insensitive' }, ['u1: 1', 'u2: 2', 'u3: 3', 'u4: 4']],
])('a page of %j is by %j', (parsed, assumptions, expected) => {
  const ledger = createTransactionStore()
  ledger.add(['B', 'a', 'C', 'Ä'].map((name, i) => entryOf(i + 1, { platformId: `u${i + 1}`, name })))

  expect(shape(guildPage(ledger, { ...ascending, ...parsed }, assume(assumptions)).parts)).toEqual(expected)
})
