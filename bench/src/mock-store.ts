/**
 * A page and its total from ledgers of 1e3 to 1e6 rows, asked directly: the mock's store beside a plain array,
 * SQLite twice, @mswjs/data (to 1e4 rows) and json-server (to 1e5 rows, over HTTP); beyond that these two take too long.
 *
 *     pnpm --dir bench mock:store [rows…]
 */
import { DatabaseSync } from 'node:sqlite'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { createRows, type Filter, type Rows, type Sort } from '../../packages/mock-server/src/store/index.ts'
import { below, firstAt, madeRows, sources } from './mock-rows.ts'
import { jsonServer, mswData, type Peer, type Query } from './mock-store-peers.ts'
import { BetterSqlite, sqlite } from './mock-store-sqlite.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)
const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1e3, 1e4, 1e5, 1e6]

const fields = ['createdAt', 'amount', 'total', 'quantity', 'name'] as const
/** Walks with and without a filter: each query is new, as none comes twice. */
const queryAt = (i: number, rows: readonly LedgerEntry[]): Query => {
  const by = fields[below(3)] ?? 'createdAt'
  const sort: Sort = { by, order: i % 2 ? 'asc' : 'desc', names: 'code-unit', ties: 'transaction-id' }
  const from = firstAt + below(rows.length) * 1000
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

const once = (work: () => unknown): number => {
  const start = performance.now()
  work()
  return performance.now() - start
}

const askerOf =
  (rows: Rows) =>
  ({ filter, sort, start }: Query) => {
    const { total, slice } = rows.select(filter, sort)
    return { total, page: slice(start, start + 20) }
  }

// So that the smallest ledger does not pay for compiling what all of them run.
const warm = madeRows(1000)
const warmRows = createRows(() => warm)
timed(
  Array.from({ length: 20_000 }, (_, i) => queryAt(i, warm)),
  askerOf(warmRows),
)

print('median µs of one page of 20 rows and its total; queries do not repeat')
const peers = ['naive', 'better-sq3', 'node:sqlite', 'msw/data', 'json-srv']
const heads = ['rows', 'mock', 'repeated', '+sum', ...peers, 'load ms', 'first ms']
const line = (cells: readonly (string | number)[]) => print(cells.map((cell) => String(cell).padStart(11)).join(' '))
line(heads)
const medians: number[] = []
for (const size of sizes) {
  const entries = madeRows(size)
  const rows = createRows()
  const load = once(() => rows.add(entries))
  const queries = Array.from({ length: 4000 }, (_, i) => queryAt(i, entries))
  const ask = askerOf(rows)
  const [, ...rest] = queries
  const firstMs = once(() =>
    ask({ filter: {}, sort: { by: 'createdAt', order: 'desc', names: 'code-unit', ties: 'transaction-id' }, start: 0 }),
  )
  timed(rest.slice(0, 2000), ask) // builds the indexes
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
  const totalOf = (query: Query) => ask(query).total
  const plain = timed(few, naive(entries))
  const better = await peerTimed(few, sqlite(new BetterSqlite(':memory:'), entries), totalOf)
  const builtIn = await peerTimed(few, sqlite(new DatabaseSync(':memory:'), entries), totalOf)
  const fewer = few.slice(0, 15)
  const mswjs = size > 1e4 ? Number.NaN : await peerTimed(fewer, mswData(entries), totalOf)
  const json = size > 1e5 ? Number.NaN : await peerTimed(fewer, await jsonServer(entries), totalOf)
  medians.push(mock)
  const times = [mock, repeated, summed, plain, better, builtIn, mswjs, json]
  line([
    size,
    ...times.map((value) => (Number.isNaN(value) ? 'not run' : value.toFixed(1))),
    load.toFixed(0),
    firstMs.toFixed(0),
  ])
}
const [smallest = 1] = medians
const exponent = Math.log((medians.at(-1) ?? 1) / smallest) / Math.log((sizes.at(-1) ?? 1) / (sizes[0] ?? 1))
if (sizes.length > 1) print(`growth exponent ${exponent.toFixed(2)}`)
