import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { instantOf } from './instant.ts'

/** Texts of a column as numbers: equal texts have equal codes, counted up as they first appear. */
export interface Codes {
  readonly of: Uint32Array
  readonly texts: readonly string[]
  readonly codeOf: ReadonlyMap<string, number>
}

/** A field that can be compared as a number. */
export type NumberField = 'amount' | 'quantity' | 'total' | 'createdAt'

/**
 * The rows of a ledger at some moment. Nothing in it changes: a ledger that changes gets another table, and whoever kept
 * the old one has it with all that was worked out about it.
 */
export interface Table {
  readonly size: number
  readonly entries: readonly LedgerEntry[]
  /** A field of all rows side by side; `createdAt` in milliseconds since 1970. */
  numbers(field: NumberField): Float64Array
  codes(field: 'platformId' | 'source' | 'name'): Codes
  /** Ids of all rows. */
  ids(): ReadonlySet<string>
  /** What has been worked out about these rows, to be found again under a name. */
  once<Result>(name: string, work: () => Result): Result
}

const codesOf = (entries: readonly LedgerEntry[], field: 'platformId' | 'source' | 'name'): Codes => {
  const of = new Uint32Array(entries.length)
  const texts: string[] = []
  const codeOf = new Map<string, number>()
  for (let i = 0; i < entries.length; i++) {
    const text = entries[i]?.[field] ?? ''
    let code = codeOf.get(text)
    if (code === undefined) {
      code = texts.push(text) - 1
      codeOf.set(text, code)
    }
    of[i] = code
  }
  return { of, texts, codeOf }
}

const numbersOf = (entries: readonly LedgerEntry[], field: NumberField): Float64Array =>
  field === 'createdAt'
    ? Float64Array.from(entries, (entry) => instantOf(entry.createdAt) ?? 0)
    : Float64Array.from(entries, (entry) => entry[field])

/** Columns over rows, each made when it is first needed; the rows too. */
export const createTable = (makeEntries: () => readonly LedgerEntry[]): Table => {
  const made = new Map<string, unknown>()
  const once: Table['once'] = <Result>(name: string, work: () => Result): Result => {
    const known = made.get(name)
    if (known !== undefined) return known as Result
    const result = work()
    made.set(name, result)
    return result
  }
  let entries: readonly LedgerEntry[] | undefined
  const table: Table = {
    get size() {
      return table.entries.length
    },
    get entries() {
      entries ??= makeEntries()
      return entries
    },
    numbers: (field) => once(`numbers ${field}`, () => numbersOf(table.entries, field)),
    codes: (field) => once(`codes ${field}`, () => codesOf(table.entries, field)),
    ids: () => once('ids', () => new Set(table.entries.map((entry) => entry.transactionId))),
    once,
  }
  return table
}
