import type { AssumptionKey, ModelRequest } from '@guild-ledger/mock-server/assumptions'
import type { Endpoint } from '@guild-ledger/sdk/contract'
import { agreesIn, aspectsOf, parts, type Aspect, type Part } from './aspects.ts'
import type { Observation } from './constrain.ts'
import type { Copy } from './copy.ts'
import type { Domains, Solution } from './domains.ts'

/** Assumptions that a mock reads only because of the parameters of a request. */
const readFor = (copy: Copy, request: ModelRequest, part: Part, solution: Solution): AssumptionKey[] => {
  const ordinary = new Set(copy.predict(copy.plain(request), solution, part).reads)
  return copy.predict(request, solution, part).reads.filter((key) => !ordinary.has(key))
}

/**
 * The assumptions on which aspects of a part of a response depend, if the others have the values of a solution: those whose
 * other values change it, and those that its parameters are about, where a service may have a rule that is no value.
 */
export const dependencesOf = (
  { request, copies }: Observation,
  part: Part,
  solution: Solution,
  initial: Domains,
): Map<Aspect, Set<AssumptionKey>> => {
  const copy = copies.at(-1)
  const own = copy ? readFor(copy, request, part, solution) : []
  const found = new Map(aspectsOf[part].map((aspect) => [aspect, new Set(own)]))
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

/**
 * Whether some response has what the solution predicts, and would be another with another value of an assumption. One that
 * depends on what is given up shows nothing.
 */
export const isConfirmed = (
  key: AssumptionKey,
  observations: readonly Observation[],
  solution: Solution,
  initial: Domains,
  givenUp: ReadonlySet<AssumptionKey>,
): boolean =>
  observations.some((observation) => {
    const { request, observed, copies } = observation
    const copy = copies.at(-1)
    return parts.some((part) => {
      const prediction = copy?.predict(request, solution, part)
      if (!copy || !prediction?.reads.includes(key)) return false
      const { expected } = prediction
      const others = (initial.get(key) ?? []).map(
        (value) => copy.predict(request, new Map([...solution, [key, value]]), part).expected,
      )
      const telling = aspectsOf[part].filter(
        (aspect) => agreesIn(aspect, expected, observed) && others.some((other) => !agreesIn(aspect, other, expected)),
      )
      if (telling.length === 0) return false
      const hidden = copy.hidden(request, solution, part)
      const dependences = givenUp.size > 0 ? dependencesOf(observation, part, solution, initial) : undefined
      const isSure = (aspect: Aspect) => ![...(dependences?.get(aspect) ?? [])].some((one) => givenUp.has(one))
      return telling.some((aspect) => !hidden.has(aspect) && isSure(aspect))
    })
  })

/** A kind of request with a response that is not that of a solution, and the assumptions that this depends on. */
export interface Failure {
  readonly endpoint: Endpoint
  readonly place: string
  readonly keys: ReadonlySet<AssumptionKey>
}

/** What a solution does not explain. */
export const failuresOf = (
  observations: readonly Observation[],
  solution: Solution,
  initial: Domains,
): readonly Failure[] =>
  observations.flatMap((observation) => {
    const { request, observed, copies, place } = observation
    return parts.flatMap((part) => {
      const different = aspectsOf[part].filter((aspect) =>
        copies.every((copy) => {
          const { expected } = copy.predict(request, solution, part)
          return !agreesIn(aspect, expected, observed) && !copy.hidden(request, solution, part, [aspect]).has(aspect)
        }),
      )
      const found = different.length > 0 ? dependencesOf(observation, part, solution, initial) : undefined
      return different.map((aspect) => ({
        endpoint: request.endpoint,
        place,
        keys: found?.get(aspect) ?? new Set<AssumptionKey>(),
      }))
    })
  })
