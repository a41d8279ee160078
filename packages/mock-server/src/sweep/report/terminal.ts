import { styleText } from 'node:util'
import { headline, linesOfBreak, lockEntryOf, summaryLines, type ReportInput } from './describe.ts'

// What a test prints may hold commands for a terminal.
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u001F\u007F-\u009F]/g
const safe = (text: string): string => text.replaceAll(control, ' ')

/** The report for a terminal. */
export const terminalReport = (input: ReportInput): string => {
  const blocks = input.lock.unaccepted.map((one) =>
    [
      `${styleText('red', '✗')} ${styleText('bold', safe(one.test))}`,
      ...linesOfBreak(one).map(([label, text]) => `  ${styleText('dim', label.padEnd(7))} ${safe(text)}`),
      `  ${styleText('dim', 'Accept ')} ${safe(lockEntryOf(one))}`,
    ].join('\n'),
  )
  const summary = summaryLines(input).map(([label, text]) => `${label}:\n  ${safe(text)}`)
  return `${[headline(input), ...blocks, ...summary].join('\n\n')}\n`
}
