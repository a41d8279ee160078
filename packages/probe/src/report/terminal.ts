import type { Finding, ProbeReport } from '../types.ts'

/** What is known of an assumption. */
export const stateOf = ({ verdict, value, candidates }: Finding): string => {
  if (verdict === 'decided') return String(value)
  if (verdict === 'unexplained') return value === undefined ? '' : `nearest: ${String(value)}`
  const list = candidates.map(String).join(', ')
  return candidates.length > 1 ? `one of ${list}` : list && `only ${list} is left`
}

/** Why it is not more. */
export const reasonOf = ({ key, verdict, value, needs, unexplained = [] }: Finding): string => {
  if (verdict !== 'unexplained') return needs === undefined ? '' : `needs ${needs}`
  const where = `no value explains ${unexplained.slice(0, 6).join('; ') || 'the responses'}`
  return value === undefined ? where : `${where}; start the mock with --assume ${key}=${String(value)} for the nearest`
}

/** One sentence for each thing that a reader must not overlook. */
export const remarksOf = (report: ProbeReport): string[] => {
  const { findings, requests, isWindow, changes, unchecked, unusable } = report
  const { compared, different } = report.comparison
  const decided = findings.filter(({ verdict }) => verdict === 'decided').length
  const remarks = [
    `${decided} of ${findings.length} assumptions decided, ${requests.sent} requests in ${report.seconds} s, ${report.transactions} transactions read${isWindow ? ' (only the oldest)' : ''}.`,
    unusable === undefined
      ? `${requests.verification} of these requests tested the result. The most probable values explain ${compared - different} of ${compared} responses.`
      : `Nothing could be inferred: ${unusable}.`,
    ...report.inexplicable.slice(0, 5).map(({ request, aspect }) => `Nothing explains ${aspect} of ${request}.`),
    ...changes.map(
      ({ key, expected, now }) =>
        `Changed: ${key} was ${String(expected)}, is ${now.verdict === 'decided' ? String(now.value) : now.verdict}.`,
    ),
    unchecked.length > 0 && `Not checked, because the ledger cannot show it: ${unchecked.join(', ')}.`,
  ]
  return remarks.filter((one) => one !== false)
}

/** The report as a table for a terminal. */
export const terminalReport = (report: ProbeReport): string => {
  const rows = report.findings.map((finding) => [finding.key, finding.verdict, stateOf(finding), reasonOf(finding)])
  const widths = [0, 1, 2].map((i) => Math.min(40, Math.max(...rows.map((row) => row[i]?.length ?? 0))))
  const lines = rows.map((row) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  '))
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n\n${remarksOf(report).join('\n')}\n`
}
