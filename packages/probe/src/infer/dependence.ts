import type { AssumptionKey } from '@guild-ledger/mock-server/assumptions'
import { agreesIn, aspectsOf, parts, type Aspect, type Part } from './aspects.ts'
import type { Observation } from './constrain.ts'
import type { Domains, Solution } from './domains.ts'

/** The assumptions on which aspects of a part of a response depend, if the others have the values of a solution. */
export const dependencesOf = (
  { request, copies }: Observation,
  part: Part,
  solution: Solution,
  initial: Domains,
): Map<Aspect, Set<AssumptionKey>> => {
  const found = new Map(aspectsOf[part].map((aspect) => [aspect, new Set<AssumptionKey>()]))
  const copy = copies.at(-1)
  const prediction = copy?.predict(request, solution, part)
  for (const key of prediction?.reads ?? []) {
    for (const value of initial.get(key) ?? []) {
      const other = copy?.predict(request, new Map([...solution, [key, value]]), part)
      if (!other || !prediction || other === prediction) continue
      const [{ expected }, { expected: otherwise }] = [prediction, other]
      for (const [aspect, keys] of found) {
        if (!agreesIn(aspect, expected, otherwise) || (aspect !== 'status' && expected.status !== otherwise.status))
          keys.add(key)
      }
    }
  }
  return found
}

/** Kinds of requests whose responses are not those of a solution, by the assumptions that they depend on. */
export const failingPlaces = (
  observations: readonly Observation[],
  solution: Solution,
  initial: Domains,
): Map<AssumptionKey, Set<string>> => {
  const places = new Map<AssumptionKey, Set<string>>()
  for (const observation of observations) {
    const { request, observed, copies, place } = observation
    for (const part of parts) {
      const expected = copies.at(-1)?.predict(request, solution, part).expected
      const failing = aspectsOf[part].filter((aspect) => expected && !agreesIn(aspect, expected, observed))
      if (failing.length === 0) continue
      const found = dependencesOf(observation, part, solution, initial)
      for (const key of failing.flatMap((aspect) => [...(found.get(aspect) ?? [])]))
        places.set(key, (places.get(key) ?? new Set()).add(place))
    }
  }
  return places
}
