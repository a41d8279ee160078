import type { AssumptionKey } from '@guild-ledger/mock-server/assumptions'
import { aspectsOf, parts } from './aspects.ts'
import type { Constraint, Nogood } from './constrain.ts'
import { dependencesOf } from './dependence.ts'
import type { Domains, Solution } from './domains.ts'
import { solve } from './solve.ts'

/** What a constraint says: the assumptions it depends on, and its nogoods in terms of all of them. */
interface Claim {
  readonly keys: ReadonlySet<AssumptionKey>
  readonly nogoods: readonly Nogood[]
}

/** With more sets of assumptions than these to choose from, all of them are given up. */
const maxSets = 24
/** So many combinations of values that contradict a response are looked at to find out what it depends on. */
const maxPlaces = 40

const kept = new WeakMap<Constraint, Claim>()

/** What a constraint says, with everything that it depends on. */
const claimOf = (one: Constraint, initial: Domains, reference: Solution): Claim => {
  const known = kept.get(one)
  if (known) return known
  const places = one.isAlone ? [] : one.nogoods.slice(0, maxPlaces)
  const part = parts.find((some) => aspectsOf[some].includes(one.aspect)) ?? 'data'
  const touched = places.flatMap((nogood) => {
    const chosen = [...nogood].map(([key, [value = null]]) => [key, value] as const)
    const found = dependencesOf(one.observation, part, new Map([...reference, ...chosen]), initial)
    return [...(found.get(one.aspect) ?? [])]
  })
  const keys = new Set([...touched, ...one.nogoods.flatMap((nogood) => [...nogood.keys()])])
  const nogoods = one.nogoods.map(
    (nogood) => new Map([...[...keys].map((key) => [key, one.domains.get(key) ?? []] as const), ...nogood]),
  )
  const claim = { keys, nogoods }
  kept.set(one, claim)
  return claim
}

/**
 * Explains contradictory responses: every set of assumptions that, given up, leaves the rest without contradiction, if no
 * smaller set does (Reiter's hitting sets). What a response does not depend on is not blamed for it.
 */
export const diagnose = (
  constraints: readonly Constraint[],
  initial: Domains,
  reference: Solution,
  random: () => number,
) => {
  const all = constraints.map((constraint) => ({ constraint, claim: claimOf(constraint, initial, reference) }))
  const inexplicable = all.flatMap(({ constraint, claim }) => (claim.keys.size === 0 ? [constraint] : []))
  // Where an aspect of an endpoint has no explanation at all, it says nothing in other requests either.
  const placeOf = ({ aspect, observation }: Constraint) => `${aspect} ${observation.request.endpoint}`
  const hopeless = new Set(inexplicable.map(placeOf))
  const claims = all.flatMap(({ constraint, claim }) => (hopeless.has(placeOf(constraint)) ? [] : [claim]))
  /** What responses contradict that depend only on some assumptions. */
  const nogoodsOf = (keys: ReadonlySet<AssumptionKey>): Nogood[] =>
    claims.flatMap((claim) => ([...claim.keys].every((key) => keys.has(key)) ? claim.nogoods : []))
  const without = (given: Iterable<AssumptionKey>): Set<AssumptionKey> => {
    const keys = new Set(initial.keys())
    for (const key of given) keys.delete(key)
    return keys
  }
  const isPossible = (keys: ReadonlySet<AssumptionKey>): boolean =>
    solve(initial, nogoodsOf(keys), random) !== undefined
  /** A smallest set of assumptions whose own claims contradict each other. */
  const conflictIn = (keys: ReadonlySet<AssumptionKey>): ReadonlySet<AssumptionKey> => {
    let conflict = keys
    for (const key of keys) {
      const fewer = new Set([...conflict].filter((one) => one !== key))
      if (!isPossible(fewer)) conflict = fewer
    }
    return conflict
  }
  let isComplete = true
  for (let sets: readonly (readonly AssumptionKey[])[] = [[]]; ;) {
    const possible = sets.filter((given) => isPossible(without(given)))
    if (possible.length > 0) {
      const diagnoses = possible.map((given) => ({ given: new Set(given), nogoods: nogoodsOf(without(given)) }))
      return { blamed: new Set(possible.flat()), inexplicable, diagnoses, isComplete }
    }
    const larger = sets.flatMap((given) => [...conflictIn(without(given))].map((key) => [...given, key].toSorted()))
    const distinct = [...new Map(larger.map((given) => [given.join(), given])).values()]
    isComplete = distinct.length <= maxSets
    sets = distinct.length > maxSets ? [[...new Set(distinct.flat())]] : distinct
  }
}
