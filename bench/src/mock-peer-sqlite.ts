/** SQLite as a peer: better-sqlite3 and `node:sqlite` have the same methods. */
import { createRequire } from 'node:module'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { limit, type Query } from './mock-mix.ts'
import type { Peer } from './mock-peers.ts'

type Value = string | number

interface Statement {
  run(...values: Value[]): unknown
  get(...values: Value[]): unknown
  all(...values: Value[]): unknown[]
}

/** As much of a database as is used here. */
interface Database {
  exec(sql: string): unknown
  prepare(sql: string): Statement
  close(): unknown
}

/** better-sqlite3, which has no types of its own. */
export const BetterSqlite = createRequire(import.meta.url)('better-sqlite3') as new (path: string) => Database

const insertion = 'insert into t values (?, ?, ?, ?, ?, ?, ?, ?)'
const valuesOf = (entry: LedgerEntry): Value[] => {
  const { platformId, transactionId, amount, quantity, name, source, total, createdAt } = entry
  return [platformId, transactionId, amount, quantity, name, source, total, createdAt]
}

/** An index for each order, up and down, of all transactions and of each source; what summaries need is in them. */
const createIndexes = (database: Database) => {
  for (const by of ['createdAt', 'amount', 'total', 'quantity', 'name']) {
    const summed = ['platformId', ...(by === 'total' ? [] : ['total'])].join(', ')
    for (const order of ['asc', 'desc']) {
      database.exec(`create index t_${by}_${order} on t (${by} ${order}, transactionId, ${summed})`)
      database.exec(`create index t_source_${by}_${order} on t (source, ${by} ${order}, transactionId, ${summed})`)
    }
  }
  database.exec('create index t_user_createdAt on t (platformId, createdAt, transactionId)')
  database.exec('create index t_user_source on t (platformId, source, total, transactionId)')
  database.exec('analyze')
}

const conditionsOf = ({ platformId, source, minAmount, maxAmount, minCreatedAt, maxCreatedAt }: Query['filter']) => {
  const conditions: [string, Value][] = []
  if (platformId !== undefined) conditions.push(['platformId = ?', platformId])
  if (source) conditions.push(['source = ?', source.text])
  if (minAmount !== undefined && maxAmount !== undefined)
    conditions.push(['amount >= ?', minAmount], ['amount <= ?', maxAmount])
  if (minCreatedAt !== undefined && maxCreatedAt !== undefined) {
    conditions.push(
      ['createdAt >= ?', new Date(minCreatedAt).toISOString()],
      ['createdAt <= ?', new Date(maxCreatedAt).toISOString()],
    )
  }
  const where = conditions.length > 0 ? `where ${conditions.map(([condition]) => condition).join(' and ')}` : ''
  return { where, values: conditions.map(([, value]) => value) }
}

/** SQLite in memory, in whichever package it comes. */
export const sqlite = (database: Database, entries: readonly LedgerEntry[]): Peer => {
  database.exec(
    'create table t (platformId text, transactionId text, amount real, quantity real, name text, source text, total real, createdAt text)',
  )
  const insert = database.prepare(insertion)
  database.exec('begin')
  for (const entry of entries) insert.run(...valuesOf(entry))
  database.exec('commit')
  createIndexes(database)
  const prepared = new Map<string, Statement>()
  const statement = (sql: string) => {
    const known = prepared.get(sql) ?? database.prepare(sql)
    prepared.set(sql, known)
    return known
  }
  return {
    add: (entry) => void insert.run(...valuesOf(entry)),
    find({ filter, sort, page }) {
      const { where, values } = conditionsOf(filter)
      const summary = statement(
        `select count(*) as total, sum(total) as totalValue, count(distinct platformId) as uniqueUsers from t ${where}`,
      ).get(...values) as { total: number; totalValue: number | null; uniqueUsers: number }
      const found = statement(
        `select * from t ${where} order by ${sort.by} ${sort.order}, transactionId limit ${limit} offset ?`,
      ).all(...values, (page - 1) * limit) as LedgerEntry[]
      const totalValue = Math.round((summary.totalValue ?? 0) * 100) / 100
      return { entries: found, total: summary.total, totalValue, uniqueUsers: summary.uniqueUsers }
    },
    close: () => void database.close(),
  }
}
