import type { AssumptionKey } from '@guild-ledger/mock-server/assumptions'
import type { Conflict, Keys } from './conflict.ts'
import type { Domains } from './domains.ts'
import { solve } from './solve.ts'

/** With more sets of assumptions than these to choose from, all of them are given up. */
const maxSets = 24

/** A smallest set of assumptions whose own conflicts leave nothing possible. */
const coreOf = (conflicts: readonly Conflict[], initial: Domains, given: Keys): Set<AssumptionKey> => {
  const isPossible = (keys: Keys): boolean => {
    const own = conflicts.filter((one) => !one.isInexplicable && [...one.depends()].every((key) => keys.has(key)))
    return (
      solve(
        initial,
        own.map(({ nogood }) => nogood),
      ) !== undefined
    )
  }
  let core = new Set([...initial.keys()].filter((key) => !given.has(key)))
  for (const key of core) {
    const fewer = new Set([...core].filter((one) => one !== key))
    if (!isPossible(fewer)) core = fewer
  }
  return core
}

/**
 * Explains contradictory responses: every set of assumptions that, given up, leaves the rest without contradiction, if no
 * smaller set does (Reiter's hitting sets). `conflicts` may grow while possible sets are looked for.
 */
export const diagnose = (
  conflicts: readonly Conflict[],
  initial: Domains,
  isPossible: (given: Keys) => boolean,
): Keys[] => {
  for (let sets: readonly Keys[] = [new Set()]; ;) {
    const possible = sets.filter((given) => isPossible(given))
    if (possible.length > 0) return possible
    const larger = sets.flatMap((given) =>
      [...coreOf(conflicts, initial, given)].map((key) => new Set([...given, key])),
    )
    const distinct = [...new Map(larger.map((given) => [[...given].toSorted().join(), given])).values()]
    if (distinct.length === 0) return [new Set(initial.keys())]
    sets = distinct.length > maxSets ? [new Set(distinct.flatMap((given) => [...given]))] : distinct
  }
}
