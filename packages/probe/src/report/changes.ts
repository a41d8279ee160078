import { checkedAssumptions, type AssumptionKey } from '@guild-ledger/mock-server/assumptions'
import { leastOf } from '../infer/domains.ts'
import type { Change, Expectation, Finding, ProbeReport } from '../types.ts'

/** Exit codes of the command line. */
export const exitCodes = { done: 0, changed: 1, usage: 2, unusable: 3, unexplained: 4, withheld: 5, unchecked: 6 }

/**
 * What a report says of a service.
 *
 * @throws {TypeError} It names assumptions or values that there are not.
 */
export const expectationFrom = ({
  findings,
  inexplicable,
}: Pick<ProbeReport, 'findings' | 'inexplicable'>): Expectation => {
  const known = (verdict: Finding['verdict']) => findings.filter((one) => one.verdict === verdict)
  return {
    assumptions: checkedAssumptions(Object.fromEntries(known('decided').map(({ key, value }) => [key, value]))),
    unexplained: known('unexplained').map(({ key }) => key),
    inexplicable: inexplicable.map(({ aspect }) => aspect),
  }
}

/** What differs from an earlier probe. What nothing explained then is no change. */
export const changesFrom = ({ assumptions, unexplained }: Expectation, findings: readonly Finding[]): Change[] =>
  findings.flatMap(({ key, verdict, value, candidates }) => {
    const expected = assumptions[key]
    if (expected === undefined || unexplained.includes(key)) return []
    const isSame =
      verdict === 'decided' ? value === expected : verdict !== 'unexplained' && candidates.includes(expected)
    return isSame || verdict === 'open' ? [] : [{ key, expected, now: { verdict, value, candidates } }]
  })

/** Expected values that could not be checked: others are left, too. A number may stand for others. */
export const uncheckedIn = ({ assumptions, unexplained }: Expectation, findings: readonly Finding[]): AssumptionKey[] =>
  findings.flatMap(({ key, verdict, candidates }) => {
    const isExpected = assumptions[key] !== undefined && !unexplained.includes(key)
    const isOnlyOne = candidates.length === 1 && leastOf(key) === undefined
    return isExpected && verdict !== 'decided' && verdict !== 'unexplained' && !isOnlyOne ? [key] : []
  })

/**
 * The exit code for a report. What nothing explained before is no news, wherever it shows: another ledger shows it in further
 * requests, about assumptions that were not decided.
 */
export const exitCodeOf = (
  { changes, findings, inexplicable, unchecked }: ProbeReport,
  expected?: Expectation,
): number => {
  if (changes.length > 0) return exitCodes.changed
  const isNew =
    (findings.some(({ verdict }) => verdict === 'unexplained') && !expected?.unexplained.length) ||
    inexplicable.some(({ aspect }) => !expected?.inexplicable?.includes(aspect))
  if (isNew) return exitCodes.unexplained
  return unchecked.length > 0 ? exitCodes.unchecked : exitCodes.done
}
