import type { Probed } from '../types.ts'
import { pseudonymise } from './fixture.ts'
import { leaksInLedger, leaksInReport, secretsIn } from './leaks.ts'
import { letterAbout, markdownReport } from './markdown.ts'

/** What the command line writes. */
export interface ProbeFiles {
  /** The files, by name. */
  readonly files: ReadonlyMap<string, string>
  /** Files that must not be written, by name: how many identifiers and keys of the service each would contain. */
  readonly withheld: ReadonlyMap<string, number>
}

interface Wanted {
  readonly fixture: boolean
  /** Whether to write the letter to the operator, under the name `letter`. */
  readonly letter?: boolean
  readonly secrets: readonly string[]
}

/** The files of a probe. Each is searched for identifiers, names and keys before it is written. */
export const filesFrom = ({ report, entries }: Probed, { fixture, letter, secrets }: Wanted): ProbeFiles => {
  const files = new Map<string, string>()
  const withheld = new Map<string, number>()
  const add = (name: string, text: string, leaks: readonly string[]): void => {
    const count = leaks.length + secretsIn(text, secrets).length
    if (count > 0) withheld.set(name, count)
    else files.set(name, text)
  }
  const reports = {
    'assumptions.json': `${JSON.stringify(report.values, null, 2)}\n`,
    'probe.json': `${JSON.stringify(report, null, 2)}\n`,
    'probe.md': markdownReport(report),
    ...(letter && { letter: letterAbout(report) }),
  }
  for (const [name, text] of Object.entries(reports)) add(name, text, leaksInReport(text, entries))
  if (fixture) {
    const written = pseudonymise(entries)
    add('ledger.ndjson', written.map((entry) => `${JSON.stringify(entry)}\n`).join(''), leaksInLedger(written, entries))
  }
  return { files, withheld }
}
