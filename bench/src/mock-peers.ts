/** What the mock's store is compared with. Each peer finds the page, the total and the summary, except json-server. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { factory, primaryKey } from '@mswjs/data'
import { limit, type Found, type Query } from './mock-mix.ts'

/** A ledger that is queried. */
export interface Peer {
  add(entry: LedgerEntry): void
  find(query: Query): Found | Promise<Found>
  close(): void
}

const matches = ({ platformId, source, minAmount, maxAmount, minCreatedAt, maxCreatedAt }: Query['filter']) => {
  const [from, to] = [minCreatedAt, maxCreatedAt].map((at) => (at === undefined ? '' : new Date(at).toISOString()))
  return (entry: LedgerEntry) =>
    (platformId === undefined || platformId === entry.platformId) &&
    (source === undefined || source.text === entry.source) &&
    (minAmount === undefined || entry.amount >= minAmount) &&
    (maxAmount === undefined || entry.amount <= maxAmount) &&
    (!from || entry.createdAt >= from) &&
    (!to || entry.createdAt <= to)
}

const comparisonOf = ({ by, order }: Query['sort']) => {
  const sign = order === 'asc' ? 1 : -1
  return (a: LedgerEntry, b: LedgerEntry) => {
    if (a[by] !== b[by]) return a[by] < b[by] ? -sign : sign
    return a.transactionId < b.transactionId ? -1 : 1
  }
}

/** The total and the summary of all matches, in an array. */
const summaryOf = (found: readonly LedgerEntry[]) => ({
  total: found.length,
  totalValue: found.reduce((sum, { total }) => sum + Math.round(total * 100), 0) / 100,
  uniqueUsers: new Set(found.map(({ platformId }) => platformId)).size,
})

/** An array: filter, sort, slice. */
export const plainArray = (given: readonly LedgerEntry[]): Peer => {
  const all = [...given]
  return {
    add: (entry) => void all.push(entry),
    find({ filter, sort, page }) {
      const found = all.filter(matches(filter)).sort(comparisonOf(sort))
      return { entries: found.slice((page - 1) * limit, page * limit), ...summaryOf(found) }
    },
    close: () => {},
  }
}

const isoOf = (at: number) => new Date(at).toISOString()

/** The conditions of a filter, as @mswjs/data takes them. */
const whereOf = ({ platformId, source, minAmount, maxAmount, minCreatedAt, maxCreatedAt }: Query['filter']) => ({
  ...(platformId !== undefined && { platformId: { equals: platformId } }),
  ...(source && { source: { equals: source.text } }),
  ...(minAmount !== undefined && maxAmount !== undefined && { amount: { gte: minAmount, lte: maxAmount } }),
  ...(minCreatedAt !== undefined &&
    maxCreatedAt !== undefined && { createdAt: { gte: isoOf(minCreatedAt), lte: isoOf(maxCreatedAt) } }),
})

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
    find({ filter, sort, page }) {
      const where = whereOf(filter)
      const orderBy = [{ [sort.by]: sort.order }, { transactionId: 'asc' as const }] as never
      const found = database.entry.findMany({ where, orderBy }) as LedgerEntry[]
      return { entries: found.slice((page - 1) * limit, page * limit), ...summaryOf(found) }
    },
    close: () => {},
  }
}

/** As much of json-server as is used here; it has no types. */
interface JsonServer {
  create(): { use(router: unknown): void } & Parameters<typeof createServer>[1]
  router(data: object): unknown
}
const { create, router } = createRequire(import.meta.url)('json-server') as JsonServer

/** json-server over HTTP, which it is made for: the page and the total only. */
export const jsonServer = async (entries: readonly LedgerEntry[]): Promise<Peer> => {
  const app = create()
  app.use(router({ entries: [...entries] }))
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The other contenders take their turns in between.
  server.keepAliveTimeout = 600_000
  const { port } = server.address() as AddressInfo
  return {
    add() {
      throw new Error('json-server is not compared on a growing ledger')
    },
    async find({ filter, sort, page }) {
      const { platformId, source, minAmount, maxAmount, minCreatedAt, maxCreatedAt } = filter
      const parameters = new URLSearchParams({ _sort: `${sort.by},transactionId`, _order: `${sort.order},asc` })
      const given = {
        _start: (page - 1) * limit,
        _end: page * limit,
        platformId,
        source: source?.text,
        amount_gte: minAmount,
        amount_lte: maxAmount,
        createdAt_gte: minCreatedAt === undefined ? undefined : isoOf(minCreatedAt),
        createdAt_lte: maxCreatedAt === undefined ? undefined : isoOf(maxCreatedAt),
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
