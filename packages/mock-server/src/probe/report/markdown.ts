import type { ProbeReport } from '../types.ts'
import { changeText, costText, expectationText, proofText, reasonText, sortedFindings, valueText } from './describe.ts'

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** The report for people: an issue, or the summary of a job. */
export const probeMarkdownReport = (report: ProbeReport): string => {
  const rows = sortedFindings(report).map(
    (finding) =>
      `| \`${finding.key}\` | ${finding.verdict} | ${cell(valueText(finding))} | ${cell(reasonText(finding))} |`,
  )
  const changes = report.changes.map((change) => `- ${changeText(change)}`)
  const unexplained = report.unexplained.map(({ request, aspect }) => `- \`${aspect}\` of \`${request}\``)
  return `${[
    '# Probe',
    '',
    `${costText(report)} ${proofText(report)} ${expectationText(report)}`.trimEnd(),
    '',
    ...(changes.length > 0 ? ['## Changes', '', ...changes, ''] : []),
    '## Assumptions',
    '',
    '| assumption | verdict | value | evidence |',
    '| --- | --- | --- | --- |',
    ...rows,
    ...(unexplained.length > 0 ? ['', '## Responses that no value explains', '', ...unexplained] : []),
  ].join('\n')}\n`
}
