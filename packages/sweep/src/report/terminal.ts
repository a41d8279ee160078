import { styleText } from 'node:util'
import type { SweepReport } from './report.ts'
import { groupsOf, headline, lockEntryOf, meaningOf, printable, sectionsOf } from './text.ts'
import type { BrokenTest, Group, Section } from './text.ts'

const dim = (text: string) => styleText('dim', text)

const lineOf = ({ test, values, kind, message, location }: BrokenTest): string => {
  const what = message ?? (kind === 'hangs' ? 'did not end in time' : 'failed without a message')
  const at = location === undefined ? '' : dim(` ${printable(location)}`)
  return `  ${styleText('red', '✗')} ${printable(test)}  ${dim(values)}  ${printable(what)}${at}`
}

const detailsOf = (one: BrokenTest): string[] => [
  `      ${dim('means ')} ${meaningOf(one.values)}`,
  `      ${dim('replay')} ${printable(one.replay)}`,
  `      ${dim('accept')} ${printable(lockEntryOf(one))}`,
]

const blockOf = ({ name, question, remedy, broken }: Group, verbose: boolean): string =>
  [
    `${styleText('bold', name)}  ${question}`,
    `  ${dim('remedy')} ${remedy}`,
    ...broken.flatMap((one) => [lineOf(one), ...(verbose ? detailsOf(one) : [])]),
    ...(verbose || !broken[0] ? [] : [`  ${dim('replay')} ${printable(broken[0].replay)}`]),
  ].join('\n')

/** Most lines of a section that are shown without `--verbose`. */
const most = 20

const sectionText = ([label, lines]: Section, verbose: boolean): string => {
  const shown = verbose ? lines : lines.slice(0, most)
  const left = lines.length - shown.length
  const more = left > 0 ? [`  and ${left} more: --verbose`] : []
  return [`${label}:`, ...shown.map((line) => `  ${printable(line)}`), ...more].join('\n')
}

/** The report for a terminal: a line for each break, by assumption; with `verbose`, everything. */
export const terminalReport = (report: SweepReport, verbose: boolean): string => {
  const groups = groupsOf(report.results).map((group) => blockOf(group, verbose))
  const sections = sectionsOf(report, verbose).map((section) => sectionText(section, verbose))
  return `${[...groups, ...sections, headline(report)].join('\n\n')}\n`
}
