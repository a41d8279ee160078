// Announce each new transaction, including those added while the bot was not running. Delivery is at least once: a
// transaction is announced twice only if the process is killed between posting and storing the checkpoint. If your chat
// rejects duplicates, delivery is exactly once: see `post`. Order matters: post, then store; the reverse would be at most
// once. `overlapMs` of the watch says how late a transaction may turn up and still be announced.
//
// GUILD_LEDGER_API_KEY=… GUILD_LEDGER_BASE_URL=… node announce.ts announced.json
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { GuildLedger, type Checkpoint, type LedgerEntry } from '@guild-ledger/sdk'

/** Reads the stored checkpoint; undefined at the first start. */
const readCheckpoint = (file: string): Checkpoint | undefined => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Checkpoint
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    // Starting over without a checkpoint would silently skip transactions.
    throw new Error(`${file} contains no checkpoint: fix it, or delete it to start with new transactions`, {
      cause: error,
    })
  }
}

/** Writes a temporary file and renames it: after a crash or a power cut the file has the old or the new content. */
const writeCheckpoint = (file: string, checkpoint: Checkpoint): void => {
  const part = `${file}.part`
  const output = openSync(part, 'w')
  writeSync(output, JSON.stringify(checkpoint))
  fsyncSync(output)
  closeSync(output)
  renameSync(part, file)
}

export interface Announcer {
  /** File of the checkpoint: one file per watch, and one process per file. */
  readonly file: string
  /**
   * Announces a transaction. If it rejects, the transaction counts as not announced and the announcer ends. With
   * discord.js, `channel.send({ content, nonce: transactionId.slice(-25), enforceNonce: true })` posts a message only
   * once, if the restart comes within minutes.
   */
  readonly post: (transaction: LedgerEntry) => Promise<void>
  /** Stops the announcer. The checkpoint of a transaction that is being announced is still stored. */
  readonly signal: AbortSignal
  readonly intervalMs?: number
}

/** Announces new transactions until `signal` aborts. */
export const announce = async (ledger: GuildLedger, announcer: Announcer): Promise<void> => {
  const { file, post, signal, intervalMs } = announcer
  const since = readCheckpoint(file) ?? 'now'
  const onError = (error: Error) => console.error('retrying soon:', error.message)
  const watch = ledger.transactions.watch({}, { since, signal, intervalMs, onError })
  // If the first run ends before anything was bought, the next run still announces what was bought in between.
  writeCheckpoint(file, watch.checkpoint)
  try {
    for await (const transaction of watch) {
      await post(transaction)
      writeCheckpoint(file, watch.checkpoint)
    }
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error
  }
}

if (import.meta.main) {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => controller.abort())
  const post = async ({ platformId, quantity, name }: LedgerEntry) =>
    console.log(`${platformId} bought ${quantity} × ${name}`)
  await announce(new GuildLedger(), { file: process.argv[2] ?? 'announced.json', post, signal: controller.signal })
}
