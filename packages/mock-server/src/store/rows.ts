import { inWords, type LedgerEntry } from '@guild-ledger/sdk/contract'
import { flawOf, rowOf, type Row } from './check-rows.ts'
import { matches } from './matches.ts'
import { inOrder } from './in-order.ts'
import { sumOf } from './sum.ts'
import type { Filter, Selection, Sort } from './select.ts'

/** The rows of a ledger at some moment. */
type RowsState = readonly Row[]

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
  state(): RowsState
  restore(state: RowsState): void
}

// Enough for the pages of a few walks side by side; each holds one pointer a row.
const remembered = 32

const selectionOf = (rows: readonly Row[]): Selection => {
  let users: readonly string[] | undefined
  const sums = new Map<'total' | 'amount', number>()
  return {
    total: rows.length,
    slice: (start, end) => rows.slice(start, end).map((row) => row.entry),
    get users() {
      users ??= [...new Set(rows.map((row) => row.entry.platformId))]
      return users
    },
    sum(column) {
      const sum = sums.get(column) ?? sumOf(rows.map((row) => row.entry[column]))
      sums.set(column, sum)
      return sum
    },
  }
}

/**
 * A ledger in memory. What is asked twice between two changes is worked out once.
 *
 * The rows it starts with are taken as they are: they come from the seed, which keeps the contract by its tests.
 */
export const createRows = (seeded: readonly LedgerEntry[] = []): Rows => {
  let rows: RowsState = seeded.map(rowOf)
  let ids = new Set(seeded.map((row) => row.transactionId))
  const orders = new Map<string, Row[]>()
  const selections = new Map<string, Selection>()
  let users: Map<string, number> | undefined

  const changed = () => {
    orders.clear()
    selections.clear()
    users = undefined
  }
  const ordered = (sort: Sort): readonly Row[] => {
    const key = Object.values(sort).join()
    const known = orders.get(key) ?? rows.toSorted(inOrder(sort))
    orders.set(key, known)
    return known
  }

  const check: Rows['check'] = (given, expected) => {
    if (!Array.isArray(given)) throw new TypeError(`Rows to add must be a list, not ${inWords(given)}.`)
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
  }

  return {
    get size() {
      return rows.length
    },
    entries: () => rows.map((row) => row.entry),
    users() {
      users ??= new Map([...new Set(rows.map((row) => row.entry.platformId))].map((user, rank) => [user, rank]))
      return users
    },
    check,
    add(given, expected) {
      check(given, expected)
      rows = [...rows, ...given.map(rowOf)]
      for (const { transactionId } of given) ids.add(transactionId)
      changed()
    },
    remove(transactionIds) {
      const unknown = transactionIds.find((id) => !ids.has(id))
      if (unknown !== undefined) {
        throw new TypeError(`No row has the transactionId ${inWords(unknown)}. Nothing was removed.`)
      }
      for (const id of transactionIds) ids.delete(id)
      rows = rows.filter((row) => ids.has(row.entry.transactionId))
      changed()
    },
    select(filter, sort) {
      const key = JSON.stringify([filter, sort])
      const known = selections.get(key)
      if (known) return known
      const selection = selectionOf(
        Object.keys(filter).length === 0 ? ordered(sort) : ordered(sort).filter(matches(filter)),
      )
      if (selections.size >= remembered) selections.clear()
      selections.set(key, selection)
      return selection
    },
    state: () => rows,
    restore(state) {
      if (state === rows) return
      rows = state
      ids = new Set(rows.map((row) => row.entry.transactionId))
      changed()
    },
  }
}
