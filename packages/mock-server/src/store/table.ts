import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { decimalScaleOf, type DecimalScale } from './sum.ts'
import type { GroupField, NumberField, SumField } from './selection.ts'
import { timestampOf } from './timestamp.ts'

/** The strings of a column as numbers: equal strings have equal codes, counted from 0 as they first appear. */
export interface Codes {
  /** The code of each transaction. */
  readonly of: Uint32Array
  /** The string of each code. */
  readonly texts: readonly string[]
  readonly codeOf: ReadonlyMap<string, number>
}

/** A field whose values are strings that repeat. */
export type TextField = GroupField | 'name'

/**
 * Transactions that never change, and what was computed about them. A transaction is known by its index: its position
 * in `entries`.
 */
export interface Table {
  readonly entries: readonly LedgerEntry[]
  /** A field of all transactions; `createdAt` in milliseconds since 1970. */
  numbers(field: NumberField): Float64Array
  codes(field: TextField): Codes
  /** How a field can be added up in integers. */
  scale(field: SumField): DecimalScale | undefined
  /** Computes something about these transactions once and keeps it under a name. */
  once<Result>(name: string, compute: () => Result): Result
  /** What a table with the first of these transactions kept under a name, to be extended. Returned once. */
  inherited(name: string): unknown
  /** A table with more transactions. It extends what this one kept instead of computing it again. */
  extended(added: readonly LedgerEntry[]): Table
}

const codesOf = (entries: readonly LedgerEntry[], field: TextField, before?: Codes): Codes => {
  const of = new Uint32Array(entries.length)
  const texts = [...(before?.texts ?? [])]
  const codeOf = new Map(before?.codeOf)
  if (before) of.set(before.of)
  for (let i = before?.of.length ?? 0; i < entries.length; i++) {
    const text = (entries[i] as LedgerEntry)[field]
    let code = codeOf.get(text)
    if (code === undefined) {
      code = texts.push(text) - 1
      codeOf.set(text, code)
    }
    of[i] = code
  }
  return { of, texts, codeOf }
}

const numberIn: Readonly<Record<NumberField, (entry: LedgerEntry) => number>> = {
  amount: ({ amount }) => amount,
  quantity: ({ quantity }) => quantity,
  total: ({ total }) => total,
  createdAt: ({ createdAt }) => timestampOf(createdAt) ?? 0,
}

const numbersOf = (entries: readonly LedgerEntry[], field: NumberField, before?: Float64Array): Float64Array => {
  const numbers = new Float64Array(entries.length)
  const numberOf = numberIn[field]
  if (before) numbers.set(before)
  for (let i = before?.length ?? 0; i < entries.length; i++) numbers[i] = numberOf(entries[i] as LedgerEntry)
  return numbers
}

// Everything else is cheap to compute or depends on all transactions.
const isInherited = (name: string): boolean => /^(numbers|codes|order) /.test(name)

const nothing: ReadonlyMap<string, unknown> = new Map()

/** A table of transactions that are read when they are first needed. */
export const createTable = (read: () => readonly LedgerEntry[], fromBefore = nothing): Table => {
  const before = new Map(fromBefore)
  const kept = new Map<string, unknown>()
  let entries: readonly LedgerEntry[] | undefined
  const table: Table = {
    get entries() {
      return (entries ??= read())
    },
    numbers: (field) =>
      table.once(`numbers ${field}`, () =>
        numbersOf(table.entries, field, table.inherited(`numbers ${field}`) as Float64Array | undefined),
      ),
    codes: (field) =>
      table.once(`codes ${field}`, () =>
        codesOf(table.entries, field, table.inherited(`codes ${field}`) as Codes | undefined),
      ),
    // The object tells a scale that does not exist from one that was not looked for.
    scale: (field) => table.once(`scale ${field}`, () => ({ found: decimalScaleOf(table.numbers(field)) })).found,
    once<Result>(name: string, compute: () => Result): Result {
      const known = kept.get(name)
      if (known !== undefined) return known as Result
      const result = compute()
      kept.set(name, result)
      return result
    },
    inherited(name) {
      const known = before.get(name)
      before.delete(name)
      return known
    },
    extended(added) {
      const all = table.entries.concat(added)
      return createTable(() => all, new Map([...before, ...kept].filter(([name]) => isInherited(name))))
    },
  }
  return table
}
