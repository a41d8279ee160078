import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import * as fc from 'fast-check'
import { cases } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'
import { assumptionDefinitions } from '../assumptions/values.ts'
import { createTransactionStore } from './transactions.ts'
import { sumOf } from './sum.ts'
import type { Filter, Selection, Sort } from './selection.ts'
import type { Condition, GroupField, NumberField } from './selection.ts'

type Match = Extract<Condition, { readonly text: string }>['match']

const asciiLower = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

const isLike = (value: string, pattern: string): boolean => {
  if (pattern === '') return value === ''
  const [first, rest] = [pattern.charAt(0), pattern.slice(1)]
  if (first === '%') return isLike(value, rest) || (value !== '' && isLike(value.slice(1), pattern))
  return value !== '' && (first === '_' || first === value.charAt(0)) && isLike(value.slice(1), rest)
}

const fits: Record<Match, (value: string, text: string) => boolean> = {
  exact: (value, text) => value === text,
  'case-insensitive': (value, text) => value.toLowerCase() === text.toLowerCase(),
  contains: (value, text) => value.includes(text),
  'contains-case-insensitive': (value, text) => value.toLowerCase().includes(text.toLowerCase()),
  prefix: (value, text) => value.startsWith(text),
  like: (value, text) => isLike(asciiLower(value), asciiLower(text)),
  'like-contains': (value, text) => isLike(asciiLower(value), asciiLower(`%${text}%`)),
}

const numberOf = (entry: LedgerEntry, field: NumberField): number =>
  field === 'createdAt' ? Date.parse(entry.createdAt) : entry[field]

const meets = (entry: LedgerEntry, condition: Condition): boolean => {
  if ('text' in condition) return fits[condition.match](entry[condition.field], condition.text)
  const { field, min = -Infinity, max = Infinity } = condition
  return numberOf(entry, field) >= min && numberOf(entry, field) <= max
}

const compareValues = (a: LedgerEntry, b: LedgerEntry, { by, names }: Sort): number => {
  if (by === 'name' && names === 'language') return a.name.localeCompare(b.name, 'en')
  const textOf = ({ name }: LedgerEntry) => Buffer.from(names === 'case-insensitive' ? name.toLowerCase() : name)
  if (by === 'name') return Buffer.compare(textOf(a), textOf(b)) // UTF-8
  return a[by] < b[by] ? -1 : Number(a[by] > b[by])
}

/**
 * What the store selects, said in the plainest way: the matches of an array, sorted. The tests of the store compare it with
 * this.
 */
const selectPlainly = (entries: readonly LedgerEntry[], filter: Filter, sort: Sort): LedgerEntry[] => {
  const compare = (a: LedgerEntry, b: LedgerEntry): number => {
    const difference = compareValues(a, b, sort)
    if (difference !== 0) return sort.order === 'asc' ? difference : -difference
    return sort.ties === 'ledger' ? 0 : a.transactionId < b.transactionId ? -1 : 1
  }
  return entries.filter((entry) => filter.every((condition) => meets(entry, condition))).toSorted(compare)
}

const scale = cases(20, 10) / 100
const day = Date.UTC(2026, 0, 1)
const names = ['axe', 'Axe', 'BOW', 'bow', 'ı', 'İ', '\u00e9', 'e\u0301', '🗡 axe', 'Ａxe']
const sources = ['shop', 'Shop', 'workshop', 'quest']

const entry = fc.record({
  platformId: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  amount: fc.oneof(
    fc.integer({ min: -3, max: 12 }),
    fc.constantFrom(0, -0),
    fc.double({ min: 0, max: 9, noNaN: true }),
  ),
  quantity: fc.integer({ min: 1, max: 4 }),
  name: fc.constantFrom(...names),
  source: fc.constantFrom(...sources),
  total: fc.integer({ min: 0, max: 3000 }).map((cents) => cents / 100),
  createdAt: fc.integer({ min: 0, max: 40 }).map((ms) => new Date(day + ms).toISOString()),
})
const idAt = (i: number) =>
  `${((i * 7919) % 100_003).toString(16).padStart(8, '0')}-0000-4000-8000-${String(i).padStart(12, '0')}`
// To shrink it would take minutes.
const smallLedger = fc
  .noShrink(fc.array(entry, { maxLength: 150, size: 'max' }))
  .map((entries) => entries.map((each, i): LedgerEntry => ({ ...each, transactionId: idAt(i) })))

/** Transactions enough for every index: cents, or amounts with so many digits that sums cannot be integers. */
const largeLedger = (count: number, amountOf: (cents: number) => number): LedgerEntry[] => {
  let state = count
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  return Array.from({ length: count }, (_none, i) => ({
    // The last ones are of a user who has none among the first 4,096.
    platformId: i > 4150 ? 'late' : `user ${below(4) ? below(40) : 40 + below(600)}`,
    transactionId: idAt(i),
    amount: amountOf(below(1600) - 300),
    quantity: 1 + below(4),
    name: names[below(names.length)] ?? '',
    source: sources[below(sources.length)] ?? '',
    total: below(3000) / 100,
    createdAt: new Date(day + Math.floor((i * 40) / count) + below(3)).toISOString(),
  }))
}

const withoutUndefined = (given: object) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))

const bound = fc.option(fc.integer({ min: -4, max: 13 }), { nil: undefined })
const time = fc.option(fc.integer({ min: day - 1, max: day + 44 }), { nil: undefined })
const range = <Field extends NumberField>(field: Field, value: typeof bound) =>
  fc.record({ field: fc.constant(field), min: value, max: value })
const matches = assumptionDefinitions.sourceMatch.values.map(([match]) => match)
const text = <Field extends GroupField>(field: Field, ...texts: string[]) =>
  fc.record({ field: fc.constant(field), text: fc.constantFrom(...texts), match: fc.constantFrom(...matches) })
const anyFilter = fc
  .tuple(
    ...[
      text('platformId', 'a', 'b', 'user 1', 'user 41', 'USER %', 'nobody'),
      text('source', 'shop', 'SHOP', 'quest', 'q', '', 'sho.p', 's%p', '_hop'),
      range('amount', bound),
      range('createdAt', time),
      range('quantity', bound),
      range('amount', bound),
    ].map((condition) => fc.array<unknown>(condition, { maxLength: 1 })),
  )
  .map((conditions) => conditions.flat().map((one) => withoutUndefined(one as object) as Filter[number]))
const anySort: fc.Arbitrary<Sort> = fc.record({
  by: fc.constantFrom('amount', 'quantity', 'total', 'createdAt', 'name'),
  order: fc.constantFrom('asc', 'desc'),
  names: fc.constantFrom('code-point', 'case-insensitive', 'language'),
  ties: fc.constantFrom('transaction-id', 'ledger'),
})

/** All that a selection says: a page from `start`, the summary, all users and all matches. */
const read = ({ slice, total, userCount, users, sum, ofUsers }: Selection, start = 3) => ({
  page: slice(start, start + 4),
  summary: { total, userCount, amount: sum('amount'), value: sum('total') },
  users,
  someUsers: ofUsers(['a', 'nobody', ...users.slice(1, 3)]),
  all: slice(0, Infinity),
})

const readPlainly = (entries: readonly LedgerEntry[], filter: Filter, sort: Sort, start = 3) => {
  const all = selectPlainly(entries, filter, sort)
  const users = [...new Set(all.map(({ platformId }) => platformId))]
  const amount = sumOf(all.map((each) => each.amount))
  const value = sumOf(all.map((each) => each.total))
  return {
    page: all.slice(start, start + 4),
    summary: { total: all.length, userCount: users.length, amount, value },
    users,
    someUsers: all.filter(({ platformId }) => ['a', ...users.slice(1, 3)].includes(platformId)),
    all,
  }
}

it('a store selects the same from a ledger that has grown since the last query', () => {
  fc.assert(
    fc.property(
      smallLedger,
      fc.array(fc.tuple(fc.oneof(fc.constant([]), anyFilter), anySort), { minLength: 2, maxLength: 6 }),
      fc.nat(140),
      (entries, queries, cut) => {
        const store = createTransactionStore(() => entries.slice(0, cut))
        for (const end of [cut, cut + 5, entries.length]) {
          store.add(entries.slice(store.size, end))
          for (const [filter, sort] of queries)
            expect(read(store.select(filter, sort))).toEqual(readPlainly(entries.slice(0, end), filter, sort))
        }
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
  'a store selects what filtering and sorting a large array selects: %s',
  { timeout: 120_000 + queries * 20 },
  (_what, amountOf) => {
    const entries = largeLedger(4200, amountOf)
    const still = createTransactionStore(() => entries)
    const growing = createTransactionStore(() => entries.slice(0, 4160))
    for (let i = 4160; i < entries.length; i++) growing.add(entries.slice(i, i + 1))
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
