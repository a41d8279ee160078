import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import type { Assumptions } from '../assumptions/values.ts'

/** What a transaction must meet to be selected. */
export type Condition =
  | {
      readonly field: GroupField
      readonly text: string
      readonly match: Assumptions['sourceMatch']
    }
  | {
      /** A field with numbers; times are milliseconds since 1970. */
      readonly field: NumberField
      /** Both bounds are finite and inclusive. */
      readonly min?: number
      readonly max?: number
    }

export type Filter = readonly Condition[]

export type NumberField = 'amount' | 'quantity' | 'total' | 'createdAt'

export type GroupField = 'platformId' | 'source'

export type SortField = 'amount' | 'quantity' | 'total' | 'createdAt' | 'name'

export interface Sort {
  readonly by: SortField
  readonly order: 'asc' | 'desc'
  readonly names: Assumptions['nameOrder']
  readonly ties: Assumptions['tieOrder']
}

export type SumField = 'total' | 'amount'

/** The transactions that match a filter, in order. Everything but `total` is computed when it is first read. */
export interface Selection {
  readonly total: number
  /** The matches from position `start` up to, but not including, position `end`, counted from 0. */
  slice(start: number, end: number): readonly LedgerEntry[]
  ofUsers(users: readonly string[]): readonly LedgerEntry[]
  /** The number of users who have a match. */
  readonly userCount: number
  /** The users who have a match, in the order of their first one. */
  readonly users: readonly string[]
  /** The sum of a field over all matches. */
  sum(field: SumField): number
}
