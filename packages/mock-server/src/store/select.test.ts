import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createTransactionStore, sumOf, type Filter, type Selection, type Sort } from './index.ts'

const scale = process.env.CI ? 1 : 0.2
const day = Date.UTC(2026, 0, 1)
const names = ['axe', 'Axe', 'BOW', 'bow', 'ı', 'İ']
const sources = ['shop', 'Shop', 'workshop', 'quest']

const entry = fc.record({
  platformId: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  amount: fc.oneof(fc.integer({ min: -3, max: 12 }), fc.double({ min: 0, max: 9, noNaN: true })),
  quantity: fc.integer({ min: 1, max: 4 }),
  name: fc.constantFrom(...names),
  source: fc.constantFrom(...sources),
  total: fc.integer({ min: 0, max: 3000 }).map((cents) => cents / 100),
  createdAt: fc.integer({ min: 0, max: 40 }).map((ms) => new Date(day + ms).toISOString()),
})
const idAt = (i: number) =>
  `${((i * 7919) % 100_003).toString(16).padStart(8, '0')}-0000-4000-8000-${String(i).padStart(12, '0')}`
const smallLedger = fc
  .array(entry, { maxLength: 150 })
  .map((entries) => entries.map((each, i): LedgerEntry => ({ ...each, transactionId: idAt(i) })))

/** Transactions enough for every index: cents, or amounts with so many digits that sums cannot be integers. */
const largeLedger = (count: number, amountOf: (cents: number) => number): LedgerEntry[] => {
  let state = count
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  return Array.from({ length: count }, (_none, i) => ({
    platformId: `user ${below(4) ? below(40) : 40 + below(600)}`,
    transactionId: idAt(i),
    amount: amountOf(below(1600) - 300),
    quantity: 1 + below(4),
    name: names[below(names.length)] ?? '',
    source: sources[below(sources.length)] ?? '',
    total: below(3000) / 100,
    createdAt: new Date(day + Math.floor((i * 40) / count) + below(3)).toISOString(),
  }))
}

const bound = fc.option(fc.oneof(fc.integer({ min: -4, max: 13 }), fc.constantFrom(-Infinity, Infinity, Number.NaN)), {
  nil: undefined,
})
const time = fc.option(fc.integer({ min: day - 1, max: day + 44 }), { nil: undefined })
const anyFilter = fc
  .record({
    platformId: fc.option(fc.constantFrom('a', 'b', 'user 1', 'user 41', 'nobody'), { nil: undefined, freq: 2 }),
    source: fc.option(
      fc.record({
        text: fc.constantFrom('shop', 'SHOP', 'quest', 'q', '', 'none'),
        match: fc.constantFrom('exact', 'case-insensitive', 'contains'),
      }),
      { nil: undefined, freq: 2 },
    ),
    minAmount: bound,
    maxAmount: bound,
    minCreatedAt: time,
    maxCreatedAt: time,
  })
  .map((given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Filter)
const anySort: fc.Arbitrary<Sort> = fc.record({
  by: fc.constantFrom('amount', 'quantity', 'total', 'createdAt', 'name'),
  order: fc.constantFrom('asc', 'desc'),
  names: fc.constantFrom('code-unit', 'case-insensitive'),
  ties: fc.constantFrom('transaction-id', 'ledger'),
})

const sourceMatches = (source: string, text: string, match: string) => {
  if (match === 'contains') return source.includes(text)
  return match === 'exact' ? source === text : source.toLowerCase() === text.toLowerCase()
}

/** The same by filtering and sorting an array. */
const plainly = (entries: readonly LedgerEntry[], filter: Filter, sort: Sort): LedgerEntry[] => {
  const { platformId, source, minAmount = -Infinity, maxAmount = Infinity } = filter
  const { minCreatedAt = -Infinity, maxCreatedAt = Infinity } = filter
  const matches = (each: LedgerEntry) => {
    const at = Date.parse(each.createdAt)
    return (
      (platformId ?? each.platformId) === each.platformId &&
      (source === undefined || sourceMatches(each.source, source.text, source.match)) &&
      each.amount >= minAmount &&
      each.amount <= maxAmount &&
      at >= minCreatedAt &&
      at <= maxCreatedAt
    )
  }
  const valueOf = (each: LedgerEntry) =>
    sort.by === 'name' && sort.names === 'case-insensitive' ? each.name.toLowerCase() : each[sort.by]
  const compare = (a: LedgerEntry, b: LedgerEntry) => {
    const [x, y] = sort.order === 'asc' ? [valueOf(a), valueOf(b)] : [valueOf(b), valueOf(a)]
    if (x !== y) return x < y ? -1 : 1
    if (sort.ties === 'ledger') return 0
    return a.transactionId < b.transactionId ? -1 : 1
  }
  return entries.filter(matches).toSorted(compare)
}

/** All that a selection says: a page from `start`, the summary, all users and all matches. */
const read = ({ slice, total, userCount, users, sum }: Selection, start = 3) => ({
  page: slice(start, start + 4),
  summary: { total, userCount, amount: sum('amount'), value: sum('total') },
  users,
  all: slice(0, Infinity),
})

const readPlainly = (entries: readonly LedgerEntry[], filter: Filter, sort: Sort, start = 3) => {
  const all = plainly(entries, filter, sort)
  const users = [...new Set(all.map(({ platformId }) => platformId))]
  const amount = sumOf(all.map((each) => each.amount))
  const value = sumOf(all.map((each) => each.total))
  return {
    page: all.slice(start, start + 4),
    summary: { total: all.length, userCount: users.length, amount, value },
    users,
    all,
  }
}

it('selects what filtering and sorting a small array selects', () => {
  fc.assert(
    fc.property(
      smallLedger,
      fc.array(fc.tuple(anyFilter, anySort), { minLength: 1, maxLength: 8 }),
      (entries, queries) => {
        const store = createTransactionStore(() => entries)
        for (const [filter, sort] of queries)
          expect(read(store.select(filter, sort))).toEqual(readPlainly(entries, filter, sort))
      },
    ),
    { numRuns: 400 * scale },
  )
})

it('selects the same from a ledger that has grown since the last query', () => {
  fc.assert(
    fc.property(
      smallLedger,
      fc.array(fc.tuple(anyFilter, anySort), { minLength: 2, maxLength: 6 }),
      fc.nat(99),
      (entries, queries, cut) => {
        const store = createTransactionStore(() => entries.slice(0, cut))
        for (const [filter, sort] of queries.slice(1)) store.select(filter, sort)
        store.add(entries.slice(cut, cut + 5))
        store.add(entries.slice(cut + 5))

        for (const [filter, sort] of queries)
          expect(read(store.select(filter, sort))).toEqual(readPlainly(entries, filter, sort))
      },
    ),
    { numRuns: 300 * scale },
  )
})

// `QUERIES=20000 vitest run …/select.test.ts` for a thorough search.
const queries = Number(process.env['QUERIES'] ?? 1500 * scale)

it.each([
  ['cents', (cents: number) => cents / 100],
  ['amounts of many digits', (cents: number) => Math.sqrt(Math.abs(cents)) * Math.sign(cents)],
])(
  'selects what filtering and sorting a large array selects: %s',
  { timeout: 5000 + queries * 20 },
  (_what, amountOf) => {
    const entries = largeLedger(3000, amountOf)
    const still = createTransactionStore(() => entries)
    const growing = createTransactionStore(() => entries.slice(0, 2960))
    for (let i = 2960; i < entries.length; i++) growing.add(entries.slice(i, i + 1))
    fc.assert(
      fc.property(anyFilter, anySort, fc.nat(99), fc.boolean(), (filter, sort, percent, grows) => {
        const found = (grows ? growing : still).select(filter, sort)
        const start = Math.floor((found.total * percent) / 100)
        expect(read(found, start)).toEqual(readPlainly(entries, filter, sort, start))
      }),
      { numRuns: queries / 2 },
    )
  },
)
