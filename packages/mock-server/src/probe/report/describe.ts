import { assume } from '../../assumptions/index.ts'
import type { ProbeChange, ProbeFinding, ProbeReport, ProbeVerdict } from '../types.ts'

const order: readonly ProbeVerdict[] = ['outside', 'decided', 'consistent', 'open', 'skipped', 'unobservable']

const listOf = (values: ProbeFinding['candidates']): string =>
  values.length > 6
    ? `${values.slice(0, 3).map(String).join(', ')} … ${String(values.at(-1))}`
    : values.map(String).join(', ')

/** What was found, in a few words. */
export const valueText = ({ key, verdict, value, candidates, observed }: ProbeFinding): string => {
  if (verdict === 'decided') return String(value)
  if (verdict === 'outside') return observed ?? 'no value explains it'
  if (value !== undefined) return `${String(value)}, not proven`
  if (candidates.length === 0) return observed ?? ''
  const { [key]: unset } = assume({})
  const isExcluded = verdict === 'consistent' && !candidates.includes(unset)
  return `${candidates.length === 1 ? 'only' : 'one of'} ${listOf(candidates)}${isExcluded ? `, not the default ${String(unset)}` : ''}`
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
  `${key}: expected ${String(expected)}, now ${valueText(finding) || 'no value explains it'}`

/** How many expected values were checked and how many differ, as one sentence; empty if none were given. */
export const expectationText = ({ expectation, changes }: ProbeReport): string => {
  if (!expectation) return ''
  const { values, unchecked } = expectation
  const differing = changes.length
  if (unchecked.length === 0) return `${differing} of ${values} expected values differ.`
  const checked = values - unchecked.length
  return `${checked} of ${values} expected values were checked, ${differing} of these differ; not checked: ${unchecked.join(', ')}.`
}

/** What it took, as a sentence. */
export const costText = ({ requests, transactions, isWindow, findings }: ProbeReport): string => {
  const decided = findings.filter(({ verdict }) => verdict === 'decided').length
  const unproven = findings.filter(({ verdict, value }) => verdict !== 'decided' && value !== undefined).length
  const values = unproven === 0 ? '' : `, ${unproven} with a value that is not proven`
  return `${decided} of ${findings.length} assumptions decided${values}, ${requests.sent} requests in ${requests.seconds} s, ${transactions} transactions read${isWindow ? ', the oldest of a larger ledger' : ''}.`
}

/** How the mock compares, as a sentence. */
export const proofText = ({ proof, hasShrunk, isEmpty }: ProbeReport): string => {
  if (hasShrunk) return 'The ledger lost transactions while it was probed: nothing is decided. Probe again.'
  if (isEmpty) return 'The ledger is empty: most assumptions need transactions. Probe again when there are some.'
  if (proof.compared + proof.different === 0) return 'The mock was not compared with the service.'
  return `${proof.requests} of these requests compared a mock with these values: ${proof.different} of ${proof.compared} parts differ.`
}
