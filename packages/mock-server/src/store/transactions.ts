import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { array, describeValue, string, worded } from '@guild-ledger/validation'
import { checkedValue } from '../type-error.ts'
import { inOrder, matchesOf, type Matches } from './select.ts'
import type { Filter, Selection, Sort } from './selection.ts'
import { codesOf, createTable, type Table } from './table.ts'
import { stored, violationOf } from './validate-transactions.ts'

/**
 * The ledger of one guild. A query filters and sorts in columns: a `Table` has the transactions, and the columns that
 * queries have needed so far (`table.ts`). A table never changes, so a snapshot is a reference to it. For each sort there is
 * an array of all indexes (`order.ts`), made without comparing (`radix-sort.ts`). Each condition of a filter marks
 * transactions in one pass (`conditions.ts`). The total is the number of marks, and a page is read from one pass over the
 * order (`select.ts`).
 */
export type TransactionStore = ReturnType<typeof createTransactionStore>

/**
 * Creates a ledger in memory.
 *
 * The seeded transactions are read when they are first needed and are not checked: the seed keeps the contract by its
 * own tests.
 */
export const createTransactionStore = (seeded: () => readonly LedgerEntry[] = () => []) => {
  let table = createTable(seeded)
  /** The ids in `table`, once they have been needed. */
  let knownIds: Set<string> | undefined
  /** Of the last filter: the pages of a query share them. */
  let last: { readonly table: Table; readonly name: string; readonly matches: Matches } | undefined

  const ids = () => (knownIds ??= new Set(table.entries.map(({ transactionId }) => transactionId)))
  const setTable = (other: Table): void => {
    table = other
    knownIds = undefined
  }

  /** Checks that transactions may be added. The ids of `scheduled` ones are taken too. */
  const check = (transactions: readonly LedgerEntry[], scheduled?: ReadonlySet<string>): void => {
    const fresh = new Set<string>()
    for (const [i, entry] of transactions.entries()) {
      const violation = violationOf(entry)
      if (violation) {
        throw new TypeError(`Transaction ${i} of ${transactions.length}: ${violation}. No transaction was added.`)
      }
      const { transactionId } = entry
      if (fresh.has(transactionId) || scheduled?.has(transactionId) || ids().has(transactionId)) {
        throw new TypeError(
          `Transaction ${i} has the transactionId ${transactionId}, which is taken. No transaction was added.`,
        )
      }
      fresh.add(transactionId)
    }
  }

  return {
    get size(): number {
      return table.entries.length
    },
    entries: (): LedgerEntry[] => [...table.entries],
    /** Users by how early they appeared in the ledger, counted from 0. */
    users: (): ReadonlyMap<string, number> => codesOf(table, 'platformId').codeOf,
    check,
    /** Appends transactions that pass `check`, and returns them as they are kept. */
    add(given: readonly LedgerEntry[], scheduled?: ReadonlySet<string>): LedgerEntry[] {
      check(given, scheduled)
      const added = stored(given)
      table = table.extended(added)
      for (const { transactionId } of given) ids().add(transactionId)
      return added
    },
    remove(transactionIds: readonly string[]): void {
      checkedValue(worded(array, 'an array of ids'), 'transactionIds', transactionIds)
      transactionIds.forEach((id, i) => checkedValue(worded(string, 'a transactionId'), `transactionIds[${i}]`, id))
      const unknown = transactionIds.find((id) => !ids().has(id))
      if (unknown !== undefined) {
        throw new TypeError(
          `No transaction has the transactionId ${describeValue(unknown)}. No transaction was removed.`,
        )
      }
      const removed = new Set(transactionIds)
      const entries = table.entries.filter((one) => !removed.has(one.transactionId))
      setTable(createTable(() => entries))
    },
    select(filter: Filter, sort: Sort): Selection {
      const name = JSON.stringify(filter)
      if (last?.table !== table || last.name !== name) last = { table, name, matches: matchesOf(table, filter) }
      return inOrder(table, last.matches, sort)
    },
    /** The state of the ledger, for `restore`. It is the same object until the ledger changes. */
    state: (): Table => table,
    restore: setTable,
  }
}
