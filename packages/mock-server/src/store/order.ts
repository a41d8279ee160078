import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import type { ValueAt } from './reverse-slice.ts'
import type { Sort } from './selection.ts'
import type { Table } from './table.ts'

/** Compares two transactions of a table by their indexes. */
export type Comparison = (a: number, b: number) => number

const nothing = new Uint32Array()

export const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

/** What a name is sorted by. */
export const nameKeys: Record<Sort['names'], (name: string) => string> = {
  'code-unit': (name) => name,
  'case-insensitive': (name) => name.toLowerCase(),
}

/** The rank of each name among all names: comparing numbers is much faster than comparing strings. */
const ranksOf = (names: readonly string[], keyOf: (name: string) => string): Float64Array => {
  const keys = names.map(keyOf)
  const ranks = new Map([...new Set(keys)].toSorted(compareText).map((key, rank) => [key, rank]))
  return Float64Array.from(keys, (key) => ranks.get(key) ?? 0)
}

const rankAtOf = (table: Table, names: Sort['names']): ValueAt => {
  const { of, texts } = table.codes('name')
  const ranks = table.once(`ranks ${names}`, () => ranksOf(texts, nameKeys[names]))
  return (index) => ranks[of[index] as number] as number
}

/** The number that transactions are sorted by. */
export const valueAtOf = (table: Table, { by, names }: Sort): ValueAt => {
  if (by === 'name') return rankAtOf(table, names)
  const values = table.numbers(by)
  return (index) => values[index] as number
}

const compareTies: Record<Sort['ties'], (table: Table) => Comparison> = {
  'transaction-id':
    ({ entries }) =>
    (a, b) =>
      compareText((entries[a] as LedgerEntry).transactionId, (entries[b] as LedgerEntry).transactionId),
  ledger: () => (a, b) => a - b,
}

/** The ascending order of a sort. */
export const comparisonOf = (table: Table, sort: Sort, valueAt = valueAtOf(table, sort)): Comparison => {
  const compareTie = compareTies[sort.ties](table)
  return (a, b) => valueAt(a) - valueAt(b) || compareTie(a, b)
}

/** Merges two sorted arrays. */
const merged = (left: Uint32Array, right: Uint32Array, compare: Comparison): Uint32Array => {
  const all = new Uint32Array(left.length + right.length)
  let i = 0
  let j = 0
  for (let at = 0; at < all.length; at++) {
    const takeLeft = j >= right.length || (i < left.length && compare(left[i] ?? 0, right[j] ?? 0) <= 0)
    all[at] = (takeLeft ? left[i++] : right[j++]) ?? 0
  }
  return all
}

/** A sort's name without its direction, and without the order of names where it does not matter. */
const nameOf = ({ by, names, ties }: Sort): string => `${by} ${by === 'name' ? names : ''} ${ties}`

/** Transactions in ascending order, by their indexes. The name tells it from all other arrays of the table. */
export interface Sorted {
  readonly name: string
  readonly indexes: Uint32Array
}

/** All transactions in ascending order; `reverseSlice` reads it in descending order. */
export const orderOf = (table: Table, sort: Sort): Sorted => {
  const name = `order ${nameOf(sort)}`
  const indexes = table.once(name, () => {
    const size = table.entries.length
    const valueAt = valueAtOf(table, sort)
    const values = new Float64Array(size)
    for (let i = 0; i < size; i++) values[i] = valueAt(i)
    const compare = comparisonOf(table, sort, (index) => values[index] as number)
    const before = (table.inherited(name) as Uint32Array | undefined) ?? nothing
    const added = Uint32Array.from({ length: size - before.length }, (_none, i) => before.length + i)
    return merged(before, added.toSorted(compare), compare)
  })
  return { name, indexes }
}

/** All transactions in groups by user or by source, each group in ascending order. */
export interface Grouped extends Sorted {
  /** Where the group of each code starts; the next one's start is its end. */
  readonly starts: Uint32Array
}

const startsOf = (codes: Uint32Array, count: number): Uint32Array => {
  const starts = new Uint32Array(count + 1)
  for (const code of codes) starts[code + 1] = (starts[code + 1] as number) + 1
  for (let i = 1; i < starts.length; i++) starts[i] = (starts[i] as number) + (starts[i - 1] as number)
  return starts
}

/** A field whose values make groups. */
export type GroupField = 'platformId' | 'source'

/** Where the group of each code starts in any `groupsOf` the field. */
export const groupStarts = (table: Table, field: GroupField): Uint32Array =>
  table.once(`starts ${field}`, () => {
    const { of, texts } = table.codes(field)
    return startsOf(of, texts.length)
  })

/** The groups of a field, all made in one pass over the order. */
export const groupsOf = (table: Table, field: GroupField, sort: Sort): Grouped => {
  const name = `groups ${field} ${nameOf(sort)}`
  const starts = groupStarts(table, field)
  const indexes = table.once(name, () => {
    const { of } = table.codes(field)
    const next = starts.slice()
    const grouped = new Uint32Array(of.length)
    for (const index of orderOf(table, sort).indexes) {
      const code = of[index] as number
      const at = next[code] as number
      grouped[at] = index
      next[code] = at + 1
    }
    return grouped
  })
  return { name, indexes, starts }
}
