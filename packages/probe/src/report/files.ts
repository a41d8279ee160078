import type { Probed } from '../types.ts'
import { pseudonymise } from './fixture.ts'
import { leaksInLedger, leaksInReport, secretsIn } from './leaks.ts'
import { letterAbout, markdownReport } from './markdown.ts'

/** A file that the command line writes if it leaks nothing. */
export interface ProbeFile {
  readonly name: string
  readonly text: string
  /** How many identifiers, names and keys of the service it contains. */
  readonly leaks: number
}

/** The files of a probe. `letter` is the one to the operator. */
export const filesFrom = ({ report, entries }: Probed, secrets: readonly string[]): ProbeFile[] => {
  const ledger = pseudonymise(entries)
  const file = (name: string, text: string, leaks = leaksInReport(text, entries)): ProbeFile => ({
    name,
    text,
    leaks: leaks.length + secretsIn(text, secrets).length,
  })
  return [
    file('assumptions.json', `${JSON.stringify(report.values, null, 2)}\n`),
    file('probe.json', `${JSON.stringify(report, null, 2)}\n`),
    file('probe.md', markdownReport(report)),
    file('letter', letterAbout(report)),
    file('ledger.ndjson', ledger.map((entry) => `${JSON.stringify(entry)}\n`).join(''), leaksInLedger(ledger, entries)),
  ]
}
