import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Checkpoint, GuildLedger, GuildQuery, LedgerEntry } from '@guild-ledger/sdk'
import { printable } from '@guild-ledger/validation/command-line'
import { say, startFrom } from './exit.ts'
import { createClient, filtersIn, type ClientFlags, type FilterFlags } from './flags.ts'
import { readJson, toJson, writeOut, writeWhole } from './files.ts'

/** Options of `watch`. */
export interface WatchFlags extends ClientFlags, FilterFlags {
  readonly checkpoint?: string
  readonly format: 'ndjson' | 'text'
  readonly interval: number
}

const lines: Record<WatchFlags['format'], (entry: LedgerEntry) => string> = {
  ndjson: toJson,
  text: ({ createdAt, platformId, name, quantity, amount, total, source }) =>
    printable(
      `${createdAt}  ${platformId}  ${quantity} × ${name}  amount ${amount}  total ${total}  ${source}`,
    ).replaceAll('\n', ' '),
}

/** Where a watch begins that starts now, by the service's own clock: everything there is by the first poll is old. */
export const beginNow = async (ledger: GuildLedger, filters: GuildQuery, signal: AbortSignal): Promise<Checkpoint> => {
  const watch = ledger.transactions.watch(filters, { signal, follow: false, retryForMs: Number.POSITIVE_INFINITY })
  for await (const _ of watch);
  return watch.checkpoint
}

/** Prints new transactions as they appear. A checkpoint is stored after its line was written. */
export const watchLedger = async (flags: WatchFlags, signal: AbortSignal): Promise<void> => {
  const { checkpoint: path, format, interval: intervalMs } = flags
  await using ledger = createClient(flags)
  const filters = filtersIn(flags) as GuildQuery
  const store = async (checkpoint: Checkpoint) => {
    if (path !== undefined) await writeWhole(path, `${JSON.stringify(checkpoint)}\n`)
  }
  const options = { signal, intervalMs, retryForMs: Number.POSITIVE_INFINITY }
  const stored = path !== undefined && existsSync(path) ? await readJson('--checkpoint', path) : undefined
  const since = (stored as Checkpoint | undefined) ?? (await beginNow(ledger, filters, signal))
  const watch = startFrom('--checkpoint', path, () => ledger.transactions.watch(filters, { ...options, since }))
  if (!stored) await store(since)
  say('watching, Ctrl+C ends it')
  // The poll that found where to begin was a moment ago.
  if (!stored) await sleep(intervalMs, undefined, { signal }).catch(() => {})
  for await (const entry of watch) {
    await writeOut(`${lines[format](entry)}\n`)
    await store(watch.checkpoint)
  }
}
