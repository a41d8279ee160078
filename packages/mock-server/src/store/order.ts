import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { radixSorted } from './radix-sort.ts'
import type { ValueAt } from './reverse-slice.ts'
import type { GroupField, Sort } from './selection.ts'
import type { Table } from './table.ts'

/** Compares two transactions of a table by their indexes. */
export type Comparison = (a: number, b: number) => number

const nothing = new Uint32Array()

export const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

// Not the language of the machine: the same ledger has the same order everywhere.
const english = new Intl.Collator('en')

/** How two names are compared. */
export const compareNames: Record<Sort['names'], (a: string, b: string) => number> = {
  'code-unit': compareText,
  'case-insensitive': (a, b) => compareText(a.toLowerCase(), b.toLowerCase()),
  language: english.compare,
}

/** The rank of each name among all names, equal ones together: numbers are compared much faster than strings. */
const ranksOf = (names: readonly string[], compare: (a: string, b: string) => number): Float64Array => {
  const ranks = new Float64Array(names.length)
  let rank = 0
  let before: string | undefined
  for (const code of [...names.keys()].toSorted((a, b) => compare(names[a] ?? '', names[b] ?? ''))) {
    const name = names[code] ?? ''
    if (before !== undefined && compare(before, name) !== 0) rank++
    ranks[code] = rank
    before = name
  }
  return ranks
}

const rankAtOf = (table: Table, names: Sort['names']): ValueAt => {
  const { of, texts } = table.codes('name')
  const ranks = table.once(`ranks ${names}`, () => ranksOf(texts, compareNames[names]))
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

// So many are sorted without comparing them; for fewer it would take longer.
const many = 4096

/** All transactions in an order that a comparison defines; those that were added since are merged into the others. */
const ordered = (table: Table, name: string, compare: () => Comparison, sortMany: () => Uint32Array): Uint32Array =>
  table.once(name, () => {
    const size = table.entries.length
    const before = (table.inherited(name) as Uint32Array | undefined) ?? nothing
    if (before.length === 0 && size >= many) return sortMany()
    const added = Uint32Array.from({ length: size - before.length }, (_none, i) => before.length + i)
    return merged(before, added.toSorted(compare()), compare())
  })

/** The first characters of an id as a number. Ids consist of hexadecimal digits and hyphens: seven bits each. */
const prefixOf = (id: string): number => {
  let prefix = 0
  for (let i = 0; i < 7; i++) prefix = prefix * 128 + id.charCodeAt(i)
  return prefix
}

/** Sorts those next to each other in an array that have equal numbers. */
const sortTies = (indexes: Uint32Array, numberAt: ValueAt, compare: Comparison): Uint32Array => {
  for (let from = 0, to = 1; from < indexes.length; from = to++) {
    const number = numberAt(indexes[from] as number)
    while (to < indexes.length && numberAt(indexes[to] as number) === number) to++
    if (to - from > 1) indexes.subarray(from, to).sort(compare)
  }
  return indexes
}

const inLedgerOrder = (table: Table): Uint32Array => Uint32Array.from(table.entries.keys())

/** All transactions by their ids. */
const orderById = (table: Table): Uint32Array => {
  const compare = compareTies['transaction-id'](table)
  const sortMany = () => {
    const prefixes = Float64Array.from(table.entries, ({ transactionId }) => prefixOf(transactionId))
    const prefixAt = (index: number) => prefixes[index] as number
    return sortTies(radixSorted(inLedgerOrder(table), prefixAt), prefixAt, compare)
  }
  return ordered(table, 'order id', () => compare, sortMany)
}

/** Whether a table has a transaction with an id. */
export const hasId = (table: Table, id: string): boolean => {
  const indexes = orderById(table)
  let low = 0
  let high = indexes.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((table.entries[indexes[middle] as number] as LedgerEntry).transactionId < id) low = middle + 1
    else high = middle
  }
  return table.entries[indexes[low] ?? -1]?.transactionId === id
}

/** All transactions in ascending order; `reverseSlice` reads it in descending order. */
export const orderOf = (table: Table, sort: Sort): Sorted => {
  const name = `order ${nameOf(sort)}`
  const { by, ties } = sort
  const valueAt = valueAtOf(table, sort)
  const sortMany = () => {
    if (ties === 'ledger') return radixSorted(inLedgerOrder(table), valueAt)
    // Few are created in the same moment. Of equal amounts and names there are many.
    return by === 'createdAt'
      ? sortTies(radixSorted(inLedgerOrder(table), valueAt), valueAt, compareTies[ties](table))
      : radixSorted(orderById(table), valueAt)
  }
  return { name, indexes: ordered(table, name, () => comparisonOf(table, sort, valueAt), sortMany) }
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
