// Announce each new purchase, also those of the hours in which the bot was away. Every purchase is announced at least
// once, and twice only if the process was killed in the moment between announcing one and storing that. Stored first and
// announced then, it would be the other way round: at most once, and a kill loses one. A chat that refuses a message it
// has had makes it exactly once: see `post`. Not announced is what turns up in the ledger more than a minute after what
// is newer than it: `overlapMs` of the watch says how long.
//
// GUILD_LEDGER_API_KEY=… GUILD_LEDGER_BASE_URL=… node announce.ts announced.json
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { GuildLedger, type Checkpoint, type LedgerEntry } from '@guild-ledger/sdk'

/** What was stored last; undefined at the very first start. */
const stored = (file: string): Checkpoint | undefined => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Checkpoint
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    // Anything else is for a person to look at: to begin anew would leave purchases out and tell nobody.
    throw new Error(`${file} holds no checkpoint: mend it, or delete it to begin with what is new`, { cause: error })
  }
}

/** Written beside and then renamed: whenever the process or the power goes, the file is the old one or the new one. */
const store = (file: string, checkpoint: Checkpoint | undefined): void => {
  const part = `${file}.part`
  const output = openSync(part, 'w')
  writeSync(output, JSON.stringify(checkpoint))
  fsyncSync(output)
  closeSync(output)
  renameSync(part, file)
}

export interface Announcer {
  /** Where the checkpoint is kept: one file for each watch, and one process for each file. */
  readonly file: string
  /**
   * Announces one. If it rejects, the purchase counts as not announced and the announcer ends. For discord.js:
   * `channel.send({ content, nonce: transactionId.slice(-25), enforceNonce: true })` posts the same one once, as long as
   * the restart comes within minutes.
   */
  readonly post: (entry: LedgerEntry) => Promise<void>
  /** Ends the announcer; a purchase that is being announced is still stored. */
  readonly signal: AbortSignal
  readonly intervalMs?: number
}

/** Announces until `signal` fires. */
export const announce = async (ledger: GuildLedger, announcer: Announcer): Promise<void> => {
  const { file, post, signal, intervalMs } = announcer
  // A date rather than 'now': with it there is a checkpoint at once. A first start that ends before anything was bought
  // has then been a start all the same, and the next one tells what was bought in between.
  const since = stored(file) ?? new Date()
  const onError = (error: Error) => console.error('asking again soon:', error.message)
  const watch = ledger.transactions.watch({}, { since, signal, intervalMs, onError })
  store(file, watch.checkpoint)
  try {
    for await (const entry of watch) {
      await post(entry)
      store(file, watch.checkpoint)
    }
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error
  }
}

if (import.meta.main) {
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stop.abort())
  const post = async ({ platformId, quantity, name }: LedgerEntry) =>
    console.log(`${platformId} bought ${quantity} × ${name}`)
  await announce(new GuildLedger(), { file: process.argv[2] ?? 'announced.json', post, signal: stop.signal })
}
