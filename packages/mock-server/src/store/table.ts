import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import type { GroupField, NumberField, SumField } from './selection.ts'
import { exactFactorOf, scaleOf, type DecimalScale } from './sum.ts'

export type TextField = GroupField | 'name'

/**
 * Transactions that never change, and what was computed about them. A transaction is known by its index: its position
 * in `entries`.
 */
export interface Table {
  readonly entries: readonly LedgerEntry[]
  /**
   * What is computed about these transactions once, under a name. `compute` gets what was computed about the first of
   * them under that name before others were added.
   */
  once<Result>(name: string, compute: (before: Result | undefined) => Result): Result
  extended(added: readonly LedgerEntry[]): Table
}

/** A table of transactions that are read when they are first needed. */
export const createTable = (read: () => readonly LedgerEntry[], computedBefore = new Map<string, unknown>()): Table => {
  const before = new Map(computedBefore)
  const computed = new Map<string, unknown>()
  let entries: readonly LedgerEntry[] | undefined
  return {
    get entries() {
      return (entries ??= read())
    },
    once<Result>(name: string, compute: (before: Result | undefined) => Result): Result {
      if (!computed.has(name)) {
        computed.set(name, compute(before.get(name) as Result | undefined))
        before.delete(name)
      }
      return computed.get(name) as Result
    },
    extended(added) {
      const all = (entries ??= read()).concat(added)
      return createTable(() => all, new Map([...before, ...computed]))
    },
  }
}

const numberOf = (entry: LedgerEntry, field: NumberField): number =>
  field === 'createdAt' ? Date.parse(entry.createdAt) : entry[field]

/** A field of all transactions; `createdAt` in milliseconds since 1970. */
export const numbersOf = (table: Table, field: NumberField): Float64Array =>
  table.once<Float64Array>(`numbers ${field}`, (before) => {
    const { entries } = table
    const numbers = new Float64Array(entries.length)
    if (before) numbers.set(before)
    for (let i = before?.length ?? 0; i < entries.length; i++) numbers[i] = numberOf(entries[i] as LedgerEntry, field)
    return numbers
  })

/** What makes integers of a field that can be added up, if anything does. */
export const factorOf = (table: Table, field: SumField): number | undefined =>
  exactFactorOf(table.once<DecimalScale>(`scale ${field}`, (before) => scaleOf(numbersOf(table, field), before)))

/** The strings of a field as numbers: equal strings have equal codes, counted from 0 as they first appear. */
export interface Codes {
  readonly of: Uint32Array
  readonly codeOf: ReadonlyMap<string, number>
}

export const codesOf = (table: Table, field: TextField): Codes =>
  table.once<Codes>(`codes ${field}`, (before) => {
    const { entries } = table
    const of = new Uint32Array(entries.length)
    if (before) of.set(before.of)
    const codeOf = new Map(before?.codeOf)
    for (let i = before?.of.length ?? 0; i < entries.length; i++) {
      const text = (entries[i] as LedgerEntry)[field]
      const code = codeOf.get(text) ?? codeOf.size
      if (code === codeOf.size) codeOf.set(text, code)
      of[i] = code
    }
    return { of, codeOf }
  })
