import { checkedAssumptions, type AssumptionKey, type Assumptions } from '@guild-ledger/mock-server/assumptions'
import { leastOf } from '../infer/domains.ts'
import type { Change, Expectation, Finding, ProbeReport } from '../types.ts'

export const exitCodes = { done: 0, changed: 1, usage: 2, unusable: 3, unexplained: 4, withheld: 5, unchecked: 6 }

/**
 * The values that are decided.
 *
 * @throws {TypeError} A finding is about an assumption or a value that there is not.
 */
export const valuesIn = (findings: readonly Finding[]): Partial<Assumptions> => {
  const decided = findings.filter(({ verdict }) => verdict === 'decided')
  return checkedAssumptions(Object.fromEntries(decided.map(({ key, value }) => [key, value])))
}

/** What a report says of a service. Throws as `valuesIn`. */
export const expectationFrom = ({
  findings,
  inexplicable,
  kinds,
}: Pick<ProbeReport, 'findings' | 'inexplicable' | 'kinds'>): Expectation => ({
  assumptions: valuesIn(findings),
  inexplicable: [
    ...inexplicable.map(({ aspect }) => aspect),
    ...kinds.flatMap(({ kind, related }) => [kind, ...related]),
  ],
})

/**
 * What differs from an earlier probe, and what could not be checked, because other values are left, too: a number may stand
 * for others.
 */
export const comparedWith = (
  { assumptions }: Expectation,
  findings: readonly Finding[],
): Pick<ProbeReport, 'changes' | 'unchecked'> => {
  const [changes, unchecked]: [Change[], AssumptionKey[]] = [[], []]
  for (const { key, verdict, value, candidates } of findings) {
    const expected = assumptions[key]
    if (expected === undefined) continue
    if (!candidates.includes(expected) && verdict !== 'open')
      changes.push({ key, expected, now: { verdict, value, candidates } })
    const mayBeOthers = candidates.length !== 1 || leastOf(key) !== undefined
    if ((verdict === 'ambiguous' || verdict === 'open') && mayBeOthers) unchecked.push(key)
  }
  return { changes, unchecked }
}

/**
 * The exit code for a report. An assumption that an earlier probe did not decide has not changed if no value explains it now:
 * a new transaction may have shown what the service always did.
 */
export const exitCodeOf = (report: ProbeReport, expected?: Expectation): number => {
  const { changes, findings, inexplicable, kinds, unchecked } = report
  const subjects = [...inexplicable.map(({ aspect }) => aspect), ...kinds.map(({ kind }) => kind)]
  if (changes.length > 0) return exitCodes.changed
  const isNew =
    (!expected && findings.some(({ verdict }) => verdict === 'unexplained')) ||
    subjects.some((one) => !expected?.inexplicable?.includes(one))
  if (isNew) return exitCodes.unexplained
  return unchecked.length > 0 ? exitCodes.unchecked : exitCodes.done
}
