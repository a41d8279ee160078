// Export the ledger to NDJSON and CSV. After a kill at any time, the next run continues where this one got to, and each
// transaction is in the files once. A later run appends what is new.
//
// GUILD_LEDGER_API_KEY=… GUILD_LEDGER_BASE_URL=… node export-resumable.ts 2025-11-01T00:00:00Z ledger
import { open, readFile, rename, writeFile } from 'node:fs/promises'
import { GuildLedger, type Checkpoint } from '@guild-ledger/sdk'
import { writeCsv } from './csv.ts'

/** How far an export has got. */
interface Position {
  /** Where the watch continues. */
  readonly checkpoint: Checkpoint
  /** Length of the NDJSON file at this checkpoint. What follows was written by a run that was killed. */
  readonly bytes: number
}

const readPosition = async (path: string): Promise<Position | undefined> => {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Position
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The file has its old content or the new one, never a part of it. */
const writePosition = async (path: string, position: Position): Promise<void> => {
  await writeFile(`${path}.part`, JSON.stringify(position), { flush: true })
  await rename(`${path}.part`, path)
}

/** Transactions that are written at once; a run that is killed repeats as many at most. */
const batchSize = 100
const dayMs = 24 * 60 * 60 * 1000

/** Writes or continues `<name>.ndjson` with transactions from `since` on, then writes `<name>.csv` from it. */
export const exportResumable = async (ledger: GuildLedger, name: string, since: Date): Promise<void> => {
  const path = `${name}.position.json`
  const position = await readPosition(path)
  const file = await open(`${name}.ndjson`, 'a')
  try {
    let bytes = position?.bytes ?? 0
    if ((await file.stat()).size < bytes) throw new Error(`${name}.ndjson is shorter than ${path} says. Delete both.`)
    await file.truncate(bytes)
    // A transaction that the service adds up to a day late is found too.
    const options = { since: position?.checkpoint ?? since, overlapMs: dayMs, follow: false }
    const watch = ledger.transactions.watch({}, options)
    let lines: string[] = []
    const save = async () => {
      const text = lines.join('')
      lines = []
      await file.appendFile(text)
      await file.sync() // before the position, so that a power cut cannot lose what it counts
      bytes += Buffer.byteLength(text)
      await writePosition(path, { checkpoint: watch.checkpoint, bytes })
    }
    for await (const transaction of watch) {
      lines.push(`${JSON.stringify(transaction)}\n`)
      if (lines.length === batchSize) await save()
    }
    await save()
  } finally {
    await file.close()
  }
  await writeCsv(`${name}.ndjson`, `${name}.csv`)
}

if (import.meta.main) {
  const [since = '2025-11-01T00:00:00Z', name = 'ledger'] = process.argv.slice(2)
  await exportResumable(new GuildLedger(), name, new Date(since))
  console.log(`wrote ${name}.ndjson and ${name}.csv`)
}
