import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { integersFrom, radixSorted } from './radix-sort.ts'
import type { Sort } from './selection.ts'
import { codesOf, numbersOf, type Table } from './table.ts'

type Compare<Value> = (a: Value, b: Value) => number

const compareText: Compare<string> = (a, b) => (a < b ? -1 : Number(a > b))

/** Replaces code units so that their order is that of code points: surrogates come last. */
const raised = (unit: string) => String.fromCharCode(unit.charCodeAt(0) + (unit < '\ue000' ? 0x2000 : -0x800))
const ordered = (text: string) => text.replaceAll(/[\ud800-\uffff]/g, raised)
let collator: Intl.Collator | undefined

/** How each value of `nameOrder` compares names. */
export const nameComparisons: Record<Sort['names'], Compare<string>> = {
  // As SQL databases, Python and Go do.
  'code-point': (a, b) => compareText(ordered(a), ordered(b)),
  'case-insensitive': (a, b) => compareText(ordered(a.toLowerCase()), ordered(b.toLowerCase())),
  // Not the language of the machine: the same ledger has the same order everywhere. To make a collator takes milliseconds.
  language: (a, b) => (collator ??= new Intl.Collator('en')).compare(a, b),
}

/** The rank of the name of each transaction among all names; equal ones have equal ranks. */
const nameRanks = (table: Table, names: Sort['names']): Float64Array =>
  table.once(`ranks ${names}`, () => {
    const { of, codeOf } = codesOf(table, 'name')
    const compare = nameComparisons[names]
    const ranks = new Float64Array(codeOf.size)
    let [rank, last] = [0, '']
    for (const [name, code] of [...codeOf].toSorted(([a], [b]) => compare(a, b))) {
      if (compare(last, name) !== 0) rank++
      ranks[code] = rank
      last = name
    }
    return Float64Array.from(of, (code) => ranks[code] as number)
  })

const compareIds =
  ({ entries }: Table): Compare<number> =>
  (a, b) =>
    compareText((entries[a] as LedgerEntry).transactionId, (entries[b] as LedgerEntry).transactionId)

const ledgerOrder = ({ entries }: Table): Uint32Array => integersFrom(0, entries.length)

/** Sorts those next to each other that have equal numbers. */
const sortTies = (order: Uint32Array, numbers: Float64Array, compare: Compare<number>): Uint32Array => {
  for (let from = 0, to = 1; from < order.length; from = to++) {
    const number = numbers[order[from] as number]
    while (to < order.length && numbers[order[to] as number] === number) to++
    if (to - from > 1) order.subarray(from, to).sort(compare)
  }
  return order
}

/** The first characters of an id as a number. Ids consist of hexadecimal digits and hyphens: seven bits each. */
const prefixOf = ({ transactionId }: LedgerEntry): number => {
  let prefix = 0
  for (let i = 0; i < 7; i++) prefix = prefix * 128 + transactionId.charCodeAt(i)
  return prefix
}

const idOrder = (table: Table): Uint32Array =>
  table.once('order by id', () => {
    const prefixes = new Float64Array(table.entries.length)
    for (let i = 0; i < prefixes.length; i++) prefixes[i] = prefixOf(table.entries[i] as LedgerEntry)
    return sortTies(radixSorted(ledgerOrder(table), prefixes), prefixes, compareIds(table))
  })

const tieOrders: Record<Sort['ties'], { order: typeof idOrder; compare: typeof compareIds }> = {
  'transaction-id': { order: idOrder, compare: compareIds },
  ledger: { order: ledgerOrder, compare: () => (a, b) => a - b },
}

/** A sorted array with a few more, which are sorted, too. */
const inserted = (sorted: Uint32Array, added: Uint32Array, compare: Compare<number>): Uint32Array => {
  const all = new Uint32Array(sorted.length + added.length)
  let from = 0
  for (const [count, index] of added.entries()) {
    let [low, high] = [from, sorted.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compare(sorted[middle] as number, index) <= 0) low = middle + 1
      else high = middle
    }
    all.set(sorted.subarray(from, low), from + count)
    all[low + count] = index
    from = low
  }
  all.set(sorted.subarray(from), from + added.length)
  return all
}

/** All transactions in the order of a sort; what was added since the last query is inserted. */
export const orderOf = (table: Table, { by, order, names, ties }: Sort): Uint32Array => {
  return table.once<Uint32Array>(`order ${by} ${order} ${by === 'name' && names} ${ties}`, (before) => {
    const numbers = by === 'name' ? nameRanks(table, names) : numbersOf(table, by)
    const direction = order === 'asc' ? 1 : -1
    const added = integersFrom(before?.length ?? 0, table.entries.length)
    const compareTies = tieOrders[ties].compare(table)
    // To sort many without comparing them is faster.
    if (!before || added.length > before.length / 8) {
      // Few are created in the same moment. Of equal amounts and names there are many.
      return by === 'createdAt'
        ? sortTies(radixSorted(ledgerOrder(table), numbers, direction), numbers, compareTies)
        : radixSorted(tieOrders[ties].order(table), numbers, direction)
    }
    const compare: Compare<number> = (a, b) =>
      direction * ((numbers[a] as number) - (numbers[b] as number)) || compareTies(a, b)
    return inserted(before, added.toSorted(compare), compare)
  })
}
