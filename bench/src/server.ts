/** A bare server in a process of its own that responds to every path with the same page of 100 transactions. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const transactions = Array.from({ length: 100 }, (_, i) => ({
  transactionId: crypto.randomUUID(),
  amount: i + 0.5,
  quantity: 1 + (i % 5),
  name: 'Iron Sword',
  source: 'shop',
  total: (i + 0.5) * (1 + (i % 5)),
  createdAt: '2026-01-31T10:00:00.000Z',
}))
const body = Buffer.from(
  JSON.stringify({
    success: true,
    data: Array.from({ length: 20 }, (_, i) => ({
      platformId: `84120${i}`,
      transactions: transactions.slice(i * 5, i * 5 + 5),
    })),
    pagination: { page: 1, limit: 100, total: 100, totalPages: 1 },
    summary: { totalTransactions: 100, totalValue: 12_345.5, uniqueUsers: 20 },
  }),
)

const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.once('disconnect', () => process.exit())
