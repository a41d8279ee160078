import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import * as fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { comparisonOf, orderOf } from './order.ts'
import { pageOfSorted, pageOfUnsorted } from './page.ts'
import type { Sort } from './selection.ts'
import { createTable } from './table.ts'

const entryAt = (quantity: number, i: number): LedgerEntry => ({
  platformId: 'user',
  transactionId: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
  amount: i,
  quantity,
  name: 'Item',
  source: 'shop',
  total: i,
  createdAt: '2026-01-01T00:00:00.000Z',
})
const spans = fc.array(fc.tuple(fc.nat(300), fc.nat(30)), { minLength: 1, maxLength: 4 })

it('reads pages of matches in any order, one after another, as they are in a sorted array', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(6), { minLength: 1, maxLength: 300 }),
      fc.integer({ min: 1, max: 60 }),
      fc.constantFrom('asc' as const, 'desc' as const),
      spans,
      (quantities, everySo, order, pages) => {
        const table = createTable(() => quantities.map((quantity, i) => entryAt(quantity, i)))
        const sort: Sort = { by: 'quantity', order, names: 'code-unit', ties: 'ledger' }
        const pass = (index: number) => index % everySo === 0
        const ordered = orderOf(table, sort).indexes
        const matches = Uint32Array.from(quantities.keys()).filter((index) => pass(index))
        const valueAt = (index: number) => (order === 'asc' ? 1 : -1) * (quantities[index] ?? 0)
        const expected = [...matches].toSorted((a, b) => valueAt(a) - valueAt(b) || a - b)
        const unsorted = pageOfUnsorted(table, { matches, ordered, pass }, sort)
        const sorted = pageOfSorted(table, matches.toSorted(comparisonOf(table, sort)), sort)

        for (const [start, length] of pages) {
          expect(Array.from(unsorted(start, start + length))).toEqual(expected.slice(start, start + length))
          expect(Array.from(sorted(start, start + length))).toEqual(expected.slice(start, start + length))
        }
      },
    ),
  )
})

/** Reads pages of `total` of `size` transactions, which lie evenly among them by amount, and counts the transactions that a scan looks at. */
const pagesOf = (size: number, total: number, order: 'asc' | 'desc') => {
  const table = createTable(() => Array.from({ length: size }, (_none, i) => entryAt(1, i)))
  const sort: Sort = { by: 'amount', order, names: 'code-unit', ties: 'ledger' }
  const everySo = size / total
  const pass = vi.fn((index: number) => index % everySo === 0)
  const matches = Uint32Array.from({ length: total }, (_none, i) => (total - 1 - i) * everySo)
  const page = pageOfUnsorted(table, { matches, ordered: orderOf(table, sort).indexes, pass }, sort)
  const amounts = (start: number, end: number) => {
    pass.mockClear()
    return { found: Array.from(page(start, end)), scanned: pass.mock.calls.length }
  }
  return amounts
}

it('scans for many matches until the page is full, and reads on for the next page', () => {
  const up = pagesOf(1000, 500, 'asc')
  expect(up(0, 3)).toEqual({ found: [0, 2, 4], scanned: 5 })
  expect(up(3, 5)).toEqual({ found: [6, 8], scanned: 4 })
  expect(up(1, 4)).toEqual({ found: [2, 4, 6], scanned: 0 })

  const down = pagesOf(1000, 500, 'desc')
  expect(down(0, 3)).toEqual({ found: [998, 996, 994], scanned: 6 })
  expect(down(3, 5)).toEqual({ found: [992, 990], scanned: 4 })
  expect(down(1, 4)).toEqual({ found: [996, 994, 992], scanned: 0 })
})

it('sorts few matches, without a scan', () => {
  expect(pagesOf(1000, 2, 'asc')(0, 9)).toEqual({ found: [0, 500], scanned: 0 })
  expect(pagesOf(1000, 2, 'desc')(0, 9)).toEqual({ found: [500, 0], scanned: 0 })
})

// Sorting n matches costs n * log2(n + 1) * 15: 15 for 1, 1318 for 20. A page of all of them costs a scan of everything.
it.each([
  ['scans 15 transactions for one match', 15, 1, 1],
  ['sorts one match of 16 transactions', 16, 1, 0],
  ['scans 1300 transactions for 20 matches', 1300, 20, 1236],
  ['sorts 20 matches of 1320 transactions', 1320, 20, 0],
])('%s', (_what, size, total, scanned) => {
  expect(pagesOf(size, total, 'asc')(0, total).scanned).toBe(scanned)
})

it('reads from the sorted matches once it has sorted them', () => {
  const read = pagesOf(1320, 20, 'asc')

  expect(read(0, 1)).toEqual({ found: [0], scanned: 1 })
  expect(read(0, 20).scanned).toBe(0)
  expect(read(1, 3)).toEqual({ found: [66, 132], scanned: 0 })
})
