import type { SweepReport } from './report.ts'
import { groupsOf, headline, printable, sectionsOf } from './text.ts'

const onOneLine = (text: string): string => printable(text).replaceAll(/\s+/g, ' ')

/** Text that Markdown shows as it is, on one line. */
const literal = (text: string): string => onOneLine(text).replaceAll(/[\\`*_[\]<>|#]/g, String.raw`\$&`)

/** Code on one line; the fence is longer than any in the text. */
const code = (text: string): string => {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence} ${onOneLine(text)} ${fence}`
}

/** The report for a pull request. */
export const markdownReport = (report: SweepReport): string => {
  const groups = groupsOf(report.results).map(({ name, question, remedy, broken }) =>
    [
      `### ${literal(name)}`,
      `${literal(question)} ${literal(remedy)}`,
      broken
        .map(({ test, values, message = 'no message', location, replay }) => {
          const at = location === undefined ? '' : ` at ${code(location)}`
          return `- ${literal(test)} under ${code(values)}: ${code(message)}${at}\n  - ${code(replay)}`
        })
        .join('\n'),
    ].join('\n\n'),
  )
  const sections = sectionsOf(report, false).map(
    ([label, lines]) => `**${label}**\n\n${lines.map((line) => `- ${literal(line)}`).join('\n')}`,
  )
  return `${['## Sweep', headline(report), ...groups, ...sections].join('\n\n')}\n`
}
