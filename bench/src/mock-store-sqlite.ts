/** SQLite as a peer: better-sqlite3 and `node:sqlite` have the same verbs. */
import { createRequire } from 'node:module'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import type { Peer, Query } from './mock-store-peers.ts'

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

/** SQLite with an index for each order of all rows, of a user's and of a source's, in whichever package it comes. */
export const sqlite = (database: Database, rows: readonly LedgerEntry[]): Peer => {
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
  const prepared = new Map<string, Statement>()
  const statement = (sql: string) => {
    const known = prepared.get(sql) ?? database.prepare(sql)
    prepared.set(sql, known)
    return known
  }
  const ask = ({ filter, sort, start }: Query) => {
    const { platformId, source, minAmount, maxAmount, minCreatedAt, maxCreatedAt } = filter
    const terms: [string, Value][] = []
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
    const total = statement(`select count(*) as total from t ${where}`).get(...values) as { total: number } | undefined
    return { total: total?.total ?? 0, page: page.all(...values, start) }
  }
  return { ask: async (query) => ask(query), close: () => void database.close() }
}
