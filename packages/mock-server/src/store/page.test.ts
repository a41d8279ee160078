import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
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
