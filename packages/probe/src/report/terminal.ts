import type { Finding, ProbeReport } from '../types.ts'

/** What is known of an assumption. */
export const stateOf = ({ verdict, value, candidates }: Finding): string => {
  if (verdict === 'decided') return String(value)
  if (verdict === 'unexplained') return value === undefined ? '' : `nearest: ${String(value)}`
  const list = candidates.map(String).join(', ')
  return candidates.length > 1 ? `one of ${list}` : list && `only ${list} is left`
}

/** Why it is not more: a sentence. */
export const reasonOf = ({ verdict, except = [], needs, unexplained = [] }: Finding): string => {
  if (verdict === 'decided') return except.length === 0 ? '' : `Not for ${except.slice(0, 4).join(', ')}, which no value explains.`
  if (verdict !== 'unexplained') return needs ?? ''
  const [first] = unexplained
  const count = unexplained.length === 1 ? 'the response' : `${unexplained.length} responses`
  return first === undefined ? 'No value explains all responses.' : `No value explains ${count}, such as to ${first}.`
}

/** One sentence for each thing that a reader must not overlook. */
export const remarksOf = (report: ProbeReport): string[] => {
  const { findings, requests, isWindow, changes, unchecked, unusable } = report
  const { explained, inPart, different } = report.comparison
  const decided = findings.filter(({ verdict }) => verdict === 'decided').length
  const remarks = [
    `${decided} of ${findings.length} assumptions decided, ${requests.sent} requests in ${report.seconds} s, ${report.transactions} transactions read${isWindow ? ' (only the oldest)' : ''}.`,
    unusable === undefined
      ? `${requests.verification} of these requests tested the result. The most probable values explain ${explained} of ${explained + inPart + different} responses.${inPart > 0 ? ` ${inPart} more are the same as far as they can be compared.` : ''} ${different} are different.`
      : `Nothing could be inferred: ${unusable}.`,
    ...report.kinds.map(
      ({ kind, requests: [first, ...more] }) =>
        `No value explains what the service does with ${kind}: ${more.length + 1} ${more.length > 0 ? 'requests' : 'request'}, such as ${first}.`,
    ),
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
