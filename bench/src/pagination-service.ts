/**
 * A service with 60 pages of 100 transactions, the last one not full, that rejects the eleventh request of any second with 429. Half of the
 * round trip lies before a request is counted, half behind. `POST /?roundTripMs` starts over, `DELETE /` returns how
 * many requests came and how many were rejected. Runs until its parent exits.
 */
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const totalPages = 60
const limit = 100
/** Users on the last page, of 20. With 20 it is full, and only the page after it shows that it was the last. */
const lastUsers = Number(process.env.LAST_USERS ?? 19)
const total = (totalPages - 1) * limit + lastUsers * 5
const transaction = (n: number) => ({
  transactionId: `0b9d1c1e-6f6a-4d3e-9c55-${String(n).padStart(12, '0')}`,
  amount: n / 4,
  quantity: 1 + (n % 5),
  name: 'Iron Sword',
  source: 'shop',
  total: n,
  createdAt: '2026-01-31T10:00:00.000Z',
})
const bodies = Array.from({ length: totalPages }, (_, i) =>
  JSON.stringify({
    success: true,
    data: Array.from({ length: i === totalPages - 1 ? lastUsers : 20 }, (__, user) => ({
      platformId: `84120${user}`,
      transactions: Array.from({ length: 5 }, (___, n) => transaction(i * limit + user * 5 + n)),
    })),
    pagination: { page: i + 1, limit, total, totalPages },
    summary: { totalTransactions: total, totalValue: 17_997_000, uniqueUsers: 20 },
  }),
)

let roundTripMs = 0
let counted: number[] = []
let rejected = 0

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://service')
  if (request.method === 'POST') {
    roundTripMs = Number(url.searchParams.get('roundTripMs'))
    counted = []
    rejected = 0
    response.end()
    return
  }
  if (request.method === 'DELETE') {
    response.end(JSON.stringify({ requests: counted.length + rejected, rejected }))
    return
  }
  if (roundTripMs > 0) await sleep(roundTripMs / 2)
  const now = performance.now()
  const isOver = counted.filter((at) => at > now - 1000).length >= 10
  if (isOver) rejected++
  else counted.push(now)
  if (roundTripMs > 0) await sleep(roundTripMs / 2)
  const page = Number(url.searchParams.get('page') ?? 1)
  if (isOver) {
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' })
    response.end('{"success":false,"message":"Too many requests"}')
    return
  }
  if (page > totalPages) {
    response.writeHead(404, { 'content-type': 'application/json' })
    response.end('{"success":false,"message":"No transactions found for this guild"}')
    return
  }
  url.searchParams.set('page', String(page + 1))
  response.writeHead(200, {
    'content-type': 'application/json',
    ...(page < totalPages && { link: `<http://${request.headers.host}${url.pathname}${url.search}>; rel="next"` }),
  })
  response.end(bodies[page - 1])
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address) process.send?.(`http://127.0.0.1:${address.port}`)
})
process.on('disconnect', () => process.exit())
