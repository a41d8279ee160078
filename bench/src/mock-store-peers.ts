/** What people use today for a fake ledger, asked what the mock's store is asked. Both go through all rows each time. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { factory, primaryKey } from '@mswjs/data'
import type { Filter, Sort } from '../../packages/mock-server/src/store/index.ts'

export interface Query {
  readonly filter: Filter
  readonly sort: Sort
  readonly start: number
}

/** A ledger that can be asked, and how to be rid of it. */
export interface Peer {
  ask(query: Query): Promise<{ total: number }>
  close(): void
}

/** As much of json-server as is used here; it has no types. */
interface JsonServer {
  create(): { use(router: unknown): void } & Parameters<typeof createServer>[1]
  router(data: object): unknown
}
const { create, router } = createRequire(import.meta.url)('json-server') as JsonServer

const isoOf = (at: number) => new Date(at).toISOString()

/** The conditions of a filter, in the words of @mswjs/data. */
const whereOf = ({ platformId, source, minAmount, maxAmount, minCreatedAt, maxCreatedAt }: Filter) => ({
  ...(platformId !== undefined && { platformId: { equals: platformId } }),
  ...(source && { source: { equals: source.text } }),
  ...(minAmount !== undefined && maxAmount !== undefined && { amount: { gte: minAmount, lte: maxAmount } }),
  ...(minCreatedAt !== undefined &&
    maxCreatedAt !== undefined && { createdAt: { gte: isoOf(minCreatedAt), lte: isoOf(maxCreatedAt) } }),
})

/** @mswjs/data, called directly: `count` and `findMany`. */
export const mswData = (rows: readonly LedgerEntry[]): Peer => {
  const database = factory({
    row: {
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
  for (const row of rows) database.row.create({ ...row })
  return {
    async ask({ filter, sort, start }) {
      const where = whereOf(filter)
      const orderBy = [{ [sort.by]: sort.order }, { transactionId: 'asc' as const }] as never
      const total = database.row.count({ where })
      return { total, page: database.row.findMany({ where, orderBy, skip: start, take: 20 }) }
    },
    close: () => {},
  }
}

/** json-server, over HTTP, as it has no other door. */
export const jsonServer = async (rows: readonly LedgerEntry[]): Promise<Peer> => {
  const app = create()
  app.use(router({ rows }))
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    async ask({ filter, sort, start }) {
      const { platformId, source, minAmount, maxAmount, minCreatedAt, maxCreatedAt } = filter
      const parameters = new URLSearchParams({ _sort: `${sort.by},transactionId`, _order: `${sort.order},asc` })
      const given = {
        _start: start,
        _end: start + 20,
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
      const response = await fetch(`http://127.0.0.1:${port}/rows?${parameters.toString()}`)
      await response.json()
      return { total: Number(response.headers.get('x-total-count')) }
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
