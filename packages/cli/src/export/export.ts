import type { Drift } from '@guild-ledger/sdk'
import { CommandError, exitCodes, say, usageError, withFile } from '../exit.ts'
import { writeOut, writeWhole } from '../files.ts'
import { createClient, filtersIn, versions } from '../flags.ts'
import { createProgress, formatCount } from '../progress.ts'
import { checkFlags, configuredFlags, type ExportFlags } from './options.ts'
import { plan } from './plan.ts'
import { checkReceipt, formats, type Receipt } from './receipt.ts'
import { singerCatalog } from './singer.ts'
import type { Sink } from './sinks.ts'
import type { Identity } from './sqlite.ts'
import { createTally } from './tally.ts'

/** Time between two commits, at least: a checkpoint holds what came within a day. */
const commitEveryMs = 500

const listOf = (identities: readonly Identity[]): string =>
  identities
    .slice(0, 5)
    .map(({ platformId, transactionId }) => `${transactionId} of ${platformId}`)
    .join(', ') + (identities.length > 5 ? ', …' : '')

/** Exports the ledger. Resolves with the exit code. */
export const exportLedger = async (
  given: ExportFlags,
  file: string | undefined,
  signal: AbortSignal,
): Promise<number> => {
  if (given.check !== undefined) {
    if (file === undefined) throw usageError('--check RECEIPT needs the file to check: export --check RECEIPT FILE')
    await writeOut(await checkReceipt(given.check, file))
    return exitCodes.done
  }
  if (file !== undefined) throw usageError('export takes no argument: --out names the file to write.')
  if (given.format === undefined) throw usageError(`--format is missing: it must be one of ${formats.join(', ')}.`)
  checkFlags(given, given.format)
  if (given.discover) {
    await writeOut(`${JSON.stringify(singerCatalog(), null, 2)}\n`)
    return exitCodes.done
  }
  const flags = { ...(await configuredFlags(given.config)), ...given, format: given.format }
  const startedAt = new Date().toISOString()
  const progress = createProgress(process.stderr)
  await using ledger = createClient(flags, { middleware: progress.middleware })
  const drift: Drift[] = []
  const call = { signal, retryForMs: flags.retryFor, onDrift: (one: Drift) => void drift.push(one) }
  const { source, checkpoint, openSink, isWanted, startDate } = await plan(ledger, flags, call)
  const { out } = flags
  const where = out ?? 'standard output'
  const tally = createTally()
  let sink: Sink | undefined
  let nextCommit = performance.now() + commitEveryMs
  const commit = async () => {
    nextCommit = performance.now() + commitEveryMs
    const position = checkpoint()
    if (position) await sink?.commit(position)
  }
  try {
    return await withFile(`${where} cannot be written`, async () => {
      for await (const entry of source) {
        if (!isWanted(entry)) continue
        sink ??= await openSink()
        await sink.put(entry)
        tally.add(entry)
        progress.show(tally.rows)
        if (performance.now() >= nextCommit) await commit()
      }
      sink ??= await openSink()
      const vanished = await sink.finish(checkpoint())
      const run = tally.result()
      if (flags.receipt !== undefined) {
        const receipt: Receipt = {
          receipt: 1,
          format: flags.format,
          service: ledger.toJSON().baseUrl,
          filters: { ...filtersIn(flags), ...(startDate !== undefined && { startDate }) },
          file: await sink.facts(run),
          run,
          ended: 'complete',
          drift,
          vanished,
          versions,
          startedAt,
          endedAt: new Date().toISOString(),
        }
        await writeWhole(flags.receipt, `${JSON.stringify(receipt, null, 2)}\n`)
      }
      progress.end()
      const unrepaired = drift.filter(({ repaired }) => !repaired)
      const lost = unrepaired.reduce((sum, one) => sum + one.lost, 0)
      const notes = [
        `exported ${formatCount(run.rows)} transactions to ${where} in ${progress.seconds().toFixed(1)} s`,
        ...(vanished.length > 0
          ? [`${vanished.length} exported before are no longer in the ledger: ${listOf(vanished)}`]
          : []),
        ...(unrepaired.length > 0
          ? [`the ledger changed meanwhile: ${lost} that the service counted may be missing, export again`]
          : []),
      ]
      for (const note of notes) say(note)
      return vanished.length > 0 || unrepaired.length > 0 ? exitCodes.differs : exitCodes.done
    })
  } catch (error) {
    progress.end()
    // What was read is kept where a later run can continue; the error that ended the run is the one to report.
    await commit().catch(() => {})
    await sink?.discard()
    if (error !== signal.reason) throw error
    const { message, exitCode } = signal.reason as CommandError
    const left =
      flags.state === undefined ? (out === undefined ? '' : ': no file was written') : ': the next run continues'
    throw new CommandError(`${message} after ${formatCount(tally.rows)} transactions${left}`, exitCode)
  }
}
