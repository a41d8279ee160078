import type { LedgerEntry } from '@guild-ledger/sdk'
import { createSum } from '@guild-ledger/validation'
import { timeOf } from '../flags.ts'

/** The spec's names of the fields, in the order of columns. */
export const columns = [
  'platformId',
  'transactionId',
  'amount',
  'quantity',
  'name',
  'source',
  'total',
  'createdAt',
] as const

export const amounts = ['amount', 'quantity', 'total'] as const

/** What a receipt says of transactions. */
export interface Tally {
  readonly rows: number
  /** Exact, as decimals. */
  readonly sums: { readonly [Name in (typeof amounts)[number]]: string }
  /** As the service sent it; null without transactions. */
  readonly firstCreatedAt: string | null
  readonly lastCreatedAt: string | null
}

/** Counts and adds up transactions as they pass. */
export const createTally = () => {
  let rows = 0
  const sums = { amount: createSum(), quantity: createSum(), total: createSum() }
  let first: LedgerEntry | undefined
  let last: LedgerEntry | undefined
  return {
    add(entry: LedgerEntry): void {
      rows++
      for (const name of amounts) sums[name].add(entry[name])
      const time = timeOf(entry)
      if (!first || time < timeOf(first)) first = entry
      if (!last || time > timeOf(last)) last = entry
    },
    get rows() {
      return rows
    },
    result(): Tally {
      return {
        rows,
        sums: { amount: String(sums.amount), quantity: String(sums.quantity), total: String(sums.total) },
        firstCreatedAt: first?.createdAt ?? null,
        lastCreatedAt: last?.createdAt ?? null,
      }
    },
  }
}
