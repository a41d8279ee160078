/**
 * A page and its total from ledgers of 1e3 to 1e6 rows, asked directly: the mock's store beside a plain array,
 * SQLite, @mswjs/data (to 1e4 rows) and json-server (to 1e5 rows, over HTTP); beyond that these two take too long.
 *
 *   node --conditions=@guild-ledger/source --expose-gc src/mock-store.ts [rows…]
 */
import { DatabaseSync } from 'node:sqlite'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { createRows, type Filter, type Sort } from '../../packages/mock-server/src/store/index.ts'
import { jsonServer, mswData, type Peer, type Query } from './mock-store-peers.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)
const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1e3, 1e4, 1e5, 1e6]

let dice = 1
const below = (count: number) => {
  dice = (Math.imul(dice, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((dice / 2 ** 32) * count)
}
const first = Date.UTC(2026, 0, 1)
const sources = ['shop', 'quest', 'market', 'trade', 'daily-reward', 'refund']
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
  createdAt: new Date(first + i * 1000 + below(1000)).toISOString(),
})

const fields = ['createdAt', 'amount', 'total', 'quantity', 'name'] as const
/** Walks with and without a filter: each query is new, as none comes twice. */
const queryAt = (i: number, rows: readonly LedgerEntry[]): Query => {
  const by = fields[below(3)] ?? 'createdAt'
  const sort: Sort = { by, order: i % 2 ? 'asc' : 'desc', names: 'code-unit', ties: 'transaction-id' }
  const from = first + below(rows.length) * 1000
  const filters: Filter[] = [
    {},
    { platformId: rows[below(rows.length)]?.platformId ?? '' },
    { source: { text: sources[below(sources.length)] ?? '', match: 'exact' } },
    by === 'amount' ? { minAmount: below(500), maxAmount: 500 + below(500) } : {},
    by === 'createdAt' ? { minCreatedAt: from, maxCreatedAt: from + below(rows.length) * 1000 } : {},
  ]
  return { filter: filters[i % filters.length] ?? {}, sort, start: 20 * below(5) }
}

const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
const timed = (queries: readonly Query[], ask: (query: Query) => unknown): number =>
  median(
    queries.map((query) => {
      const start = performance.now()
      ask(query)
      return (performance.now() - start) * 1000
    }),
  )

/** The same for a slow peer that may have to be waited for. Its totals must be those of the mock. */
const peerTimed = async (queries: readonly Query[], peer: Peer, totalOf: (query: Query) => number): Promise<number> => {
  const times: number[] = []
  for (const query of queries) {
    const start = performance.now()
    const { total } = await peer.ask(query)
    times.push((performance.now() - start) * 1000)
    if (total !== totalOf(query)) throw new Error(`A peer found ${total} rows, the mock ${totalOf(query)}.`)
  }
  peer.close()
  return median(times)
}

const naive =
  (rows: readonly LedgerEntry[]) =>
  ({ filter, sort, start }: Query) => {
    const { platformId, source, minAmount = -Infinity, maxAmount = Infinity, minCreatedAt, maxCreatedAt } = filter
    const found = rows.filter((row) => {
      const at = minCreatedAt === undefined ? 0 : Date.parse(row.createdAt)
      return (
        (platformId ?? row.platformId) === row.platformId &&
        (source?.text ?? row.source) === row.source &&
        row.amount >= minAmount &&
        row.amount <= maxAmount &&
        at >= (minCreatedAt ?? 0) &&
        at <= (maxCreatedAt ?? Infinity)
      )
    })
    const sign = sort.order === 'asc' ? 1 : -1
    found.sort((a, b) => {
      const [left, right] = [a[sort.by], b[sort.by]]
      if (left !== right) return left < right ? -sign : sign
      return a.transactionId < b.transactionId ? -1 : 1
    })
    return { total: found.length, page: found.slice(start, start + 20) }
  }

const sqlite = (rows: readonly LedgerEntry[]) => {
  const database = new DatabaseSync(':memory:')
  database.exec(
    'create table t (platformId text, transactionId text, amount real, quantity real, name text, source text, total real, createdAt text)',
  )
  const insert = database.prepare('insert into t values (?, ?, ?, ?, ?, ?, ?, ?)')
  database.exec('begin')
  for (const { platformId, transactionId, amount, quantity, name, source, total, createdAt } of rows) {
    insert.run(platformId, transactionId, amount, quantity, name, source, total, createdAt)
  }
  database.exec('commit')
  for (const by of ['createdAt', 'amount', 'total']) {
    database.exec(`create index t_${by} on t (${by}, transactionId)`)
    database.exec(`create index t_user_${by} on t (platformId, ${by}, transactionId)`)
    database.exec(`create index t_source_${by} on t (source, ${by}, transactionId)`)
  }
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  const statement = (sql: string) => {
    const known = prepared.get(sql) ?? database.prepare(sql)
    prepared.set(sql, known)
    return known
  }
  return ({ filter, sort, start }: Query) => {
    const { platformId, source, minAmount, maxAmount, minCreatedAt, maxCreatedAt } = filter
    const terms: [string, string | number][] = []
    if (platformId !== undefined) terms.push(['platformId = ?', platformId])
    if (source) terms.push(['source = ?', source.text])
    if (minAmount !== undefined && maxAmount !== undefined)
      terms.push(['amount >= ?', minAmount], ['amount <= ?', maxAmount])
    if (minCreatedAt !== undefined && maxCreatedAt !== undefined) {
      terms.push(
        ['createdAt >= ?', new Date(minCreatedAt).toISOString()],
        ['createdAt <= ?', new Date(maxCreatedAt).toISOString()],
      )
    }
    const where = terms.length > 0 ? `where ${terms.map(([term]) => term).join(' and ')}` : ''
    const values = terms.map(([, value]) => value)
    const page = statement(
      `select * from t ${where} order by ${sort.by} ${sort.order}, transactionId limit 20 offset ?`,
    )
    const total = statement(`select count(*) as total from t ${where}`).get(...values)
    return { total: total?.['total'], page: page.all(...values, start) }
  }
}

const used = () => {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 2 ** 20
}
const once = (work: () => unknown): number => {
  const start = performance.now()
  work()
  return performance.now() - start
}

print('median µs of one page of 20 rows and its total; queries do not repeat')
print(
  '      rows      mock  repeated    +sum     naive    sqlite  msw/data  json-srv |  load ms  first ms | rows MB  index MB',
)
const medians: number[] = []
for (const size of sizes) {
  const before = used()
  const entries = Array.from({ length: size }, (_, i) => rowAt(i, size))
  const rowsMb = used() - before
  const rows = createRows()
  const load = once(() => rows.add(entries))
  const queries = Array.from({ length: 4000 }, (_, i) => queryAt(i, entries))
  const ask = ({ filter, sort, start }: Query) => {
    const { total, slice } = rows.select(filter, sort)
    return { total, page: slice(start, start + 20) }
  }
  const loaded = used()
  const [, ...rest] = queries
  const firstMs = once(() =>
    ask({ filter: {}, sort: { by: 'createdAt', order: 'desc', names: 'code-unit', ties: 'transaction-id' }, start: 0 }),
  )
  timed(rest.slice(0, 2000), ask) // builds the indexes
  const indexMb = used() - loaded
  const mock = timed(rest.slice(2000), ask)
  const [again = rest[0] as Query] = rest.filter(({ filter }) => filter.source !== undefined)
  const repeated = timed(
    Array.from({ length: 2000 }, () => again),
    ask,
  )
  const summed = timed(
    Array.from({ length: 2000 }, () => again),
    ({ filter, sort, start }) => {
      const { total, slice, sum, users } = rows.select(filter, sort)
      return { total, page: slice(start, start + 20), value: sum('total'), users: users.length }
    },
  )
  const few = rest.slice(0, size > 1e5 ? 15 : 200)
  const plain = timed(few, naive(entries))
  const database = size > 1e5 && process.argv.includes('--no-sqlite') ? Number.NaN : timed(few, sqlite(entries))
  const fewer = few.slice(0, 15)
  const totalOf = (query: Query) => ask(query).total
  const mswjs = size > 1e4 ? Number.NaN : await peerTimed(fewer, mswData(entries), totalOf)
  const json = size > 1e5 ? Number.NaN : await peerTimed(fewer, await jsonServer(entries), totalOf)
  medians.push(mock)
  const numbers = [mock, repeated, summed, plain, database, mswjs, json].map((value) =>
    (Number.isNaN(value) ? 'not run' : value.toFixed(1)).padStart(9),
  )
  print(
    `${String(size).padStart(10)} ${numbers.join(' ')} | ${load.toFixed(0).padStart(8)} ${firstMs.toFixed(0).padStart(9)} | ${rowsMb.toFixed(1).padStart(7)} ${indexMb.toFixed(1).padStart(9)}`,
  )
}
const [smallest = 1] = medians
const exponent = Math.log((medians.at(-1) ?? 1) / smallest) / Math.log((sizes.at(-1) ?? 1) / (sizes[0] ?? 1))
if (sizes.length > 1) print(`growth exponent ${exponent.toFixed(2)}`)
