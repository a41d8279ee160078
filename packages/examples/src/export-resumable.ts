// Export the ledger to NDJSON and CSV, resumable after a kill at any time: the resulting files are byte for byte the
// same as those of an uninterrupted export.
//
// GUILD_LEDGER_API_KEY=… GUILD_LEDGER_BASE_URL=… node export-resumable.ts 2025-11-01T00:00:00Z ledger
import { open, type FileHandle } from 'node:fs/promises'
import { GuildLedger, type LedgerEntry } from '@guild-ledger/sdk'
import { writeCsv } from './csv.ts'

const dayMs = 24 * 60 * 60 * 1000
const secondMs = 1000
// Longer than any line: only this much of an existing file is read.
const tailBytes = 1024 * 1024

const timeOf = ({ createdAt }: LedgerEntry) => Date.parse(createdAt)

/** A total order, so that the last transaction in the file determines which others are in it. */
const compare = (a: LedgerEntry, b: LedgerEntry): number =>
  timeOf(a) - timeOf(b) || (a.transactionId < b.transactionId ? -1 : Number(a.transactionId > b.transactionId))

/**
 * Removes an incomplete line that a kill may have left, and returns the transaction in the last complete line. The position
 * is not kept in a second file, because a kill between the two writes would make them disagree.
 */
const readLast = async (file: FileHandle): Promise<LedgerEntry | undefined> => {
  const { size } = await file.stat()
  const tail = Buffer.alloc(Math.min(size, tailBytes))
  await file.read(tail, 0, tail.length, size - tail.length)
  const end = tail.lastIndexOf('\n') // -1: no complete line, start over
  await file.truncate(size - tail.length + end + 1)
  if (end < 0) return undefined
  return JSON.parse(tail.toString('utf8', tail.lastIndexOf('\n', end - 1) + 1, end)) as LedgerEntry
}

/** The exported time range, from `since` up to but not including `before`. */
export interface TimeRange {
  readonly since: Date
  /**
   * Should be a little before now: a transaction that is added late, with a time before the last one in the file, would be
   * missed.
   */
  readonly before: Date
  /** The range is exported in windows of this length. Each is held in memory and takes at least one request. */
  readonly windowMs?: number
}

/** Fetches a window in order. The requested range is wider, because whether its bounds are inclusive is unspecified. */
const fetchWindow = async (ledger: GuildLedger, from: number, to: number): Promise<LedgerEntry[]> => {
  const dates = { startDate: new Date(from - secondMs), endDate: new Date(to + secondMs) }
  const transactions = await Array.fromAsync(ledger.transactions.iterate(dates))
  return transactions.filter((one) => timeOf(one) >= from && timeOf(one) < to).toSorted(compare)
}

/** Writes or continues `<name>.ndjson`, then writes `<name>.csv` from it. */
export const exportResumable = async (ledger: GuildLedger, name: string, range: TimeRange): Promise<void> => {
  const { since, before, windowMs = 7 * dayMs } = range
  const file = await open(`${name}.ndjson`, 'a+')
  try {
    let last = await readLast(file)
    for (let from = since.getTime(); from < before.getTime(); from += windowMs) {
      const to = Math.min(from + windowMs, before.getTime())
      if (last && timeOf(last) >= to) continue
      const transactions = await fetchWindow(ledger, from, to)
      const missing = transactions.filter((transaction) => !last || compare(transaction, last) > 0)
      await file.appendFile(missing.map((transaction) => `${JSON.stringify(transaction)}\n`).join(''))
      await file.sync() // otherwise a power cut could lose this window and keep a later one
      last = missing.at(-1) ?? last
    }
  } finally {
    await file.close()
  }
  await writeCsv(`${name}.ndjson`, `${name}.csv`)
}

if (import.meta.main) {
  const aMinuteAgo = new Date(Date.now() - 60_000).toISOString()
  const [since = '2025-11-01T00:00:00Z', name = 'ledger', before = aMinuteAgo] = process.argv.slice(2)
  await exportResumable(new GuildLedger(), name, { since: new Date(since), before: new Date(before) })
  console.log(`wrote ${name}.ndjson and ${name}.csv`)
}
