import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { array, describeValue, string, worded } from '@guild-ledger/validation'
import { checkedValue } from '../type-error.ts'
import { combined } from './combine.ts'
import { hasId } from './order.ts'
import { selectFrom } from './select.ts'
import type { Filter, Selection, Sort } from './selection.ts'
import { createTable, type Table } from './table.ts'
import { stored, violationOf } from './validate-transactions.ts'

/** The ledger of one guild. */
export interface TransactionStore {
  /** The number of transactions. */
  readonly size: number
  /** All transactions in the order in which they entered the ledger. */
  entries(): LedgerEntry[]
  /** Users by how early they appeared in the ledger, counted from 0. */
  users(): ReadonlyMap<string, number>
  /**
   * Checks that transactions may be added. The ids of `scheduled` ones are taken too.
   *
   * @throws {TypeError} One breaks the contract, or its `transactionId` is taken.
   */
  check(transactions: readonly LedgerEntry[], scheduled?: ReadonlySet<string>): void
  /**
   * Appends transactions that pass `check`.
   *
   * @throws {TypeError} One does not pass; then none is added.
   */
  add(transactions: readonly LedgerEntry[], scheduled?: ReadonlySet<string>): void
  /**
   * Removes transactions.
   *
   * @throws {TypeError} No transaction has such an id; then none is removed.
   */
  remove(transactionIds: readonly string[]): void
  /** Selects the transactions that match a filter, in the order of a sort. */
  select(filter: Filter, sort: Sort): Selection
  /** The state of the ledger, for `restore`. It is the same object until the ledger changes. */
  state(): LedgerState
  restore(state: LedgerState): void
}

/** A ledger at some moment. */
interface LedgerState {
  /** Nearly all transactions, with the indexes. */
  readonly table: Table
  /** Those that were added lately: so few that indexing them again with each addition costs little. */
  readonly late: Table
  /** The selections of the last queries by their names, so that pages of one query share what was found. */
  readonly selections: Map<string, Selection>
  /** Users by how early they appeared, if they have been ranked. */
  users: ReadonlyMap<string, number> | undefined
}

const none = createTable(() => [])

const stateOf = (table: Table, late = none): LedgerState => ({
  table,
  late,
  selections: new Map(),
  users: undefined,
})

const isTaken = ({ table, late }: LedgerState, id: string): boolean => hasId(table, id) || hasId(late, id)

const rankUsers = ({ table, late }: LedgerState): ReadonlyMap<string, number> => {
  const { codeOf } = table.codes('platformId')
  const added = late.codes('platformId').texts.filter((user) => !codeOf.has(user))
  return added.length === 0 ? codeOf : new Map([...codeOf.keys(), ...added].map((user, rank) => [user, rank]))
}

/** Adds to the late transactions, or, once these are many, makes one table of all. */
const grown = (state: LedgerState, added: readonly LedgerEntry[]): LedgerState => {
  const { table, late } = state
  // The square root balances the cost of additions, which grows with the late ones, with that of making one table.
  const isLate = (late.entries.length + added.length) ** 2 <= table.entries.length
  if (isLate) return stateOf(table, late.extended(added))
  return stateOf(table.extended([...late.entries, ...added]))
}

// A few clients that read pages side by side.
const maxSelections = 8

/**
 * Creates a ledger in memory.
 *
 * The seeded transactions are read when they are first needed and are not checked: the seed keeps the contract by its
 * own tests.
 */
export const createTransactionStore = (seeded: () => readonly LedgerEntry[] = () => []): TransactionStore => {
  let state = stateOf(createTable(seeded))

  const check = (transactions: readonly LedgerEntry[], scheduled?: ReadonlySet<string>): void => {
    if (!Array.isArray(transactions)) {
      throw new TypeError(`Transactions to add must be an array, got ${describeValue(transactions)}.`)
    }
    const fresh = new Set<string>()
    for (const [i, entry] of transactions.entries()) {
      const violation = violationOf(entry)
      if (violation) {
        throw new TypeError(`Transaction ${i} of ${transactions.length}: ${violation}. No transaction was added.`)
      }
      const { transactionId } = entry as LedgerEntry
      if (fresh.has(transactionId) || scheduled?.has(transactionId) || isTaken(state, transactionId)) {
        throw new TypeError(
          `Transaction ${i} has the transactionId ${transactionId}, which is taken. No transaction was added.`,
        )
      }
      fresh.add(transactionId)
    }
  }

  return {
    get size() {
      return state.table.entries.length + state.late.entries.length
    },
    entries: () => [...state.table.entries, ...state.late.entries],
    users: () => (state.users ??= rankUsers(state)),
    check,
    add(given, scheduled) {
      check(given, scheduled)
      state = grown(state, stored(given))
    },
    remove(transactionIds) {
      checkedValue(worded(array, 'an array of ids'), 'transactionIds', transactionIds)
      transactionIds.forEach((id, i) => checkedValue(worded(string, 'a transactionId'), `transactionIds[${i}]`, id))
      const unknown = transactionIds.find((id) => !isTaken(state, id))
      if (unknown !== undefined) {
        throw new TypeError(
          `No transaction has the transactionId ${describeValue(unknown)}. No transaction was removed.`,
        )
      }
      const removed = new Set(transactionIds)
      const entries = [...state.table.entries, ...state.late.entries].filter((one) => !removed.has(one.transactionId))
      state = stateOf(createTable(() => entries))
    },
    select(filter, sort) {
      const { table, late, selections } = state
      const name = JSON.stringify([filter, sort])
      const known = selections.get(name)
      if (known) return known
      const lately = late === none ? undefined : selectFrom(late, filter, sort)
      const selection = combined(selectFrom(table, filter, sort), lately, sort)
      if (selections.size >= maxSelections) selections.delete(selections.keys().next().value as string)
      selections.set(name, selection)
      return selection
    },
    state: () => state,
    restore(earlier) {
      state = earlier
    },
  }
}
