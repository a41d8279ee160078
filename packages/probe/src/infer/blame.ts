import type { AssumptionKey } from '@guild-ledger/mock-server/assumptions'
import type { Aspect } from './aspects.ts'
import type { Constraint, Nogood, Observation } from './constrain.ts'
import type { Domains, Solution } from './domains.ts'
import { solve } from './solve.ts'

/** A smallest set of assumptions without which the rest explains every response. */
interface Diagnosis {
  readonly given: ReadonlySet<AssumptionKey>
  readonly nogoods: readonly Nogood[]
}

/** A constraint with the assumptions it depends on, and its nogoods in terms of all of them. */
interface Claim {
  readonly keys: ReadonlySet<AssumptionKey>
  readonly nogoods: readonly Nogood[]
}

const maxNodes = 24

const isSubset = <Item>(small: ReadonlySet<Item>, large: ReadonlySet<Item>): boolean =>
  [...small].every((item) => large.has(item))

interface Source {
  readonly constraints: readonly Constraint[]
  readonly pool: readonly Solution[]
  touches(observation: Observation, reference: Solution): ReadonlyMap<Aspect, ReadonlySet<AssumptionKey>>
}

const kept = new WeakMap<Observation, ReadonlyMap<Aspect, ReadonlySet<AssumptionKey>>>()
const touchesOf = (source: Source, observation: Observation, reference: Solution) => {
  const known = kept.get(observation) ?? source.touches(observation, reference)
  kept.set(observation, known)
  return known
}

const claimOf = (source: Source, one: Constraint, reference: Solution): Claim => {
  const touched = one.isAlone ? [] : (touchesOf(source, one.observation, reference).get(one.aspect) ?? [])
  const keys = new Set([...touched, ...one.nogoods.flatMap((nogood) => [...nogood.keys()])])
  const nogoods = one.nogoods.map(
    (nogood) => new Map([...[...keys].map((key) => [key, one.domains.get(key) ?? []] as const), ...nogood]),
  )
  return { keys, nogoods }
}

/**
 * Explains contradictory responses: every smallest set of assumptions that, given up, leaves the rest without
 * contradiction (Reiter's hitting sets). What a response does not depend on is not blamed for it.
 */
export const diagnose = (source: Source, initial: Domains, random: () => number) => {
  const reference = source.pool[0] ?? new Map([...initial].map(([key, [value = null]]) => [key, value] as const))
  const inexplicable: Constraint[] = []
  const claims: Claim[] = []
  for (const one of source.constraints) {
    const claim = claimOf(source, one, reference)
    if (claim.keys.size === 0 && claim.nogoods.length > 0) inexplicable.push(one)
    else if (claim.nogoods.length > 0) claims.push(claim)
  }
  const nogoodsOf = (is: (claim: Claim) => boolean): Nogood[] => claims.filter(is).flatMap(({ nogoods }) => nogoods)
  const isPossible = (nogoods: readonly Nogood[]): boolean => solve(initial, nogoods, random) !== undefined
  const without = (given: ReadonlySet<AssumptionKey>) =>
    nogoodsOf(({ keys }) => ![...keys].some((key) => given.has(key)))

  /** A smallest set of assumptions whose own claims contradict each other. */
  const conflictAmong = (given: ReadonlySet<AssumptionKey>): AssumptionKey[] => {
    let all = [...initial.keys()].filter((key) => !given.has(key))
    for (const key of all) {
      const fewer = new Set(all.filter((one) => one !== key))
      if (!isPossible(nogoodsOf(({ keys }) => isSubset(keys, fewer)))) all = [...fewer]
    }
    return all
  }

  const diagnoses: Diagnosis[] = []
  const blamed = new Set<AssumptionKey>()
  const queue: ReadonlySet<AssumptionKey>[] = [new Set()]
  const seen = new Set<string>()
  let nodes = 0
  for (;;) {
    const given = queue.shift()
    if (!given) break
    const name = [...given].toSorted().join()
    if (seen.has(name) || diagnoses.some((one) => isSubset(one.given, given))) continue
    seen.add(name)
    const nogoods = without(given)
    if (isPossible(nogoods)) {
      diagnoses.push({ given, nogoods })
      continue
    }
    const conflict = conflictAmong(given)
    for (const key of conflict) blamed.add(key)
    if (++nodes >= maxNodes) {
      // Too many explanations: everything that any of them may give up is given up.
      for (const rest of queue) for (const key of rest) blamed.add(key)
      for (let all = new Set(blamed); ; all = new Set(blamed)) {
        if (isPossible(without(all)))
          return { blamed, inexplicable, diagnoses: [{ given: all, nogoods: without(all) }] }
        for (const key of conflictAmong(all)) blamed.add(key)
      }
    }
    for (const key of conflict) queue.push(new Set([...given, key]))
  }
  return { blamed: new Set(diagnoses.flatMap(({ given }) => [...given])), inexplicable, diagnoses }
}
