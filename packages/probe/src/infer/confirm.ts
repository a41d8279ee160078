import type { AssumptionKey } from '@guild-ledger/mock-server/assumptions'
import type { Endpoint } from '@guild-ledger/sdk/contract'
import { agreesIn, aspectsOf, isSameIn, parts, type Aspect } from './aspects.ts'
import { dependencesOf, readFor } from './conflict.ts'
import type { Inference } from './inference.ts'
import { failingUnder } from './blame.ts'
import type { Solution, Value } from './domains.ts'
import { isKind, type Subject, type Subjects } from './kinds.ts'
import type { Observation } from './observation.ts'

/**
 * The requests that show whether a service still responds as before: they tell each value that is left alone from all others
 * of its assumption, and a few are about each thing that nothing explains, `random` ones left out.
 */
export const tellingIn = (inference: Inference, random: Subjects): ReadonlySet<Observation> => {
  const { blamed, domains, initial, observations, reference } = inference
  const failing = new Set(failingUnder(observations, reference).map(({ observation }) => observation))
  const explained = observations.filter((one) => !failing.has(one))
  /** Whether a response would be another with a value, if all others are the most probable ones. */
  const isTold = (key: AssumptionKey, value: Value, { request, copies }: Observation): boolean =>
    parts.some((part) => {
      const textUnder = (solution: Solution) => copies.at(-1)?.predict(request, solution, part).expected.text
      return textUnder({ ...reference, [key]: value }) !== textUnder(reference)
    })
  const isAbout = (subject: Subject, one: Observation): boolean =>
    isKind(subject) ? one.kinds.includes(subject) : !!initial.get(subject)?.some((value) => isTold(subject, value, one))
  const telling = new Set<Observation>()
  for (const subject of blamed.difference(random))
    for (const some of [[...failing], explained])
      for (const one of some.filter((of) => isAbout(subject, of)).slice(0, 2)) telling.add(one)
  for (const [key, [only, ...others]] of domains) {
    for (const value of others.length > 0 ? [] : (initial.get(key) ?? [])) {
      const tellsIt = (one: Observation) => value !== only && isTold(key, value, one)
      const first = explained.find(tellsIt)
      if (first && !explained.some((one) => telling.has(one) && tellsIt(one))) telling.add(first)
    }
  }
  return telling
}

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
