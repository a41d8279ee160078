import {
  alternativesTo,
  recordReads,
  type Alternative,
  type AssumptionKey,
  type Assumptions,
} from '../assumptions/index.ts'
import type { Decision } from './decision.ts'

/**
 * The other values, one at a time, under which a decision would have been another. Faults and stubs depend on none.
 * The option `explain` names their assumptions; a trace has them as they are. The assumptions that the code reads would be
 * too many: every request reads the one about ties.
 */
export const dependenciesOf = (decision: Decision, current: Assumptions): readonly Alternative[] => {
  const { resultUnder, limiterDependsOn = [] } = decision
  if (!resultUnder) return limiterDependsOn
  const read = new Set<AssumptionKey>()
  const actual = JSON.stringify(resultUnder(recordReads(current, read)))
  const others = alternativesTo(current).filter(
    ({ key, value }) => read.has(key) && JSON.stringify(resultUnder({ ...current, [key]: value })) !== actual,
  )
  return [...limiterDependsOn, ...others]
}

/** The values of the assumptions that a decision depends on, for `explain`; `undefined` if there are none. */
export const explained = (decision: Decision, current: Assumptions): Partial<Assumptions> | undefined => {
  const entries = dependenciesOf(decision, current).map(({ key }) => [key, current[key]] as const)
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}
