/** What the mock is compared with. Each peer finds the page, the total and the summary, except json-server. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { factory, primaryKey } from '@mswjs/data'
import type { Found, Query } from './mock-mix.ts'

/** A ledger that is queried. */
export interface Peer {
  add(entry: LedgerEntry): void
  find(query: Query): Found | Promise<Found>
  close(): void
}

const matches =
  ({ platformId, from, minAmount, maxAmount, startDate, endDate }: Query) =>
  (entry: LedgerEntry): boolean =>
    (platformId === undefined || platformId === entry.platformId) &&
    (from === undefined || from === entry.source) &&
    (minAmount === undefined || entry.amount >= minAmount) &&
    (maxAmount === undefined || entry.amount <= maxAmount) &&
    (startDate === undefined || entry.createdAt >= startDate) &&
    (endDate === undefined || entry.createdAt <= endDate)

const comparisonOf = ({ sortBy, sortOrder }: Query) => {
  const sign = sortOrder === 'asc' ? 1 : -1
  return (a: LedgerEntry, b: LedgerEntry) => {
    if (a[sortBy] !== b[sortBy]) return a[sortBy] < b[sortBy] ? -sign : sign
    return a.transactionId < b.transactionId ? -1 : 1
  }
}

/** One page, and the total and the summary of all matches, in an array. */
const foundIn = (matching: readonly LedgerEntry[], { page, limit }: Query): Found => ({
  entries: matching.slice((page - 1) * limit, page * limit),
  total: matching.length,
  totalValue: matching.reduce((sum, { total }) => sum + Math.round(total * 100), 0) / 100,
  uniqueUsers: new Set(matching.map(({ platformId }) => platformId)).size,
})

/** An array: filter, sort, slice. */
export const plainArray = (given: readonly LedgerEntry[]): Peer => {
  const all = [...given]
  return {
    add: (entry) => void all.push(entry),
    find: (query) => foundIn(all.filter(matches(query)).sort(comparisonOf(query)), query),
    close: () => {},
  }
}

/** @mswjs/data, called directly. */
export const mswData = (entries: readonly LedgerEntry[]): Peer => {
  const database = factory({
    entry: {
      transactionId: primaryKey(String),
      platformId: String,
      amount: Number,
      quantity: Number,
      name: String,
      source: String,
      total: Number,
      createdAt: String,
    },
  })
  const add = (entry: LedgerEntry) => void database.entry.create({ ...entry })
  for (const entry of entries) add(entry)
  return {
    add,
    find(query) {
      const { platformId, from, minAmount, maxAmount, startDate, endDate, sortBy, sortOrder } = query
      const where = {
        ...(platformId !== undefined && { platformId: { equals: platformId } }),
        ...(from !== undefined && { source: { equals: from } }),
        ...(minAmount !== undefined && maxAmount !== undefined && { amount: { gte: minAmount, lte: maxAmount } }),
        ...(startDate !== undefined && endDate !== undefined && { createdAt: { gte: startDate, lte: endDate } }),
      }
      const orderBy = [{ [sortBy]: sortOrder }, { transactionId: 'asc' as const }] as never
      return foundIn(database.entry.findMany({ where, orderBy }) as LedgerEntry[], query)
    },
    close: () => {},
  }
}

const columns = ['platformId', 'transactionId', 'amount', 'quantity', 'name', 'source', 'total', 'createdAt'] as const
const conditions = {
  platformId: 'platformId = ?',
  from: 'source = ?',
  minAmount: 'amount >= ?',
  maxAmount: 'amount <= ?',
  startDate: 'createdAt >= ?',
  endDate: 'createdAt <= ?',
} as const

/** SQLite in memory, with an index for each sort, for users and for sources. */
export const sqlite = (entries: readonly LedgerEntry[]): Peer => {
  const database = new DatabaseSync(':memory:')
  database.exec(
    `create table t (${columns.map((name) => `${name} ${/^(amount|quantity|total)$/.test(name) ? 'real' : 'text'}`)})`,
  )
  const insert = database.prepare(`insert into t values (${columns.map(() => '?')})`)
  const add = (entry: LedgerEntry) => void insert.run(...columns.map((name) => entry[name]))
  database.exec('begin')
  for (const entry of entries) add(entry)
  database.exec('commit')
  for (const by of ['createdAt', 'amount', 'total', 'quantity', 'name']) {
    database.exec(`create index t_${by}_asc on t (${by}, transactionId)`)
    database.exec(`create index t_${by}_desc on t (${by} desc, transactionId)`)
  }
  database.exec('create index t_user on t (platformId); create index t_source on t (source); analyze')
  const prepared = new Map<string, StatementSync>()
  const statement = (sql: string) => {
    const known = prepared.get(sql) ?? database.prepare(sql)
    prepared.set(sql, known)
    return known
  }
  return {
    add,
    find(query) {
      const { sortBy, sortOrder, page, limit } = query
      const given = (Object.keys(conditions) as (keyof typeof conditions)[]).filter((name) => query[name] !== undefined)
      const where = given.length > 0 ? `where ${given.map((name) => conditions[name]).join(' and ')}` : ''
      const values = given.map((name) => query[name] ?? '')
      const summary = statement(
        `select count(*) as total, sum(total) as totalValue, count(distinct platformId) as uniqueUsers from t ${where}`,
      ).get(...values) as unknown as { total: number; totalValue: number | null; uniqueUsers: number }
      const found = statement(
        `select * from t ${where} order by ${sortBy} ${sortOrder}, transactionId limit ${limit} offset ?`,
      ).all(...values, (page - 1) * limit) as unknown as LedgerEntry[]
      const totalValue = Math.round((summary.totalValue ?? 0) * 100) / 100
      return { entries: found, total: summary.total, totalValue, uniqueUsers: summary.uniqueUsers }
    },
    close: () => database.close(),
  }
}

/** As much of json-server as is used here; it has no types. */
interface JsonServer {
  create(): { use(router: unknown): void } & Parameters<typeof createServer>[1]
  router(data: object): { db: { get(name: string): { push(entry: object): { write(): void } } } }
}

/** json-server over HTTP, which it is made for: the page and the total only. */
export const jsonServer = async (entries: readonly LedgerEntry[]): Promise<Peer> => {
  const { create, router } = createRequire(import.meta.url)('json-server') as JsonServer
  const app = create()
  const routes = router({ entries: [...entries] })
  app.use(routes)
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The other contenders take their turns in between.
  server.keepAliveTimeout = 600_000
  const { port } = server.address() as AddressInfo
  return {
    add: (entry) => routes.db.get('entries').push(entry).write(),
    async find({ platformId, from, minAmount, maxAmount, startDate, endDate, sortBy, sortOrder, page, limit }) {
      const parameters = new URLSearchParams({ _sort: `${sortBy},transactionId`, _order: `${sortOrder},asc` })
      const given = {
        _start: (page - 1) * limit,
        _end: page * limit,
        platformId,
        source: from,
        amount_gte: minAmount,
        amount_lte: maxAmount,
        createdAt_gte: startDate,
        createdAt_lte: endDate,
      }
      for (const [name, value] of Object.entries(given)) {
        if (value !== undefined) parameters.set(name, String(value))
      }
      const response = await fetch(`http://127.0.0.1:${port}/entries?${parameters.toString()}`)
      const found = (await response.json()) as LedgerEntry[]
      const total = Number(response.headers.get('x-total-count'))
      return { entries: found, total, totalValue: Number.NaN, uniqueUsers: Number.NaN }
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
