import type { AssumptionKey } from '@guild-ledger/mock-server/assumptions'
import type { Endpoint } from '@guild-ledger/sdk/contract'
import { agreesIn, aspectsOf, isSameIn, parts, type Aspect } from './aspects.ts'
import { dependencesOf, readFor } from './conflict.ts'
import type { Inference } from './inference.ts'
import { failingUnder } from './blame.ts'
import type { Subject, Subjects } from './kinds.ts'
import type { Observation } from './observation.ts'

/** Whether a request tells values of an assumption apart, if the others have the most probable ones. */
export const isTelling = (
  key: AssumptionKey,
  { request, copies }: Observation,
  { initial, reference }: Inference,
): boolean =>
  parts.some((part) => {
    const texts = initial.get(key)?.map((value) => {
      return copies.at(-1)?.predict(request, { ...reference, [key]: value }, part).expected.text
    })
    return new Set(texts).size > 1
  })

/**
 * What stands in the way of every response that shows a value: those of an endpoint that have what the most probable solution
 * predicts, and would be others with another value, but depend on what is given up. Empty if one of them depends on nothing
 * of the kind; `undefined` if there is none.
 */
export const obstaclesTo = (
  key: AssumptionKey,
  { observations, reference: solution, initial, blamed: givenUp }: Inference,
  on: readonly Endpoint[] = ['guild', 'user'],
): readonly Subject[] | undefined => {
  let least: readonly Subject[] | undefined
  for (const observation of observations) {
    const { request, observed, copies } = observation
    const copy = on.includes(request.endpoint) ? copies.at(-1) : undefined
    for (const part of parts) {
      const prediction = copy?.predict(request, solution, part)
      if (!copy || !prediction?.reads.includes(key)) continue
      const { expected } = prediction
      const others = (initial.get(key) ?? []).map(
        (value) => copy.predict(request, { ...solution, [key]: value }, part).expected,
      )
      const telling = aspectsOf[part].filter(
        (aspect) => isSameIn(aspect, expected, observed) && others.some((other) => !agreesIn(aspect, other, expected)),
      )
      for (const aspect of copy.shown(request, solution, part, telling)) {
        const found = dependencesOf(observation, part, aspect, solution, initial, givenUp)
        if (found.size === 0) return []
        if (!least || found.size < least.length) least = [...found]
      }
    }
  }
  return least
}

/** Whether some response shows the value of an assumption. */
export const isConfirmed = (...args: Parameters<typeof obstaclesTo>): boolean => obstaclesTo(...args)?.length === 0

/** A response that is not that of a solution, and the assumptions that this depends on. */
export interface Failure {
  readonly observation: Observation
  readonly aspect: Aspect
  readonly keys: Subjects
  /** Assumptions that an ordinary request does not depend on. */
  readonly about: readonly AssumptionKey[]
  /** What is given up, and explains why it is another. */
  readonly excuses: readonly Subject[]
}

/** What the most probable solution does not explain. */
export const failuresOf = ({ observations, reference, initial, blamed }: Inference): Failure[] =>
  failingUnder(observations, reference).map(({ observation, part, aspect }) => {
    const keys = dependencesOf(observation, part, aspect, reference, initial)
    return {
      observation,
      aspect,
      keys,
      about: observation.copies.slice(-1).flatMap((copy) => readFor(copy, observation.request, part, reference)),
      excuses: [...keys].filter((one) => blamed.has(one)).toSorted(),
    }
  })
