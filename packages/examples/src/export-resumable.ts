// Export the ledger to NDJSON and CSV. Killed at any moment and started again, it goes on where it was, and the files
// end up the same, byte for byte, as if nothing had happened.
//
// GUILD_LEDGER_API_KEY=… GUILD_LEDGER_BASE_URL=… node export-resumable.ts 2025-11-01T00:00:00Z ledger
import { open, type FileHandle } from 'node:fs/promises'
import { GuildLedger, type LedgerEntry } from '@guild-ledger/sdk'
import { writeCsv } from './csv.ts'

const day = 24 * 60 * 60 * 1000
const second = 1000
// No line comes near this; it is all that is read of a file to go on with.
const tailBytes = 1024 * 1024

const timeOf = ({ createdAt }: LedgerEntry) => Date.parse(createdAt)

/** An order in which no two rows are equal, so that one row says which others are in the file: those before it. */
const inOrder = (a: LedgerEntry, b: LedgerEntry): number =>
  timeOf(a) - timeOf(b) || (a.transactionId < b.transactionId ? -1 : Number(a.transactionId > b.transactionId))

/**
 * Cuts off what a kill may have left, half a line, and returns the last whole row. There is no second file that says
 * how far the first has come: the two would not agree if the kill came between writing one and the other.
 */
const lastRow = async (file: FileHandle): Promise<LedgerEntry | undefined> => {
  const { size } = await file.stat()
  const tail = Buffer.alloc(Math.min(size, tailBytes))
  await file.read(tail, 0, tail.length, size - tail.length)
  const end = tail.lastIndexOf('\n') // -1: not one whole line, so begin again
  await file.truncate(size - tail.length + end + 1)
  if (end < 0) return undefined
  return JSON.parse(tail.toString('utf8', tail.lastIndexOf('\n', end - 1) + 1, end)) as LedgerEntry
}

/** What is exported: everything from `since` up to `before`, a window of time after the other. */
export interface Span {
  readonly since: Date
  /**
   * Keep a little away from now: a row that enters the ledger late, with a time before the last one in the file, would
   * have to go where the file is done with.
   */
  readonly before: Date
  /** Each window is held in memory and costs a request at least. */
  readonly windowMs?: number
}

/** Rows of a window in order. Both bounds are asked for with room, because whether they belong is not shown. */
const rowsOf = async (ledger: GuildLedger, from: number, to: number): Promise<LedgerEntry[]> => {
  const dates = { startDate: new Date(from - second), endDate: new Date(to + second) }
  const rows = await Array.fromAsync(ledger.transactions.iterate(dates))
  return rows.filter((row) => timeOf(row) >= from && timeOf(row) < to).toSorted(inOrder)
}

/** Writes `<name>.ndjson`, or goes on writing it, then `<name>.csv` from it. */
export const exportResumable = async (ledger: GuildLedger, name: string, span: Span): Promise<void> => {
  const { since, before, windowMs = 7 * day } = span
  const file = await open(`${name}.ndjson`, 'a+')
  try {
    let last = await lastRow(file)
    for (let from = since.getTime(); from < before.getTime(); from += windowMs) {
      const to = Math.min(from + windowMs, before.getTime())
      if (last && timeOf(last) >= to) continue
      const rows = await rowsOf(ledger, from, to)
      const missing = rows.filter((row) => !last || inOrder(row, last) > 0)
      await file.appendFile(missing.map((row) => `${JSON.stringify(row)}\n`).join(''))
      await file.sync() // or a power cut could take what comes before and leave what comes after
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
