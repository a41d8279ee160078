import type { AssumptionKey } from '@guild-ledger/mock-server/assumptions'
import { amounts, type Conflict, type Keys } from './conflict.ts'
import type { Domains, Solution, Value } from './domains.ts'
import { solve } from './solve.ts'

/** A way to explain all responses. */
export interface Explanation {
  /** Assumptions whose values are given up: nothing that depends on them counts. */
  readonly given: Keys
  /** The values that each assumption may have. */
  readonly domains: Map<AssumptionKey, readonly Value[]>
  /** Solutions: each possible value is in one of them. */
  readonly pool: readonly Solution[]
}

/** With more sets of assumptions than these to choose from, all of them are given up. */
const maxSets = 300

/** A smallest set of assumptions whose own conflicts leave nothing possible. */
const coreOf = (conflicts: readonly Conflict[], domains: Domains, given: Keys): Set<AssumptionKey> => {
  const isPossible = (keys: Keys): boolean => {
    const isOwn = (one: Conflict) => !one.isInexplicable && [...one.depends()].every((key) => keys.has(key))
    const nogoods = conflicts.flatMap((one) => (isOwn(one) ? [one.nogood] : []))
    return solve(domains, nogoods) !== undefined
  }
  let core = new Set([...domains.keys(), amounts].filter((key) => !given.has(key)))
  for (const key of core) {
    const fewer = new Set([...core].filter((one) => one !== key))
    if (!isPossible(fewer)) core = fewer
  }
  return core
}

/** Larger sets to give up: those that explain nothing, each with one more of the assumptions that are contradictory. */
export const largerSets = (starts: readonly Explanation[], conflicts: readonly Conflict[]): Keys[] => {
  const larger = starts.flatMap(({ given, domains }) =>
    [...coreOf(conflicts, domains, given)].map((key) => new Set([...given, key])),
  )
  const distinct = [...new Map(larger.map((given) => [[...given].toSorted().join(), given])).values()]
  return distinct.length > maxSets ? [new Set(distinct.flatMap((given) => [...given]))] : distinct
}
