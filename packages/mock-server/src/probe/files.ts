import { pseudonymise, leaksIn } from './fixture.ts'
import { entriesInOrder } from './entry-order.ts'
import type { Probed } from './probe.ts'
import { probeMarkdownReport } from './report/markdown.ts'

/** The files that the command line writes, by name. */
export const filesFrom = (
  { report, inference }: Probed,
  { fixture, secrets }: { readonly fixture: boolean; readonly secrets: readonly string[] },
): Map<string, string> => {
  const entries = entriesInOrder(inference.tracker.copy, inference.knowledge)
  const files = new Map([
    ['assumptions.json', `${JSON.stringify(report.assumptions, null, 2)}\n`],
    ['probe.json', `${JSON.stringify(report, null, 2)}\n`],
    ['probe.md', probeMarkdownReport(report)],
  ])
  if (fixture) {
    const lines = pseudonymise(entries).entries.map((entry) => `${JSON.stringify(entry)}\n`)
    files.set('ledger.ndjson', lines.join(''))
  }
  for (const [name, text] of files) {
    const leaks = leaksIn(text, entries, secrets)
    // Never reached as far as tests can tell. A file with an identifier must not be written.
    if (leaks.length > 0)
      throw new Error(`${name} would contain ${leaks.length} identifiers of the service: nothing was written`)
  }
  return files
}
