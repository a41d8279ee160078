import type { AssumptionKey } from '@guild-ledger/mock-server/assumptions'
import type { Endpoint } from '@guild-ledger/sdk/contract'
import { agreesIn, aspectsOf, isSameIn, parts, type Aspect } from './aspects.ts'
import { dependencesOf, readFor, type Keys } from './conflict.ts'
import type { Inference } from './inference.ts'
import { failingIn, type Observation } from './observation.ts'

/**
 * Whether some response of an endpoint has what the most probable solution predicts, and would be another with another value
 * of an assumption. One that depends on what is given up shows nothing.
 */
export const isConfirmed = (
  key: AssumptionKey,
  { observations, reference: solution, initial, blamed: givenUp }: Inference,
  on: readonly Endpoint[] = ['guild', 'user'],
): boolean =>
  observations.some((observation) => {
    const { request, observed, copies } = observation
    const copy = on.includes(request.endpoint) ? copies.at(-1) : undefined
    return parts.some((part) => {
      const prediction = copy?.predict(request, solution, part)
      if (!copy || !prediction?.reads.includes(key)) return false
      const { expected } = prediction
      const others = (initial.get(key) ?? []).map(
        (value) => copy.predict(request, { ...solution, [key]: value }, part).expected,
      )
      const telling = aspectsOf[part].filter(
        (aspect) => isSameIn(aspect, expected, observed) && others.some((other) => !agreesIn(aspect, other, expected)),
      )
      return copy
        .shown(request, solution, part, telling)
        .some((aspect) => dependencesOf(observation, part, aspect, solution, initial, givenUp).size === 0)
    })
  })

/** A response that is not that of a solution, and the assumptions that this depends on. */
export interface Failure {
  readonly observation: Observation
  readonly aspect: Aspect
  readonly keys: Keys
  /** Assumptions that an ordinary request does not depend on. */
  readonly about: readonly AssumptionKey[]
}

/** What the most probable solution does not explain. */
export const failuresOf = ({ observations, reference, initial }: Inference): Failure[] =>
  observations.flatMap((observation) =>
    parts.flatMap((part) =>
      failingIn(observation, part, reference).map((aspect) => ({
        observation,
        aspect,
        keys: dependencesOf(observation, part, aspect, reference, initial),
        about: observation.copies.slice(-1).flatMap((copy) => readFor(copy, observation.request, part, reference)),
      })),
    ),
  )
