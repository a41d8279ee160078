/**
 * Paginates over a million transactions and reports how much memory grows after the first page: what is left after a
 * garbage collection, every hundred pages. The service makes each page on request, so that it takes no memory itself.
 *
 *     pnpm --dir bench pagination:memory [transactions] [users] [pageUnit]
 */
import { setImmediate } from 'node:timers/promises'
import { GuildLedger } from '@guild-ledger/sdk'

const [transactions = 1_000_000, users = 5000] = process.argv.slice(2, 4).map(Number)
const pageUnit = process.argv[4] === 'group' ? 'group' : 'transaction'
const limit = 100
const measureEvery = 10_000

const transactionOf = (n: number) => ({
  transactionId: `0b9d1c1e-6f6a-4d3e-9c55-${String(n).padStart(12, '0')}`,
  amount: 1,
  quantity: 1,
  name: 'Iron Sword',
  source: 'shop',
  total: 1,
  createdAt: new Date(1_767_225_600_000 - n * 1000).toISOString(),
})
/** Scattered, so that a page has some users twice, unless each user has one transaction. */
const userOf = (n: number) => (users === transactions ? n : (n * 40_503 + Math.floor(n / 7)) % users)
const platformIdOf = (user: number) => String(76_561_197_960_265_728n + BigInt(user))

const numbers = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.max(0, Math.ceil((to - from) / step)) }, (_, i) => from + i * step)

/** The transactions on a page, by user. */
const groupsOn = (page: number): [user: number, transactions: number[]][] => {
  const [from, to] = [(page - 1) * limit, page * limit]
  if (pageUnit === 'transaction') return [...Map.groupBy(numbers(from, Math.min(to, transactions)), userOf)]
  return numbers(from, Math.min(to, users)).map((user) => [user, numbers(user, transactions, users)])
}

const total = pageUnit === 'transaction' ? transactions : users
const fetch = async (url: string): Promise<Response> => {
  await setImmediate() // as a network does: without turns of the event loop nothing is finalized
  const page = Number(new URL(url).searchParams.get('page'))
  return Response.json({
    success: true,
    data: groupsOn(page).map(([user, ofUser]) => ({
      platformId: platformIdOf(user),
      transactions: ofUser.map(transactionOf),
    })),
    pagination: { page, limit, total, totalPages: Math.ceil(total / limit) },
    summary: { totalTransactions: transactions, totalValue: transactions, uniqueUsers: users },
  })
}

const heap = () => {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
const ledger = new GuildLedger({
  apiKey: 'k',
  baseUrl: 'https://ledger.example',
  fetch,
  throttle: false,
  maxResponseBytes: 64 * 2 ** 20,
})

let count = 0
let first = 0
let peak = 0
const startedAt = performance.now()
for await (const _ of ledger.transactions.iterate({ limit })) {
  count++
  if (count === limit) first = heap()
  if (count % measureEvery === 0) peak = Math.max(peak, heap())
}
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
const growth = peak - first
console.log(`${count} transactions of ${users} users in ${seconds} s, pages count by ${pageUnit}`)
console.log(
  `memory grows by ${(growth / 2 ** 20).toFixed(1)} MiB: ${(growth / count).toFixed(0)} bytes per transaction`,
)
