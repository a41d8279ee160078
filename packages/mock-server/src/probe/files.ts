import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { pseudonymise } from './fixture.ts'
import { entriesInOrder } from './entry-order.ts'
import { leaksInLedger, leaksInReport, secretsIn } from './leaks.ts'
import type { Probed } from './probe.ts'
import { probeMarkdownReport } from './report/markdown.ts'

/** What the command line writes. */
export interface ProbeFiles {
  /** The files, by name. */
  readonly files: ReadonlyMap<string, string>
  /** Files that must not be written, by name: how many identifiers and keys of the service each would contain. */
  readonly withheld: ReadonlyMap<string, number>
}

/** The files that the command line writes. */
export const filesFrom = (
  { report, inference }: Probed,
  { fixture, secrets }: { readonly fixture: boolean; readonly secrets: readonly string[] },
  replace: (entries: readonly LedgerEntry[]) => readonly LedgerEntry[] = (entries) => pseudonymise(entries).entries,
): ProbeFiles => {
  const entries = entriesInOrder(inference.tracker.copy, inference.knowledge)
  const files = new Map<string, string>()
  const withheld = new Map<string, number>()
  const add = (name: string, text: string, leaks: readonly string[]): void => {
    const count = leaks.length + secretsIn(text, secrets).length
    if (count > 0) withheld.set(name, count)
    else files.set(name, text)
  }
  const reports = [
    ['assumptions.json', `${JSON.stringify(report.assumptions, null, 2)}\n`],
    ['probe.json', `${JSON.stringify(report, null, 2)}\n`],
    ['probe.md', probeMarkdownReport(report)],
  ] as const
  for (const [name, text] of reports) add(name, text, leaksInReport(text, entries))
  if (fixture) {
    const written = replace(entries)
    const text = written.map((entry) => `${JSON.stringify(entry)}\n`).join('')
    add('ledger.ndjson', text, leaksInLedger(written, entries))
  }
  return { files, withheld }
}
