import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { radixSorted } from './radix-sort.ts'
import type { Sort } from './selection.ts'
import { codesOf, numbersOf, type Table } from './table.ts'

type Compare<Value> = (a: Value, b: Value) => number

const compareText: Compare<string> = (a, b) => (a < b ? -1 : Number(a > b))

// Not the language of the machine: the same ledger has the same order everywhere.
const english = new Intl.Collator('en')

const compareNames: Record<Sort['names'], Compare<string>> = {
  'code-unit': compareText,
  'case-insensitive': (a, b) => compareText(a.toLowerCase(), b.toLowerCase()),
  language: english.compare,
}

/** The rank of the name of each transaction among all names; equal ones have equal ranks. */
const nameRanks = (table: Table, names: Sort['names']): Float64Array =>
  table.once(`ranks ${names}`, () => {
    const { of, codeOf } = codesOf(table, 'name')
    const compare = compareNames[names]
    const ranks = new Float64Array(codeOf.size)
    let [rank, last] = [0, '']
    for (const [name, code] of [...codeOf].toSorted(([a], [b]) => compare(a, b))) {
      if (compare(last, name) !== 0) rank++
      ranks[code] = rank
      last = name
    }
    return Float64Array.from(of, (code) => ranks[code] as number)
  })

/** The numbers that transactions are sorted by. */
const sortNumbers = (table: Table, { by, names }: Sort): Float64Array =>
  by === 'name' ? nameRanks(table, names) : numbersOf(table, by)

const compareIds =
  ({ entries }: Table): Compare<number> =>
  (a, b) =>
    compareText((entries[a] as LedgerEntry).transactionId, (entries[b] as LedgerEntry).transactionId)

const ledgerOrder = (table: Table): Uint32Array => Uint32Array.from(table.entries.keys())

/** The first characters of an id as a number. Ids consist of hexadecimal digits and hyphens: seven bits each. */
const prefixOf = ({ transactionId }: LedgerEntry): number => {
  let prefix = 0
  for (let i = 0; i < 7; i++) prefix = prefix * 128 + transactionId.charCodeAt(i)
  return prefix
}

/** All transactions by their ids: by the prefixes, and where these are equal by comparison. */
const idOrder = (table: Table): Uint32Array =>
  table.once('order by id', () => {
    const prefixes = Float64Array.from(table.entries, prefixOf)
    const order = radixSorted(ledgerOrder(table), prefixes)
    const compare = compareIds(table)
    for (let from = 0, to = 1; from < order.length; from = to++) {
      const prefix = prefixes[order[from] as number]
      while (to < order.length && prefixes[order[to] as number] === prefix) to++
      if (to - from > 1) order.subarray(from, to).sort(compare)
    }
    return order
  })

/** How transactions with equal values are ordered. */
const tieOrders: Record<Sort['ties'], { order: typeof idOrder; compare: typeof compareIds }> = {
  'transaction-id': { order: idOrder, compare: compareIds },
  ledger: { order: ledgerOrder, compare: () => (a, b) => a - b },
}

/** Merges two sorted arrays. */
const merged = (left: Uint32Array, right: Uint32Array, compare: Compare<number>): Uint32Array => {
  const all = new Uint32Array(left.length + right.length)
  let [i, j] = [0, 0]
  for (let at = 0; at < all.length; at++) {
    const takeLeft = j >= right.length || (i < left.length && compare(left[i] as number, right[j] as number) <= 0)
    all[at] = (takeLeft ? left[i++] : right[j++]) as number
  }
  return all
}

/** All transactions in the order of a sort; what was added since the last query is merged into the others. */
export const orderOf = (table: Table, sort: Sort): Uint32Array => {
  const { by, order, names, ties } = sort
  return table.once<Uint32Array>(`order ${by} ${order} ${by === 'name' && names} ${ties}`, (before) => {
    const numbers = sortNumbers(table, sort)
    const direction = order === 'asc' ? 1 : -1
    const added = ledgerOrder(table).subarray(before?.length)
    // To sort many without comparing them is faster.
    if (!before || added.length > before.length / 8)
      return radixSorted(tieOrders[ties].order(table), numbers, direction)
    const compareTies = tieOrders[ties].compare(table)
    const compare: Compare<number> = (a, b) =>
      direction * ((numbers[a] as number) - (numbers[b] as number)) || compareTies(a, b)
    return merged(before, added.toSorted(compare), compare)
  })
}
