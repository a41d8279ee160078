// Keep a copy of the ledger in SQLite for queries that the service does not support, such as joins and monthly sums.
// node:sqlite is part of Node.
//
// GUILD_LEDGER_API_KEY=… GUILD_LEDGER_BASE_URL=… node sqlite-mirror.ts ledger.db
import { DatabaseSync } from 'node:sqlite'
import { GuildLedger, type Checkpoint } from '@guild-ledger/sdk'

const schema = `
  CREATE TABLE IF NOT EXISTS transactions (
    transaction_id TEXT PRIMARY KEY, platform_id TEXT NOT NULL, name TEXT NOT NULL, source TEXT NOT NULL,
    amount REAL NOT NULL, quantity REAL NOT NULL, total REAL NOT NULL, created_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS by_time ON transactions (created_at);
  CREATE INDEX IF NOT EXISTS by_user ON transactions (platform_id, created_at);
  CREATE TABLE IF NOT EXISTS position (id INTEGER PRIMARY KEY CHECK (id = 1), checkpoint TEXT NOT NULL) STRICT;
`
/** Opens or creates the mirror. Use `:memory:` in tests. */
export const openMirror = (path: string): DatabaseSync => {
  const mirror = new DatabaseSync(path)
  // During an update, readers with their own connection see the previous state without waiting.
  mirror.exec(`PRAGMA journal_mode = WAL; ${schema}`)
  return mirror
}

const dayMs = 24 * 60 * 60 * 1000

/**
 * Adds what is new to the mirror, also what the service adds up to a day late, and returns how many transactions it has.
 * The checkpoint is stored together with the transactions, so that each is stored once. To start over, delete the file.
 */
export const updateMirror = async (ledger: GuildLedger, mirror: DatabaseSync): Promise<number> => {
  const stored = mirror.prepare('SELECT checkpoint FROM position').get()?.checkpoint
  const since = typeof stored === 'string' ? (JSON.parse(stored) as Checkpoint) : new Date(0)
  const watch = ledger.transactions.watch({}, { since, overlapMs: dayMs, follow: false })
  const insert = mirror.prepare('INSERT INTO transactions VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  mirror.exec('BEGIN')
  try {
    for await (const { transactionId, platformId, name, source, amount, quantity, total, createdAt } of watch) {
      // One format for all times, so that they can be compared as strings.
      const time = new Date(createdAt).toISOString()
      insert.run(transactionId, platformId, name, source, amount, quantity, total, time)
    }
    mirror.prepare('INSERT OR REPLACE INTO position VALUES (1, ?)').run(JSON.stringify(watch.checkpoint))
    mirror.exec('COMMIT')
  } catch (error) {
    mirror.exec('ROLLBACK')
    throw error
  }
  return Number(mirror.prepare('SELECT count(*) AS count FROM transactions').get()?.count)
}

/** The best seller of each month, a query that the service does not support. */
export const bestSellers = (mirror: DatabaseSync): { month: string; name: string; sum: number }[] =>
  mirror
    .prepare(`
      SELECT month, name, round(sum, 2) AS sum FROM (
        SELECT substr(created_at, 1, 7) AS month, name, sum(total) AS sum,
          row_number() OVER (PARTITION BY substr(created_at, 1, 7) ORDER BY sum(total) DESC, name) AS place
        FROM transactions GROUP BY month, name
      ) WHERE place = 1 ORDER BY month
    `)
    .all() as { month: string; name: string; sum: number }[]

if (import.meta.main) {
  const mirror = openMirror(process.argv[2] ?? 'ledger.db')
  console.log(`${await updateMirror(new GuildLedger(), mirror)} transactions in the mirror`)
  for (const { month, name, sum } of bestSellers(mirror)) console.log(`${month}  ${name}: ${sum}`)
  mirror.close()
}
