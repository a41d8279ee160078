import type { Change, Finding, ProbeReport } from '../types.ts'

/** What is known of an assumption. */
export const stateOf = ({ verdict, value, candidates }: Finding): string => {
  if (verdict === 'decided') return String(value)
  if (verdict === 'unexplained') return value === undefined ? '' : `nearest: ${String(value)}`
  const list = candidates.map(String).join(', ')
  if (candidates.length > 1) return `one of ${list}`
  // Of numbers, not each is named.
  return list && (verdict === 'unproven' ? `only ${list} is left` : `${list}, or another number`)
}

/** Why it is not more: a sentence. */
export const reasonOf = ({ verdict, except = [], needs, unexplained = [] }: Finding): string => {
  if (verdict === 'decided')
    return except.length === 0 ? '' : `Not for ${except.slice(0, 4).join(', ')}, which no value explains.`
  if (verdict !== 'unexplained') return needs ?? ''
  const [first] = unexplained
  const count = unexplained.length === 1 ? 'the response' : `${unexplained.length} responses`
  return first === undefined ? 'No value explains all responses.' : `No value explains ${count}, such as to ${first}.`
}

export const changeText = ({ key, expected, now }: Change): string =>
  `Changed: ${key} was ${String(expected)}, is ${now.verdict === 'decided' ? String(now.value) : now.verdict}.`

/** What no value explains, beside the assumptions. */
export const unexplainedText = ({ kinds, inexplicable, unsteady }: ProbeReport): string[] => [
  ...unsteady
    .slice(0, 1)
    .map(
      (one) =>
        `The service responded to ${one} in two ways: it has changed meanwhile, or several versions respond. Probe it again.`,
    ),
  ...kinds.map(
    ({ kind, requests: [first, ...more] }) =>
      `No value explains what the service does with ${kind}: ${more.length + 1} ${more.length > 0 ? 'requests' : 'request'}, such as ${first}.`,
  ),
  ...inexplicable.slice(0, 5).map(({ request, aspect }) => `Nothing explains ${aspect} of ${request}.`),
]

/** One sentence for each thing that a reader must not overlook. */
export const remarksOf = (report: ProbeReport): string[] => {
  const { findings, requests, isWindow, changes, unchecked, unusable } = report
  const { explained, inPart, different } = report.comparison
  const decided = findings.filter(({ verdict }) => verdict === 'decided').length
  const window = isWindow ? ' (only the oldest)' : ''
  const remarks = [
    `${decided} of ${findings.length} assumptions decided, ${requests.sent} requests in ${report.seconds} s, ${report.transactions} transactions read${window}.`,
    unusable === undefined
      ? `${requests.verification} of these requests tested the result.`
      : `Nothing could be inferred: ${unusable}.`,
    unusable === undefined &&
      `Of ${explained + inPart + different} responses, the most probable values explain ${explained}. ${inPart} agree as far as they could be compared. ${different} differ.`,
    ...unexplainedText(report),
    ...changes.map(changeText),
    unchecked.length > 0 && `Not checked, because the ledger cannot show it: ${unchecked.join(', ')}.`,
  ]
  return remarks.filter((one) => one !== false)
}

/** Lines of at most so many characters, unless a word is longer. */
const wrapped = (text: string, width: number): string[] => {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = [...lines.slice(-1), word].join(' ')
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

const gap = '  '
const widest = 40
const narrowest = 24

/** The report as a table for a terminal of so many columns: what is wider is continued on the next line. */
export const terminalReport = (report: ProbeReport, columns = Infinity): string => {
  const rows = report.findings.map((finding) => [finding.key, finding.verdict, stateOf(finding), reasonOf(finding)])
  const longest = (i: number) => Math.max(...rows.map((row) => row[i]?.length ?? 0))
  const used = longest(0) + longest(1) + 3 * gap.length
  const state = Math.min(widest, longest(2), Math.max(narrowest, Math.floor((columns - used) / 3)))
  const widths = [longest(0), longest(1), state, Math.max(narrowest, columns - used - state)]
  const lines = rows.flatMap((row) => {
    const cells = row.map((cell, i) => wrapped(cell, widths[i] ?? Infinity))
    const height = Math.max(...cells.map(({ length }) => length))
    return Array.from({ length: height }, (_, line) =>
      cells
        .map((cell, i) => (cell[line] ?? '').padEnd(i < 3 ? (widths[i] ?? 0) : 0))
        .join(gap)
        .trimEnd(),
    )
  })
  const remarks = remarksOf(report).flatMap((one) => wrapped(one, columns))
  return `${lines.join('\n')}\n\n${remarks.join('\n')}\n`
}
