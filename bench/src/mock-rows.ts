/** Made-up rows for the mock's store, the same each time. */
import type { LedgerEntry } from '@guild-ledger/sdk/contract'

let dice = 1
export const below = (count: number): number => {
  dice = (Math.imul(dice, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((dice / 2 ** 32) * count)
}
export const firstAt = Date.UTC(2026, 0, 1)
export const sources = ['shop', 'quest', 'market', 'trade', 'daily-reward', 'refund']

const rowAt = (i: number, count: number): LedgerEntry => ({
  platformId: String(10 ** 17 + below(Math.max(20, count / 50))),
  transactionId: `${below(2 ** 32)
    .toString(16)
    .padStart(8, '0')}-0000-4000-8000-${i.toString(16).padStart(12, '0')}`,
  amount: below(100_000) / 100,
  quantity: 1 + below(20),
  name: `Item ${below(120)}`,
  source: sources[below(sources.length)] ?? 'shop',
  total: below(1_000_000) / 100,
  createdAt: new Date(firstAt + i * 1000 + below(1000)).toISOString(),
})

/** Through JSON, as rows come in: texts that were put together take more memory than those that were read. */
export const madeRows = (count: number): LedgerEntry[] =>
  Array.from({ length: count }, (_, i) => JSON.parse(JSON.stringify(rowAt(i, count))) as LedgerEntry)

/** Mebibytes in use, once what nobody holds is gone. */
export const usedMb = (): number => {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 2 ** 20
}
