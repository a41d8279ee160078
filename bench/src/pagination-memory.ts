/**
 * Paginates over a million transactions, the mock in the same process, and reports how much the heap gcount after the
 * first page: what is left after a garbage collection, every hundred pages.
 *
 *     pnpm --dir bench pagination:memory [transactions] [users] [pageUnit]
 */
import { createMockLedger } from '@guild-ledger/mock-server'
import { GuildLedger } from '@guild-ledger/sdk'

const [transactions = 1_000_000, users = 5000] = process.argv.slice(2, 4).map(Number)
const pageUnit = process.argv[4] === 'group' ? 'group' : 'transaction'
const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1)
const heap = () => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

const mock = createMockLedger({ transactions, users, rateLimit: 'off', assumptions: { pageUnit } })
const ledger = new GuildLedger({ apiKey: mock.apiKey, baseUrl: mock.origin, fetch: mock.fetch, throttle: false })

let count = 0
let first = 0
let peak = 0
const startedAt = performance.now()
for await (const _ of ledger.transactions.iterate()) {
  count++
  if (count === 100) first = heap()
  if (count % 10_000 === 0) peak = Math.max(peak, heap())
}
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
console.log(`${count} transactions of ${users} users in ${seconds} s, pages count by ${pageUnit}`)
console.log(`heap after the first page ${mebibytes(first)} MiB, at most ${mebibytes(peak - first)} MiB more later`)
