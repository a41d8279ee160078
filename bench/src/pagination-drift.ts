/**
 * What pagination over a ledger that changes yields: 6,000 transactions, 60 pages of 100, a change after every request.
 * `a loop` is what every pager in use does: one page after another by its number.
 *
 *     pnpm --dir bench pagination:drift
 */
import { createMockLedger, type MockLedger } from '@guild-ledger/mock-server'
import { GuildLedger, type GuildQuery, type LedgerEntry } from '@guild-ledger/sdk'

const orders: readonly (readonly [string, GuildQuery])[] = [
  ['createdAt desc (default)', {}],
  ['createdAt asc', { sortOrder: 'asc' }],
  ['amount desc', { sortBy: 'amount' }],
  ['name asc', { sortBy: 'name', sortOrder: 'asc' }],
]
const changes: readonly (readonly [added: number, removed: number])[] = [
  [1, 0],
  [3, 0],
  [10, 0],
  [0, 1],
  [0, 3],
  [0, 10],
  [3, 3],
]
const units = ['transaction', 'group'] as const

let random = 1
const below = (n: number) => {
  random = (random * 48_271) % 2_147_483_647
  return random % n
}
let made = 0
const transaction = (): LedgerEntry => {
  made++
  return {
    platformId: `user ${below(900)}`,
    transactionId: `${(below(2 ** 30) + 2 ** 31).toString(16)}-0000-4000-8000-${String(made).padStart(12, '0')}`,
    amount: below(1000),
    quantity: 1 + below(5),
    name: `Item ${below(500)}`,
    source: 'shop',
    total: below(10_000) / 100,
    createdAt: new Date(1_770_000_000_000 + made * 1000).toISOString(),
  }
}

/** A mock whose ledger changes after each request. */
const changing = (pageUnit: (typeof units)[number], [added, removed]: readonly [number, number]) => {
  const mock = createMockLedger({ transactions: 0, rateLimit: 'off', assumptions: { pageUnit } })
  mock.guild.add(Array.from({ length: 6000 }, transaction))
  const before = mock.guild.transactions.map(({ transactionId }) => transactionId)
  const gone = new Set<string>()
  let requests = 0
  const client = (options: object) =>
    new GuildLedger({
      apiKey: mock.apiKey,
      baseUrl: mock.origin,
      throttle: false,
      logLevel: 'off',
      fetch: async (url, init) => {
        const response = await mock.fetch(url, init)
        requests++
        // The pagination of a ledger that never rests would not end.
        if (requests <= 60) change(mock, added, removed, gone)
        return response
      },
      ...options,
    })
  return { client, before, gone, requests: () => requests }
}

const change = (mock: MockLedger, added: number, removed: number, gone: Set<string>) => {
  mock.guild.add(Array.from({ length: added }, transaction))
  const ids = mock.guild.transactions.map(({ transactionId }) => transactionId)
  const drawn = new Set(Array.from({ length: removed }, () => ids[below(ids.length)] ?? ''))
  mock.guild.remove([...drawn])
  for (const id of drawn) gone.add(id)
}

async function* loop(ledger: GuildLedger, query: GuildQuery): AsyncGenerator<LedgerEntry> {
  for (let page = 1, last = 1; page <= last; page++) {
    const { data, pagination } = await ledger.transactions.list({ ...query, page, limit: 100 })
    for (const { platformId, transactions } of data) for (const one of transactions) yield { ...one, platformId }
    last = pagination.totalPages
  }
}

const paginators: Readonly<Record<string, (ledger: GuildLedger, query: GuildQuery) => AsyncIterable<LedgerEntry>>> = {
  'a loop': loop,
  ours: (ledger, query) => ledger.transactions.iterate(query),
}

const cell = async (
  paginator: string,
  unit: (typeof units)[number],
  query: GuildQuery,
  drift: (typeof changes)[number],
) => {
  random = 1
  made = 0
  const { client, before, gone, requests } = changing(unit, drift)
  const seen = new Map<string, number>()
  for await (const { transactionId } of paginators[paginator]?.(client({}), query) ?? []) {
    seen.set(transactionId, (seen.get(transactionId) ?? 0) + 1)
  }
  const twice = [...seen.values()].reduce((sum, times) => sum + times - 1, 0)
  const missed = before.filter((id) => !seen.has(id) && !gone.has(id)).length
  return `${twice} / ${missed} (${requests()})`
}

const names = changes.map(([added, removed]) =>
  [added && `+${added}`, removed && `-${removed}`].filter(Boolean).join(' '),
)
console.log('Transactions yielded twice / missed though there all the time (requests). Change after each page:\n')
console.log(`| pages count | order | paginator | ${names.join(' | ')} |`)
console.log(`| --- | --- | --- |${' --- |'.repeat(names.length)}`)
for (const unit of units) {
  for (const [order, query] of orders) {
    for (const paginator of Object.keys(paginators)) {
      const cells: string[] = []
      for (const drift of changes) cells.push(await cell(paginator, unit, query, drift))
      console.log(`| ${[unit === 'group' ? 'users' : 'transactions', order, paginator, ...cells].join(' | ')} |`)
    }
  }
}
