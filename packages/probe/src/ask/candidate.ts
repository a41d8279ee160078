import type { ModelRequest } from '@guild-ledger/mock-server/assumptions'
import { orders, userSorts } from './texts.ts'

/** A request that the probe may send. */
export interface Candidate {
  readonly request: ModelRequest
  /** Which kind of request it is: a service may treat kinds differently. */
  readonly place: string
  /** The situations in which it tests what is decided; one of a place if left out. */
  readonly tests?: readonly string[]
}

/** Parameters, before they are text. */
export type Query = Readonly<Record<string, string | number | readonly (string | number)[]>>

/** Orders and pages of list-all. */
export const guildShapes: readonly Query[] = [
  ...orders.flatMap((sortOrder) => [
    { sortBy: 'name', sortOrder, limit: 100 },
    { sortBy: 'createdAt', sortOrder, limit: 100 },
  ]),
  { sortBy: 'amount', sortOrder: 'asc', limit: 100 },
  { sortBy: 'quantity', sortOrder: 'desc', limit: 100 },
  { sortBy: 'total', sortOrder: 'asc', limit: 7 },
  { sortBy: 'name', limit: 3, page: 2 },
  { sortOrder: 'asc', limit: 50 },
  { sortBy: 'quantity', limit: 2 },
]
/** Orders and pages of one user. */
export const userShapes: readonly Query[] = [
  ...userSorts.map((sortBy) => ({ sortBy })),
  { sortOrder: 'asc' },
  { sortOrder: 'desc', limit: 2, page: 2 },
]
/** Parameters that are given twice. */
export const repeats: readonly Query[] = [
  { limit: [2, 3] },
  { sortBy: ['quantity', 'amount'], limit: 100 },
  { sortOrder: ['asc', 'desc'], limit: 100 },
  { page: [1, 2], limit: 1 },
]
