import type { ProbeReport } from '../types.ts'
import { changeText, costText, expectationText, proofText, reasonText, sortedFindings, valueText } from './describe.ts'

/** The report as a table for a terminal. */
export const probeTerminalReport = (report: ProbeReport): string => {
  const rows = sortedFindings(report).map((finding) => [
    finding.key,
    finding.verdict,
    valueText(finding),
    reasonText(finding),
  ])
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const changes = report.changes.map((change) => `Changed  ${changeText(change)}`)
  const unexplained = report.unexplained
    .slice(0, 10)
    .map(({ request, aspect }) => `Unexplained  ${aspect} of ${request}`)
  const expectation = expectationText(report)
  return `${[...lines, '', ...changes, ...unexplained, costText(report), proofText(report), ...(expectation === '' ? [] : [expectation])].join('\n')}\n`
}
