import { headline, linesOfBreak, summaryLines, type ReportInput } from './describe.ts'
import { withoutControls } from './without-controls.ts'

const onOneLine = (text: string): string => withoutControls(text).replaceAll(/\s+/g, ' ')

/** Text that Markdown shows as it is, on one line. */
const literal = (text: string): string => onOneLine(text).replaceAll(/[\\`*_[\]<>|#]/g, String.raw`\$&`)

/** Code on one line; the fence is longer than any in the text. */
const code = (text: string): string => {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence} ${onOneLine(text)} ${fence}`
}

const asCode = new Set(['Replay', 'At', 'Fails', 'Hangs'])

/** The report for a pull request. */
export const markdownReport = (input: ReportInput): string => {
  const blocks = input.lock.unaccepted.map((one) =>
    [
      `### ${literal(one.test)}`,
      '',
      ...linesOfBreak(one).map(([label, text]) => `- **${label}:** ${asCode.has(label) ? code(text) : literal(text)}`),
    ].join('\n'),
  )
  const summary = summaryLines(input).map(([label, text]) => `- **${literal(label)}:** ${literal(text)}`)
  return `## Sweep\n\n${headline(input)}\n\n${blocks.map((block) => `${block}\n\n`).join('')}${summary.join('\n')}\n`
}
