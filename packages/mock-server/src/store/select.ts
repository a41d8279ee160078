import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { marksOf } from './conditions.ts'
import { orderOf } from './order.ts'
import type { Filter, Selection, Sort, SumField } from './selection.ts'
import { sumOf } from './sum.ts'
import { codesOf, numbersOf, factorOf, type Table } from './table.ts'

/** The transactions that match a filter, in no order. */
export type Matches = ReturnType<typeof matchesOf>

const countUsers = (table: Table, marks: Uint8Array): number => {
  const { of, codeOf } = codesOf(table, 'platformId')
  const isSeen = new Uint8Array(codeOf.size)
  for (let i = 0; i < marks.length; i++) if (marks[i] === 1) isSeen[of[i] as number] = 1
  return isSeen.reduce((count, seen) => count + seen, 0)
}

const addUp = (table: Table, marks: Uint8Array, field: SumField): number => {
  const values = numbersOf(table, field)
  const factor = factorOf(table, field)
  if (factor === undefined) return sumOf(values.filter((_value, i) => marks[i] === 1))
  let sum = 0
  for (let i = 0; i < marks.length; i++) if (marks[i] === 1) sum += Math.round((values[i] as number) * factor)
  return sum / factor
}

/** Finds what matches a filter. Everything but `total` is computed when it is first read. */
export const matchesOf = (table: Table, filter: Filter) => {
  const marks = marksOf(table, filter)
  let total = 0
  for (let i = 0; i < marks.length; i++) total += marks[i] as number
  let userCount: number | undefined
  return {
    /** 1 for each transaction that matches, else 0. */
    marks,
    total,
    get userCount(): number {
      return (userCount ??= countUsers(table, marks))
    },
    sum: (field: SumField): number => addUp(table, marks, field),
  }
}

/** Matches in the order of a sort, found in one pass over that order when they are first read. */
export const inOrder = (table: Table, matches: Matches, sort: Sort): Selection => {
  const { marks, total } = matches
  let found: Uint32Array | undefined
  const indexes = (): Uint32Array => {
    if (found) return found
    const order = orderOf(table, sort)
    if (total === order.length) return (found = order)
    found = new Uint32Array(total)
    let count = 0
    for (const index of order) if (marks[index] === 1) found[count++] = index
    return found
  }
  const entryAt = (index: number) => table.entries[index] as LedgerEntry
  return {
    total,
    slice: (start, end) => Array.from(indexes().subarray(start, end), entryAt),
    get userCount() {
      return matches.userCount
    },
    get users() {
      const users = new Set<string>()
      for (const index of indexes()) {
        // Most users have a match early.
        if (users.size === matches.userCount) break
        users.add(entryAt(index).platformId)
      }
      return [...users]
    },
    ofUsers(users) {
      const { of, codeOf } = codesOf(table, 'platformId')
      const codes = new Set(users.map((user) => codeOf.get(user)))
      return Array.from(
        indexes().filter((index) => codes.has(of[index])),
        entryAt,
      )
    },
    sum: (field) => matches.sum(field),
  }
}
