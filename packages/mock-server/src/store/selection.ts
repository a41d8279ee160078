import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import type { Assumptions } from '../assumptions/index.ts'

/** Which transactions to select. Bounds are inclusive; times are milliseconds since 1970. */
export interface Filter {
  readonly platformId?: string
  readonly source?: { readonly text: string; readonly match: Assumptions['sourceMatch'] }
  readonly minAmount?: number
  readonly maxAmount?: number
  readonly minCreatedAt?: number
  readonly maxCreatedAt?: number
}

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
  /** The number of users who have a match. */
  readonly userCount: number
  /** The users who have a match, in the order of their first one. */
  readonly users: readonly string[]
  /** The sum of a field over all matches. */
  sum(field: SumField): number
}
