import { styleText } from 'node:util'
import { headline, linesOfBreak, lockEntryOf, summaryLines, type ReportInput } from './describe.ts'
import { withoutControls } from './without-controls.ts'

/** The report for a terminal. */
export const terminalReport = (input: ReportInput): string => {
  const blocks = input.lock.unaccepted.map((one) =>
    [
      `${styleText('red', '✗')} ${styleText('bold', withoutControls(one.test))}`,
      ...linesOfBreak(one).map(([label, text]) => `  ${styleText('dim', label.padEnd(7))} ${withoutControls(text)}`),
      `  ${styleText('dim', 'Accept ')} ${withoutControls(lockEntryOf(one))}`,
    ].join('\n'),
  )
  const summary = summaryLines(input).map(([label, text]) => `${label}:\n  ${withoutControls(text)}`)
  return `${[headline(input), ...blocks, ...summary].join('\n\n')}\n`
}
