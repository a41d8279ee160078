import type { LedgerEntry } from '@guild-ledger/sdk'
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

/** An exact sum of decimals, however many. */
export const createSum = () => {
  let sum = 0n
  let decimals = 0
  return {
    add(value: number): void {
      const [digits = '', exponent = '0'] = String(value).split('e')
      const [whole = '', fraction = ''] = digits.split('.')
      const shift = fraction.length - Number(exponent)
      if (shift > decimals) {
        sum *= 10n ** BigInt(shift - decimals)
        decimals = shift
      }
      sum += BigInt(whole + fraction) * 10n ** BigInt(decimals - shift)
    },
    /** As a decimal, without an exponent. */
    toString(): string {
      const digits = String(sum < 0n ? -sum : sum).padStart(decimals + 1, '0')
      const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
      const whole = digits.slice(0, digits.length - decimals)
      return `${sum < 0n ? '-' : ''}${whole}${decimals > 0 && fraction !== '' ? `.${fraction}` : ''}`
    },
  }
}

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
