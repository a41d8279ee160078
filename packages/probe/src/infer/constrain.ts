import type { AssumptionKey, ModelRequest } from '@guild-ledger/mock-server/assumptions'
import { agreesIn, parts, type Aspect, type Aspects, type Group, type Part } from './aspects.ts'
import type { Copy } from './copy.ts'
import type { Domains, Solution, Value } from './domains.ts'

/** A response to a request, and the ledgers that it may be about: several if transactions were added meanwhile. */
export interface Observation {
  readonly request: ModelRequest
  readonly observed: Aspects
  /** The data of the response. */
  readonly groups: readonly Group[]
  readonly copies: readonly Copy[]
  /** Where a request differs in kind from others. */
  readonly place: string
}

/** The same response, about other ledgers. */
export const withCopies = (observation: Observation, copies: readonly Copy[]): Observation => ({
  ...observation,
  copies,
})

/** The integers in a request and its response that an assumption may be about. */
export const numbersIn = ({ request: { query = {} }, observed, groups }: Observation): number[] => {
  const numbers = [
    query['page'],
    query['limit'],
    observed.of('page'),
    observed.of('limit'),
    groups.reduce((sum, { transactions }) => sum + transactions.length, 0),
  ]
    .flat()
    .map(Number)
  return numbers.flatMap((number) => (Number.isSafeInteger(number) ? [number - 1, number] : []))
}

/** Values that together contradict a response: each assumption has one of those listed with it. */
export type Nogood = ReadonlyMap<AssumptionKey, readonly Value[]>

/** What one aspect of one response leaves possible: everything but the nogoods. */
export interface Constraint {
  readonly observation: Observation
  readonly aspect: Aspect
  readonly nogoods: readonly Nogood[]
  /** The values that were possible: of others nothing is known. */
  readonly domains: Domains
  /** Whether only the assumptions of its nogoods can be wrong. */
  readonly isAlone?: true
}

/** More combinations than this are not tried: the response is not used then. */
const maxLeaves = 3000

/**
 * The aspects of a part that no ledger explains, or an assumption on which this depends and that is open. Where variants of a ledger
 * differ, everything is explained.
 */
const failuresUnder = (
  { request, observed, copies }: Observation,
  part: Part,
  solution: Solution,
  aspects: readonly Aspect[],
  isOpen: (key: AssumptionKey) => boolean,
): readonly Aspect[] | AssumptionKey => {
  let failing = aspects
  for (const copy of copies) {
    const prediction = copy.predict(request, solution, part)
    const open = prediction.reads.find(isOpen)
    if (open !== undefined) return open
    failing = failing.filter((aspect) => !agreesIn(aspect, prediction.expected, observed))
    if (failing.length === 0) return failing
    const hidden = copy.hidden(request, solution, part, failing)
    failing = failing.filter((aspect) => !hidden.has(aspect))
    if (failing.length === 0) return failing
  }
  return failing
}

/** Which values contradict an aspect: none (0), all (1), or it depends on an assumption. */
interface Decision {
  readonly key: AssumptionKey
  readonly branches: readonly (readonly [Value, number])[]
}

/** Decisions, each once, so that equal ones have equal numbers. */
class Decisions {
  readonly #all: (Decision | undefined)[] = [undefined, undefined]
  readonly #numbers = new Map<string, number>()

  add(key: AssumptionKey, branches: Decision['branches']): number {
    const [[, first] = [null, 0]] = branches
    if (branches.every(([, number]) => number === first)) return first
    const name = `${key} ${branches.map(([, number]) => number).join()}`
    const known = this.#numbers.get(name) ?? this.#all.push({ key, branches }) - 1
    this.#numbers.set(name, known)
    return known
  }

  nogoodsOf(number: number): Nogood[] {
    const decision = this.#all[number]
    if (!decision) return number === 1 ? [new Map()] : []
    const { key, branches } = decision
    return [...new Set(branches.map(([, next]) => next))].flatMap((next) => {
      const values = branches.flatMap(([value, one]) => (one === next ? [value] : []))
      return this.nogoodsOf(next).map((nogood) => new Map([[key, values], ...nogood]))
    })
  }
}

/** Tries every combination of the values on which a part of the response depends; `undefined` if these are too many. */
const constrainPart = (
  observation: Observation,
  domains: Domains,
  part: Part,
  aspects: readonly Aspect[],
): Constraint[] | undefined => {
  let leaves = 0
  const current = new Map([...domains].map(([key, [value = null]]) => [key, value]))
  const open = new Set([...domains].flatMap(([key, { length }]) => (length > 1 ? [key] : [])))
  const decisions = new Decisions()
  const explore = (): readonly number[] | undefined => {
    const found = failuresUnder(observation, part, current, aspects, (key) => open.has(key))
    if (typeof found !== 'string')
      return ++leaves > maxLeaves ? undefined : aspects.map((aspect) => Number(found.includes(aspect)))
    const branches: (readonly [Value, readonly number[]])[] = []
    open.delete(found)
    for (const value of domains.get(found) ?? []) {
      current.set(found, value)
      const numbers = explore()
      if (!numbers) return undefined
      branches.push([value, numbers])
    }
    open.add(found)
    const branchesFor = (i: number) => branches.map(([value, numbers]) => [value, numbers[i] ?? 0] as const)
    return aspects.map((_, i) => decisions.add(found, branchesFor(i)))
  }
  return explore()?.flatMap((number, i) => {
    const [nogoods, aspect] = [decisions.nogoodsOf(number), aspects[i]]
    return nogoods.length > 0 && aspect ? [{ observation, aspect, nogoods, domains }] : []
  })
}

/** Which combinations of values contradict which of these aspects of a response; `undefined` if there are too many to try. */
export const constrain = (
  observation: Observation,
  domains: Domains,
  openAspects: (part: Part) => readonly Aspect[],
): Constraint[] | undefined => {
  const found: Constraint[] = []
  for (const part of parts) {
    const open = openAspects(part)
    const constraints = open.length === 0 ? [] : constrainPart(observation, domains, part, open)
    if (!constraints) return undefined
    found.push(...constraints)
  }
  return found
}
