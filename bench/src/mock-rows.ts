/** Transactions for the mock's benchmarks, the same ones in each run: three years of a guild. */
import type { LedgerEntry } from '@guild-ledger/sdk/contract'

let state = 1
/** A pseudo-random integer from 0 to below `count`. */
export const below = (count: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * count)
}
export const day = 24 * 60 * 60 * 1000
export const ledgerDays = 3 * 365
export const firstAt = Date.UTC(2024, 0, 1)
export const sources = ['shop', 'quest', 'market', 'trade', 'daily-reward', 'refund']

/** The transaction at a position of a ledger of `count`. */
export const transactionAt = (i: number, count: number): LedgerEntry => ({
  platformId: `1${String(below(Math.max(20, count / 50))).padStart(17, '0')}`,
  transactionId: `${below(2 ** 32)
    .toString(16)
    .padStart(8, '0')}-0000-4000-8000-${i.toString(16).padStart(12, '0')}`,
  amount: below(100_000) / 100,
  quantity: 1 + below(20),
  name: `Item ${below(120)}`,
  source: sources[below(sources.length)] ?? 'shop',
  total: below(1_000_000) / 100,
  createdAt: new Date(firstAt + Math.floor(((i + below(1000) / 1000) / count) * ledgerDays * day)).toISOString(),
})

/** Through JSON, as transactions enter a ledger: strings that were concatenated take more memory than parsed ones. */
export const ledgerOf = (count: number): LedgerEntry[] =>
  Array.from({ length: count }, (_none, i) => JSON.parse(JSON.stringify(transactionAt(i, count))) as LedgerEntry)

/** Mebibytes in use after a garbage collection. */
export const usedMb = (): number => {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 2 ** 20
}
