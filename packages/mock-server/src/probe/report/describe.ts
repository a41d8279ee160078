import type { ProbeChange, ProbeFinding, ProbeReport, ProbeVerdict } from '../types.ts'

const order: readonly ProbeVerdict[] = ['outside', 'decided', 'consistent', 'open', 'skipped', 'unobservable']

const listOf = (values: ProbeFinding['candidates']): string =>
  values.length > 6
    ? `${values.slice(0, 3).map(String).join(', ')} … ${String(values.at(-1))}`
    : values.map(String).join(', ')

/** What was found, in a few words. */
export const valueText = ({ verdict, value, candidates, observed }: ProbeFinding): string => {
  if (verdict === 'decided') return String(value)
  if (verdict === 'outside') return observed ?? 'no value explains it'
  return candidates.length === 0 ? '' : `one of ${listOf(candidates)}`
}

/** What would decide it, or on what it rests. */
export const reasonText = ({ verdict, needs, evidence }: ProbeFinding): string => {
  if (verdict !== 'decided') return needs === undefined ? '' : `needs ${needs}`
  return evidence.length === 0 ? '' : `${evidence.length} ${evidence.length === 1 ? 'request' : 'requests'}`
}

/** The findings, what matters most first. */
export const sortedFindings = ({ findings }: ProbeReport): ProbeFinding[] =>
  findings.toSorted((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict))

/** One sentence for a change. */
export const changeText = ({ key, expected, finding }: ProbeChange): string =>
  `${key}: expected ${String(expected)}, now ${finding.verdict === 'decided' ? String(finding.value) : valueText(finding)}`

/** What it took, as a sentence. */
export const costText = ({ requests, transactions, isWindow, findings }: ProbeReport): string => {
  const decided = findings.filter(({ verdict }) => verdict === 'decided').length
  return `${decided} of ${findings.length} assumptions decided, ${requests.sent} requests in ${requests.seconds} s, ${transactions} transactions read${isWindow ? ', the oldest of a larger ledger' : ''}.`
}

/** How the mock compares, as a sentence. */
export const proofText = ({ proof, hasShrunk }: ProbeReport): string => {
  if (hasShrunk) return 'The ledger lost transactions while it was probed: nothing is decided. Probe again.'
  if (proof.requests === 0) return 'The mock was not compared with the service.'
  return `A mock with these values was compared on ${proof.requests} further requests: ${proof.different} of ${proof.compared} parts differ.`
}
