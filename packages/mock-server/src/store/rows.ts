import { inWords, type LedgerEntry } from '@guild-ledger/sdk/contract'
import { flawOf, stored } from './check-rows.ts'
import { find } from './find.ts'
import { fromEnd } from './from-end.ts'
import { nameOfSort, valueAtOf } from './order.ts'
import type { Filter, Selection, Sort } from './select.ts'
import { sumOf } from './sum.ts'
import { createTable, type Table } from './table.ts'

/** The ledger of one guild. */
export interface Rows {
  /** How many rows there are. */
  readonly size: number
  /** All rows as they entered the ledger. */
  entries(): LedgerEntry[]
  /** Users by how early they appeared in the ledger, counted from 0. */
  users(): ReadonlyMap<string, number>
  /**
   * Passes if rows may be added. The ids of `expected` rows are taken too.
   *
   * @throws {TypeError} One breaks the contract or has a `transactionId` that is taken.
   */
  check(given: readonly LedgerEntry[], expected?: ReadonlySet<string>): void
  /**
   * Appends rows, once they have passed `check`.
   *
   * @throws {TypeError} They did not pass; then none is added.
   */
  add(given: readonly LedgerEntry[], expected?: ReadonlySet<string>): void
  /**
   * Takes rows out.
   *
   * @throws {TypeError} No row has such an id; then none is removed.
   */
  remove(transactionIds: readonly string[]): void
  /** The rows that match, in order. */
  select(filter: Filter, sort: Sort): Selection
  /** The rows as they are now, to come back to. */
  state(): Table
  restore(state: Table): void
}

// Enough for the pages of a few walks side by side; each holds four bytes a row at most.
const remembered = 32

const nameOfFilter = (filter: Filter): string => {
  const { platformId, source, minAmount, maxAmount, minCreatedAt, maxCreatedAt } = filter
  const numbers = `${minAmount} ${maxAmount} ${minCreatedAt} ${maxCreatedAt}`
  if (platformId === undefined && source === undefined) return numbers
  return `${numbers} ${JSON.stringify([platformId, source?.text, source?.match])}`
}

/** Where rows stand in the table, from the `start`th to before the `end`th of those that were asked for. */
type Part = (start: number, end: number) => ArrayLike<number>

const partOf = (table: Table, found: Uint32Array, sort: Sort): Part => {
  if (sort.order === 'asc') return (start, end) => found.subarray(start, end)
  const valueAt = valueAtOf(table, sort)
  return (start, end) => fromEnd(found, valueAt, start, end)
}

// Most users have a row early on.
const rowsAtOnce = 4096

/** Users among rows, in the order of their first one. */
const usersAmong = (table: Table, total: number, part: Part): string[] => {
  const { of, texts } = table.codes('platformId')
  const seen = new Uint8Array(texts.length)
  const users: string[] = []
  for (let start = 0; start < total && users.length < texts.length; start += rowsAtOnce) {
    const rows = part(start, start + rowsAtOnce)
    for (let i = 0; i < rows.length; i++) {
      const code = of[rows[i] ?? 0] ?? 0
      if (seen[code] === 1) continue
      seen[code] = 1
      users.push(texts[code] ?? '')
    }
  }
  return users
}

/** The latest so many results of some work; the oldest half goes when there are more. */
const createMemory = <Result>() => {
  const results = new Map<string, Result>()
  return (name: string, work: () => Result): Result => {
    const known = results.get(name)
    if (known !== undefined) return known
    const result = work()
    if (results.size >= remembered) {
      for (const key of [...results.keys()].slice(0, remembered / 2)) results.delete(key)
    }
    results.set(name, result)
    return result
  }
}

interface Memory {
  readonly selection: (name: string, work: () => Selection) => Selection
  readonly sum: (name: string, work: () => number) => number
}

const memoryOf = (table: Table): Memory =>
  table.once('memory', () => ({ selection: createMemory<Selection>(), sum: createMemory<number>() }))

const selectionOf = (table: Table, filter: Filter, nameOfRows: string, sort: Sort): Selection => {
  const { entries } = table
  const found = find(table, filter, sort)
  const part = partOf(table, found, sort)
  let users: readonly string[] | undefined
  return {
    total: found.length,
    slice(start, end) {
      const rows = part(start, end)
      const page: LedgerEntry[] = []
      for (let i = 0; i < rows.length; i++) page.push(entries[rows[i] ?? 0] as LedgerEntry)
      return page
    },
    get users() {
      users ??= usersAmong(table, found.length, part)
      return users
    },
    // A sum does not depend on the order, so all orders share it.
    sum(column) {
      return memoryOf(table).sum(`${column} ${nameOfRows}`, () => {
        const values = table.numbers(column)
        return sumOf(Float64Array.from(found, (row) => values[row] ?? 0))
      })
    },
  }
}

/**
 * A ledger in memory. What is asked twice between two changes is worked out once.
 *
 * The rows it starts with are taken as they are, when they are first looked at: they come from the seed, which keeps the
 * contract by its tests.
 */
export const createRows = (seeded: () => readonly LedgerEntry[] = () => []): Rows => {
  let table = createTable(seeded)

  const freshIds = (given: readonly LedgerEntry[], expected?: ReadonlySet<string>): ReadonlySet<string> => {
    if (!Array.isArray(given)) throw new TypeError(`Rows to add must be a list, not ${inWords(given)}.`)
    const ids = table.ids()
    const fresh = new Set<string>()
    for (const [i, row] of given.entries()) {
      const flaw = flawOf(row)
      if (flaw) throw new TypeError(`Row ${i} of ${given.length} breaks the contract: ${flaw}. Nothing was added.`)
      const { transactionId } = row as LedgerEntry
      if (ids.has(transactionId) || fresh.has(transactionId) || expected?.has(transactionId)) {
        throw new TypeError(`Row ${i} has the transactionId ${transactionId}, which is taken. Nothing was added.`)
      }
      fresh.add(transactionId)
    }
    return fresh
  }

  return {
    get size() {
      return table.size
    },
    entries: () => [...table.entries],
    users: () => table.codes('platformId').codeOf,
    check: (given, expected) => void freshIds(given, expected),
    add(given, expected) {
      const ids = freshIds(given, expected)
      table = table.grown(stored(given), ids)
    },
    remove(transactionIds) {
      const ids = table.ids()
      const unknown = transactionIds.find((id) => !ids.has(id))
      if (unknown !== undefined) {
        throw new TypeError(`No row has the transactionId ${inWords(unknown)}. Nothing was removed.`)
      }
      const removed = new Set(transactionIds)
      const entries = table.entries.filter((entry) => !removed.has(entry.transactionId))
      table = createTable(() => entries)
    },
    select(filter, sort) {
      const nameOfRows = nameOfFilter(filter)
      return memoryOf(table).selection(`${nameOfSort(sort)} ${nameOfRows}`, () =>
        selectionOf(table, filter, nameOfRows, sort),
      )
    },
    state: () => table,
    restore(state) {
      table = state
    },
  }
}
