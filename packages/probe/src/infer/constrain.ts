import { recordReads, type AssumptionKey, type ModelRequest } from '@guild-ledger/mock-server/assumptions'
import { agreesIn, aspects, isSameIn, type Aspect, type Aspects } from './aspects.ts'
import type { Copy } from './copy.ts'
import { toAssumptions, type Domains, type Solution, type Value } from './domains.ts'

/** A response to a request, and the ledgers that it may be about: several if transactions were added meanwhile. */
export interface Observation {
  readonly request: ModelRequest
  readonly observed: Aspects
  readonly copies: readonly Copy[]
  /** Where a request differs in kind from others. */
  readonly place: string
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

/** The aspects that no ledger explains under some assumptions. Where variants of a ledger differ, everything is explained. */
const failuresUnder = ({ request, observed, copies }: Observation, solution: Solution, reads: Set<AssumptionKey>) => {
  let failing: readonly Aspect[] = aspects
  const assumptions = recordReads(toAssumptions(solution), reads)
  for (const copy of copies) {
    const expected = copy.respond(request, assumptions)
    failing = failing.filter((aspect) => !agreesIn(aspect, expected, observed))
    if (failing.length === 0) return failing
    for (const other of copy.others(request, assumptions)) {
      failing = failing.filter((aspect) => isSameIn(aspect, other, expected))
      if (failing.length === 0) return failing
    }
  }
  return failing
}

type Failures = Map<Aspect, readonly Nogood[]>

const keyOf = (nogoods: readonly Nogood[] | undefined): string =>
  nogoods ? nogoods.map((nogood) => JSON.stringify([...nogood])).join() : ''

/** Joins what the values of one assumption contradict. An assumption that makes no difference is left out. */
const joined = (key: AssumptionKey, branches: readonly (readonly [Value, Failures])[]): Failures => {
  const all: Failures = new Map()
  for (const aspect of new Set(branches.flatMap(([, failures]) => [...failures.keys()]))) {
    const texts = new Set(branches.map(([, failures]) => keyOf(failures.get(aspect))))
    all.set(
      aspect,
      texts.size === 1
        ? (branches[0]?.[1].get(aspect) ?? [])
        : branches.flatMap(([value, failures]) =>
            (failures.get(aspect) ?? []).map((nogood) => new Map([[key, [value]], ...nogood])),
          ),
    )
  }
  return all
}

/**
 * Tries every combination of the values of those assumptions that the response depends on, and returns which contradict
 * which aspect; `undefined` if these are too many.
 */
export const constrain = (observation: Observation, domains: Domains): Constraint[] | undefined => {
  let leaves = 0
  const fixed = new Map([...domains].map(([key, [value = null]]) => [key, value]))
  const explore = (chosen: Solution): Failures | undefined => {
    if (++leaves > maxLeaves) return undefined
    const reads = new Set<AssumptionKey>()
    const failing = failuresUnder(observation, new Map([...fixed, ...chosen]), reads)
    const next = [...reads].find((key) => !chosen.has(key) && (domains.get(key)?.length ?? 1) > 1)
    if (next === undefined) return new Map(failing.map((aspect) => [aspect, [new Map()]]))
    const branches: (readonly [Value, Failures])[] = []
    for (const value of domains.get(next) ?? []) {
      const failures = explore(new Map([...chosen, [next, value]]))
      if (!failures) return undefined
      branches.push([value, failures])
    }
    return joined(next, branches)
  }
  const failures = explore(new Map())
  return failures && [...failures].map(([aspect, nogoods]) => ({ observation, aspect, nogoods, domains }))
}
