import type { ValueAt } from './from-end.ts'
import type { Sort } from './select.ts'
import type { Table } from './table.ts'

/** Compares two rows by where they stand in the table. */
type Comparison = (a: number, b: number) => number

const nothing = new Uint32Array()

const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

const spelled: Record<Sort['names'], (name: string) => string> = {
  'code-unit': (name) => name,
  'case-insensitive': (name) => name.toLowerCase(),
}

/** For each name where it comes among all names: comparing numbers beats comparing texts a million times. */
const ranksOf = (names: readonly string[], spelling: (name: string) => string): Float64Array => {
  const spelt = names.map(spelling)
  const ranks = new Map([...new Set(spelt)].toSorted(byText).map((name, rank) => [name, rank]))
  return Float64Array.from(spelt, (name) => ranks.get(name) ?? 0)
}

const rankColumn = (table: Table, names: Sort['names']): ValueAt => {
  const { of, texts } = table.codes('name')
  const ranks = table.once(`ranks ${names}`, () => ranksOf(texts, spelled[names]))
  return (row) => ranks[of[row] ?? 0] ?? 0
}

/** What a row is sorted by, as a number. */
export const valueAtOf = (table: Table, { by, names }: Sort): ValueAt => {
  if (by === 'name') return rankColumn(table, names)
  const values = table.numbers(by)
  return (row) => values[row] ?? 0
}

const byTie: Record<Sort['ties'], (table: Table) => Comparison> = {
  'transaction-id':
    ({ entries }) =>
    (a, b) =>
      byText(entries[a]?.transactionId ?? '', entries[b]?.transactionId ?? ''),
  ledger: () => (a, b) => a - b,
}

export const nameOfSort = ({ by, order, names, ties }: Sort): string => `${by} ${order} ${names} ${ties}`

/** Two lists in order made into one. */
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

// Both directions share an order, and only names have a spelling.
const nameOfOrder = ({ by, names, ties }: Sort): string => `${by} ${by === 'name' ? names : ''} ${ties}`

/** All rows sorted upwards. Downwards they are read by `fromEnd`. */
export const orderOf = (table: Table, sort: Sort): Uint32Array => {
  const name = `order ${nameOfOrder(sort)}`
  return table.once(name, () => {
    const valueAt = valueAtOf(table, sort)
    const values = Float64Array.from({ length: table.size }, (_none, row) => valueAt(row))
    const settle = byTie[sort.ties](table)
    const compare: Comparison = (a, b) => (values[a] ?? 0) - (values[b] ?? 0) || settle(a, b)
    const before = (table.before(name) as Uint32Array | undefined) ?? nothing
    const added = Uint32Array.from({ length: table.size - before.length }, (_none, i) => before.length + i)
    return merged(before, added.toSorted(compare), compare)
  })
}

/** The rows of one user or one source, sorted upwards. All of them are set out at once, in one pass. */
export const postingOf = (table: Table, field: 'platformId' | 'source', code: number, sort: Sort): Uint32Array => {
  const { rows, starts } = table.once(`postings ${field} ${nameOfOrder(sort)}`, () => {
    const { of, texts } = table.codes(field)
    const counts = new Uint32Array(texts.length + 1)
    for (const each of of) counts[each + 1] = (counts[each + 1] ?? 0) + 1
    for (let i = 1; i < counts.length; i++) counts[i] = (counts[i] ?? 0) + (counts[i - 1] ?? 0)
    const next = counts.slice()
    const set = new Uint32Array(of.length)
    for (const row of orderOf(table, sort)) {
      const each = of[row] ?? 0
      const at = next[each] ?? 0
      set[at] = row
      next[each] = at + 1
    }
    return { rows: set, starts: counts }
  })
  return rows.subarray(starts[code], starts[code + 1])
}
