import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { describe, expect, it, vi } from 'vitest'
import { combined } from './combine.ts'
import { createTransactionStore, type Filter, type Sort } from './index.ts'
import { selectFrom, type TableSelection } from './select.ts'
import { createTable } from './table.ts'

const two = (n: number) => String(n).padStart(2, '0')
/** A transaction that comes at place `n` in each sort, with an id that comes at place `id`. */
const entry = (n: number, id: number, change: Partial<LedgerEntry> = {}): LedgerEntry => ({
  platformId: 'ann',
  transactionId: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
  amount: n,
  quantity: n,
  name: `item ${two(n)}`,
  source: 'shop',
  total: n,
  createdAt: `2026-01-01T00:00:${two(n)}.000Z`,
  ...change,
})
const sort: Sort = { by: 'amount', order: 'asc', names: 'case-insensitive', ties: 'ledger' }

/** Up to four additions to sixteen transactions are kept apart as late ones. */
const storeOf = (early: (n: number) => LedgerEntry, late: readonly LedgerEntry[]) => {
  const store = createTransactionStore(() => Array.from({ length: 16 }, (_, i) => early(i + 1)))
  store.add(late)
  return store
}
const even = (n: number) => entry(2 * n, 100 + n)
const late = [entry(5, 200), entry(6, 1), entry(8, 300), entry(1, 400)]
const upperCase = late.map((each) => ({ ...each, name: each.name.toUpperCase() }))
const merged = storeOf(even, upperCase)

/** Ids, where the transaction that comes at place 2 n has the id 100 + n. */
const above8 = [105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116]
const orders: [ties: Sort['ties'], order: Sort['order'], ids: number[]][] = [
  ['transaction-id', 'asc', [400, 101, 102, 200, 1, 103, 104, 300, ...above8]],
  ['ledger', 'asc', [400, 101, 102, 200, 103, 1, 104, 300, ...above8]],
  ['transaction-id', 'desc', [...above8.toReversed(), 104, 300, 1, 103, 200, 102, 101, 400]],
  ['ledger', 'desc', [...above8.toReversed(), 104, 300, 103, 1, 200, 102, 101, 400]],
]

describe('transactions that were added lately', () => {
  describe.each(orders)('with ties by %s, %sending,', (ties, order, ids) => {
    it.each(['amount', 'quantity', 'total', 'createdAt', 'name'] as const)('have their place by %s', (by) => {
      const { slice } = merged.select([], { ...sort, by, order, ties })
      const idsOf = (start: number, end: number) =>
        slice(start, end).map(({ transactionId }) => Number(transactionId.slice(-12)))

      for (let start = 0; start <= 21; start++) expect(idsOf(start, start + 3)).toEqual(ids.slice(start, start + 3))
      expect(idsOf(0, Infinity)).toEqual(ids)
      expect(idsOf(3, 3)).toEqual([])
    })
  })

  it('have their place by name in the order of code units', () => {
    const names = merged.select([], { ...sort, by: 'name', names: 'code-unit' }).slice(0, 6)

    expect(names.map(({ name }) => name)).toEqual(['ITEM 01', 'ITEM 05', 'ITEM 06', 'ITEM 08', 'item 02', 'item 04'])
  })

  it.each<[string, (n: number) => number, number[], number]>([
    ['integers and cents', (n) => n, [0.25, 0.5], 136.75],
    ['cents and integers', (n) => n / 4, [1, 2], 37],
    ['values of many digits and integers', (n) => (n === 1 ? 1 / 3 : 1), [1, 2], 18.333333333333332],
    ['integers and values of many digits', () => 1, [1 / 3, 1], 17.333333333333332],
    ['integers that are too large for cents, and cents', (n) => (n === 1 ? 8e14 : 0), [0.3], 8e14 + 0.3],
  ])('are added up with the others: %s', (_what, totalOf, lateTotals, expected) => {
    const store = storeOf(
      (n) => entry(n, n, { total: totalOf(n) }),
      lateTotals.map((total, i) => entry(i, 100 + i, { total })),
    )

    expect(store.select([], sort).sum('total')).toBe(expected)
  })

  it('belong to users, of whom each counts once', () => {
    const [gift, bob] = [{ source: 'gift' }, { platformId: 'bob' }]
    const store = storeOf(
      (n) => ({ ...even(n), ...(n < 3 && gift) }),
      [entry(1, 200, bob), entry(3, 201, gift), entry(5, 202, { ...bob, ...gift })],
    )
    const usersOf = (filter: Filter) => {
      const { userCount, users } = store.select(filter, sort)
      return [userCount, users]
    }

    expect(usersOf([])).toEqual([2, ['bob', 'ann']])
    expect(usersOf([{ field: 'amount', min: 4 }])).toEqual([2, ['ann', 'bob']])
    expect(usersOf([{ field: 'source', text: 'gift', match: 'exact' }])).toEqual([2, ['ann', 'bob']])
  })
})

it('lists users whose first match comes after thousands of others', () => {
  const store = createTransactionStore(() =>
    Array.from({ length: 9000 }, (_, i) => entry(1, i, { amount: i, platformId: i < 8500 ? 'ann' : 'bob' })),
  )

  expect(store.select([], sort).users).toEqual(['ann', 'bob'])
})

describe('a selection', () => {
  /** Everything in a table, with a record of what is computed and read. */
  const watched = (entries: readonly LedgerEntry[]) => {
    const selected = selectFrom(
      createTable(() => entries),
      [],
      sort,
    ) as TableSelection
    return {
      selected,
      page: vi.spyOn(selected, 'page'),
      countUsers: vi.spyOn(selected, 'countUsers'),
      integerSum: vi.spyOn(selected.matches, 'integerSum'),
      values: vi.spyOn(selected.matches, 'values'),
    }
  }

  it('reads no more matches than it takes to find all users', () => {
    const entries = Array.from({ length: 9000 }, (_, i) => entry(1, i, { platformId: i < 5 ? 'ann' : 'bob' }))
    const { selected, page } = watched(entries)

    expect(combined(selected, undefined, sort).users).toEqual(['ann', 'bob'])
    expect(page).toHaveBeenCalledTimes(1)
  })

  it('computes users and sums once, when they are first read', () => {
    const { selected, page, countUsers, integerSum } = watched([entry(1, 1), entry(2, 2)])
    const selection = combined(selected, undefined, sort)
    expect([page, countUsers, integerSum].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0])

    for (let i = 0; i < 2; i++) {
      expect([selection.userCount, selection.users]).toEqual([1, ['ann']])
      expect([selection.sum('total'), selection.sum('amount')]).toEqual([3, 3])
    }
    expect([page, countUsers, integerSum].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 2])
  })

  it('of two tables reads no more of either than the page is long', () => {
    const [first, second] = [watched(Array.from({ length: 16 }, (_, i) => even(i + 1))), watched(upperCase)]
    const { slice } = combined(first.selected, second.selected, sort)

    for (let start = 0; start < 20; start++) slice(start, start + 3)

    for (const { page } of [first, second]) {
      const lengths = page.mock.calls.map(([start, end]) => end - start)
      expect(Math.max(...lengths)).toBe(3)
    }
  })

  it('of two tables adds up decimals as integers, and reads the values only where that is not exact', () => {
    const sumOf = (earlyTotal: number, lateTotal: number) => {
      const [first, second] = [
        watched([entry(1, 1, { total: earlyTotal })]),
        watched([entry(2, 2, { total: lateTotal })]),
      ]
      const sum = combined(first.selected, second.selected, sort).sum('total')
      return [
        sum,
        ...[first, second].map(({ integerSum, values }) => [integerSum, values].map((one) => one.mock.calls.length)),
      ]
    }

    expect(sumOf(0.1, 0.25)).toEqual([0.35, [1, 0], [1, 0]])
    expect(sumOf(0.1, 1 / 3)).toEqual([0.4333333333333333, [0, 1], [0, 1]])
    expect(sumOf(1 / 3, 0.1)).toEqual([0.4333333333333333, [0, 1], [0, 1]])
  })
})
