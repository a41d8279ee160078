import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import type { Assumptions } from '../assumptions/values.ts'

/** What a transaction must meet to be selected. */
export type Condition =
  | {
      /** A field with strings. */
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

/** Which transactions to select: those that meet every condition. */
export type Filter = readonly Condition[]

/** A field that can be compared as a number. */
export type NumberField = 'amount' | 'quantity' | 'total' | 'createdAt'

/** A field whose values make groups. */
export type GroupField = 'platformId' | 'source'

/** A field that transactions can be sorted by. */
export type SortField = 'amount' | 'quantity' | 'total' | 'createdAt' | 'name'

/** The order to select transactions in. */
export interface Sort {
  readonly by: SortField
  readonly order: 'asc' | 'desc'
  readonly names: Assumptions['nameOrder']
  readonly ties: Assumptions['tieOrder']
}

/** A field that can be summed up. */
export type SumField = 'total' | 'amount'

/** The transactions that match a filter, in order. Everything but `total` is computed when it is first read. */
export interface Selection {
  /** The number of matches. */
  readonly total: number
  /** The matches from position `start` up to, but not including, position `end`, counted from 0. */
  slice(start: number, end: number): readonly LedgerEntry[]
  /** The matches of some users, in order. */
  ofUsers(users: readonly string[]): readonly LedgerEntry[]
  /** The number of users who have a match. */
  readonly userCount: number
  /** The users who have a match, in the order of their first one. */
  readonly users: readonly string[]
  /** The sum of a field over all matches. */
  sum(field: SumField): number
}
