import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createRows, type Filter, type Sort } from './index.ts'

const day = Date.UTC(2026, 0, 1)
const entry = fc.record({
  platformId: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  amount: fc.oneof(fc.integer({ min: -3, max: 12 }), fc.double({ min: 0, max: 9, noNaN: true })),
  quantity: fc.integer({ min: 1, max: 4 }),
  name: fc.constantFrom('axe', 'Axe', 'BOW', 'bow', 'ı', 'İ'),
  source: fc.constantFrom('shop', 'Shop', 'workshop', 'quest'),
  total: fc.integer({ min: 0, max: 30 }),
  createdAt: fc.integer({ min: 0, max: 40 }).map((ms) => new Date(day + ms).toISOString()),
})
const ledger = fc.array(entry, { maxLength: 150 }).map((entries) =>
  entries.map((each, i): LedgerEntry => ({
    ...each,
    transactionId: `${((i * 7919) % 100_003).toString(16).padStart(8, '0')}-0000-4000-8000-${String(i).padStart(12, '0')}`,
  })),
)
const bound = fc.option(fc.integer({ min: -4, max: 13 }), { nil: undefined })
const moment = fc.option(fc.integer({ min: day - 1, max: day + 41 }), { nil: undefined })
const wanted = fc.record({
  platformId: fc.option(fc.constantFrom('a', 'b', 'nobody'), { nil: undefined }),
  source: fc.option(
    fc.record({
      text: fc.constantFrom('shop', 'SHOP', 'q', '', 'none'),
      match: fc.constantFrom('exact', 'case-insensitive', 'contains'),
    }),
    { nil: undefined },
  ),
  minAmount: bound,
  maxAmount: bound,
  minCreatedAt: moment,
  maxCreatedAt: moment,
})
const sort: fc.Arbitrary<Sort> = fc.record({
  by: fc.constantFrom('amount', 'quantity', 'total', 'createdAt', 'name'),
  order: fc.constantFrom('asc', 'desc'),
  names: fc.constantFrom('code-unit', 'case-insensitive'),
  ties: fc.constantFrom('transaction-id', 'ledger'),
})

const sourceFits = (source: string, text: string, match: string) => {
  if (match === 'contains') return source.includes(text)
  return match === 'exact' ? source === text : source.toLowerCase() === text.toLowerCase()
}

/** The same by looking at every row. */
const plainly = (
  rows: readonly LedgerEntry[],
  given: typeof wanted extends fc.Arbitrary<infer T> ? T : never,
  by: Sort,
) => {
  const { platformId, source, minAmount, maxAmount, minCreatedAt, maxCreatedAt } = given
  const fits = (row: LedgerEntry) => {
    const at = Date.parse(row.createdAt)
    return (
      (platformId ?? row.platformId) === row.platformId &&
      (source === undefined || sourceFits(row.source, source.text, source.match)) &&
      row.amount >= (minAmount ?? row.amount) &&
      row.amount <= (maxAmount ?? row.amount) &&
      at >= (minCreatedAt ?? at) &&
      at <= (maxCreatedAt ?? at)
    )
  }
  const valueOf = (row: LedgerEntry) =>
    by.by === 'name' && by.names === 'case-insensitive' ? row.name.toLowerCase() : row[by.by]
  const before = (a: LedgerEntry, b: LedgerEntry) => {
    const [x, y] = by.order === 'asc' ? [valueOf(a), valueOf(b)] : [valueOf(b), valueOf(a)]
    if (x !== y) return x < y ? -1 : 1
    if (by.ties === 'ledger') return rows.indexOf(a) - rows.indexOf(b)
    return a.transactionId < b.transactionId ? -1 : 1
  }
  return rows.filter(fits).toSorted(before)
}

it('finds through indexes what looking at every row finds', () => {
  fc.assert(
    fc.property(ledger, fc.array(fc.tuple(wanted, sort), { minLength: 1, maxLength: 8 }), (entries, queries) => {
      const rows = createRows(() => entries)
      for (const [given, by] of queries) {
        const filter = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Filter
        const expected = plainly(entries, given, by)
        const selection = rows.select(filter, by)

        expect(selection.slice(0, Infinity)).toEqual(expected)
        expect(selection.total).toBe(expected.length)
        expect(selection.users).toEqual([...new Set(expected.map((row) => row.platformId))])
        expect(selection.slice(3, 7)).toEqual(expected.slice(3, 7))
      }
    }),
    { numRuns: 400 },
  )
})

it('finds the same in a ledger that has grown since it was last asked', () => {
  fc.assert(
    fc.property(
      ledger,
      fc.array(fc.tuple(wanted, sort), { minLength: 2, maxLength: 6 }),
      fc.nat(),
      (entries, queries, cut) => {
        const rows = createRows(() => entries.slice(0, cut % 100))
        const whole = createRows(() => entries)
        const filterOf = (given: object) =>
          Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Filter
        for (const [given, by] of queries.slice(1)) rows.select(filterOf(given), by)
        rows.add(entries.slice(cut % 100, (cut % 100) + 5))
        rows.add(entries.slice((cut % 100) + 5))

        for (const [given, by] of queries) {
          const { total, slice, users } = rows.select(filterOf(given), by)
          const expected = whole.select(filterOf(given), by)

          expect({ total, users, page: slice(0, 50) }).toEqual({
            total: expected.total,
            users: expected.users,
            page: expected.slice(0, 50),
          })
        }
      },
    ),
    { numRuns: 300 },
  )
})
