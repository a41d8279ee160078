import type { Checkpoint, Drift, GuildLedger, GuildQuery, LedgerEntry } from '@guild-ledger/sdk'
import { startFrom } from '../exit.ts'
import { readJson, toJson } from '../files.ts'
import { filtersIn, lastDays } from '../flags.ts'
import { csvFormat } from './csv.ts'
import type { ExportFlags } from './options.ts'
import type { Format } from './receipt.ts'
import { checkpointIn, selectedColumns, singerMessages } from './singer.ts'
import { openAppendSink, openSqliteSink, openTextSink, type Sink } from './sinks.ts'
import { openState } from './state.ts'

/** How late a transaction may appear, for exports that continue: a day, because they often run once a day. */
const overlapMs = 24 * 60 * 60 * 1000
/** Where transactions come from and where they go. */
export interface Plan {
  readonly source: AsyncIterable<LedgerEntry>
  /** Where a later run continues; undefined where none does. */
  readonly checkpoint: () => Checkpoint | undefined
  readonly openSink: () => Promise<Sink>
  readonly isWanted: (entry: LedgerEntry) => boolean
  /** What a receipt says of the first date that is wanted. */
  readonly startDate?: string | undefined
}

/** Finds out where transactions come from and where they go. */
export const plan = async (
  ledger: GuildLedger,
  flags: ExportFlags & { readonly format: Format },
  call: { readonly signal: AbortSignal; readonly retryForMs: number; readonly onDrift: (drift: Drift) => void },
): Promise<Plan> => {
  const { format, out, state: statePath, full: isFull = false } = flags
  const filters: GuildQuery = filtersIn(flags) as GuildQuery
  const watched = (since: Checkpoint, openSink: () => Promise<Sink>): Plan => {
    const options = { ...call, since, overlapMs, follow: false }
    const source = startFrom('--state', statePath, () => ledger.transactions.watch(filters, options))
    return { source, checkpoint: () => source.checkpoint, openSink, isWanted: () => true }
  }
  if (format === 'singer' || statePath !== undefined) {
    const beginning: Checkpoint = { ...ledger.transactions.watch(filters).checkpoint, from: null, seen: [] }
    if (format === 'singer') {
      const kept = statePath === undefined ? undefined : checkpointIn(await readJson('--state', statePath), statePath)
      const catalog = flags.catalog === undefined ? undefined : await readJson('--catalog', flags.catalog)
      const names = selectedColumns(catalog)
      const since = (kept ?? beginning) as Checkpoint
      const messages = singerMessages(names ?? [])
      const openSink = () => openTextSink(out, names ? messages : { ...messages, head: '' })
      if (names) return watched(since, openSink)
      return { source: (async function* () {})(), checkpoint: () => since, openSink, isWanted: () => true }
    }
    const state = await openState(statePath ?? '', format, out ?? '', beginning, isFull)
    return watched(isFull ? beginning : state.found.checkpoint, () =>
      format === 'sqlite'
        ? openSqliteSink(out ?? '', state, isFull)
        : openAppendSink(out ?? '', statePath ?? '', state, isFull),
    )
  }
  const days = flags.days === undefined ? undefined : lastDays(flags.days, flags.timeZone)
  const query = { ...filters, ...(days && { startDate: days.startDate }), sortOrder: 'asc' } as const
  const texts = {
    csv: csvFormat(flags.excel === true),
    ndjson: { head: '', format: (entry: LedgerEntry) => `${toJson(entry)}\n` },
  }
  return {
    source: ledger.transactions.iterate(query, call),
    checkpoint: () => undefined,
    openSink: () =>
      format === 'sqlite' ? openSqliteSink(out ?? '', undefined, false) : openTextSink(out, texts[format]),
    isWanted: days?.isWanted ?? (() => true),
    startDate: days?.start,
  }
}
