import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import type { Assumptions } from '../assumptions/index.ts'

/** Which rows are wanted. Bounds are part of their range; times are milliseconds since 1970. */
export interface Filter {
  readonly platformId?: string
  readonly source?: { readonly text: string; readonly match: Assumptions['sourceMatch'] }
  readonly minAmount?: number
  readonly maxAmount?: number
  readonly minCreatedAt?: number
  readonly maxCreatedAt?: number
}

/** A field that rows can be sorted by. */
export type SortField = 'amount' | 'quantity' | 'total' | 'createdAt' | 'name'

/** In which order rows are wanted. */
export interface Sort {
  readonly by: SortField
  readonly order: 'asc' | 'desc'
  readonly names: Assumptions['nameOrder']
  readonly ties: Assumptions['tieOrder']
}

/** The rows that match a filter, in order. It says nothing about how they were found, so an index may answer. */
export interface Selection {
  /** How many rows match. */
  readonly total: number
  /** The rows from the `start`th to before the `end`th, counted from 0. */
  slice(start: number, end: number): readonly LedgerEntry[]
  /** The users who have a match, in the order of their first one. */
  readonly users: readonly string[]
  /** A column of the matches added up. */
  sum(column: 'total' | 'amount'): number
}
