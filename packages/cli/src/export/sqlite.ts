import type { DatabaseSync } from 'node:sqlite'
import type { LedgerEntry } from '@guild-ledger/sdk'
import { openDatabase } from '../database.ts'

/** What makes a transaction the same as another one. */
export type Identity = Pick<LedgerEntry, 'platformId' | 'transactionId'>

const columns =
  'platformId, transactionId, amount, amountText, quantity, quantityText, name, source, total, totalText, createdAt'
const schema = `
  CREATE TABLE IF NOT EXISTS transactions (
    platformId TEXT NOT NULL, transactionId TEXT NOT NULL, amount REAL NOT NULL, amountText TEXT NOT NULL,
    quantity REAL NOT NULL, quantityText TEXT NOT NULL, name TEXT NOT NULL, source TEXT NOT NULL,
    total REAL NOT NULL, totalText TEXT NOT NULL, createdAt TEXT NOT NULL,
    PRIMARY KEY (platformId, transactionId)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS transactions_by_time ON transactions (createdAt);
  CREATE INDEX IF NOT EXISTS transactions_by_source ON transactions (source, createdAt);
  CREATE INDEX IF NOT EXISTS transactions_by_name ON transactions (name, createdAt);
  CREATE VIEW IF NOT EXISTS totals_by_user AS
    SELECT platformId, count(*) AS transactions, sum(amount) AS amount, sum(quantity) AS quantity, sum(total) AS total,
      min(createdAt) AS firstCreatedAt, max(createdAt) AS lastCreatedAt
    FROM transactions GROUP BY platformId;
`

/** A database with the table `transactions`, in which each transaction is once, however often it is put. */
export const openMirror = async (path: string) => {
  const database = await openDatabase(path)
  database.exec(schema)
  const put = database.prepare(`REPLACE INTO transactions (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  return {
    database,
    put({ platformId, transactionId, amount, quantity, name, source, total, createdAt }: LedgerEntry): void {
      const [a, q, t] = [amount, quantity, total].map(String) as [string, string, string]
      put.run(platformId, transactionId, amount, a, quantity, q, name, source, total, t, createdAt)
    },
  }
}

type Row = LedgerEntry & Readonly<Record<'amountText' | 'quantityText' | 'totalText', string>>

/** Every row in order of identity, as the transaction and as what a receipt's sha256 is made of. */
export function* rowsOf(database: DatabaseSync): Generator<{ readonly entry: LedgerEntry; readonly line: string }> {
  const rows = database.prepare(`SELECT ${columns} FROM transactions ORDER BY platformId, transactionId`).iterate()
  for (const row of rows as Iterable<unknown> as Iterable<Row>) {
    const { amountText, quantityText, totalText, ...fields } = row
    const entry = { ...fields, amount: Number(amountText), quantity: Number(quantityText), total: Number(totalText) }
    yield { entry, line: `${JSON.stringify(Object.values(row))}\n` }
  }
}

/** Which transactions a full export finds, compared with those exported before. */
export const createSeen = (database: DatabaseSync, table: string) => {
  database.exec(`
    CREATE TEMP TABLE seen (platformId TEXT, transactionId TEXT, PRIMARY KEY (platformId, transactionId)) WITHOUT ROWID;
  `)
  const add = database.prepare('INSERT OR IGNORE INTO seen VALUES (?, ?)')
  const missing = `(platformId, transactionId) NOT IN (SELECT platformId, transactionId FROM seen)`
  return {
    add: ({ platformId, transactionId }: Identity): void => void add.run(platformId, transactionId),
    /** What was there before and is not now. It is removed. */
    removeVanished(): Identity[] {
      const vanished = database.prepare(`SELECT platformId, transactionId FROM ${table} WHERE ${missing}`).all()
      database.exec(`DELETE FROM ${table} WHERE ${missing}`)
      return vanished.map(({ platformId, transactionId }) => ({ platformId, transactionId }) as unknown as Identity)
    },
  }
}
