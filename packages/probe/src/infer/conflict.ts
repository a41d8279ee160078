import type { AssumptionKey, ModelRequest } from '@guild-ledger/mock-server/assumptions'
import { agreesIn, parts, type Aspect, type Part } from './aspects.ts'
import type { Copy } from './copy.ts'
import { leastOf, unlimited, type Domains, type Solution, type Value } from './domains.ts'
import { failingIn, type Observation } from './observation.ts'

/** Values that together contradict a response: each assumption has one of those listed with it. */
export type Nogood = ReadonlyMap<AssumptionKey, readonly Value[]>

/**
 * Stands for the filters by amount, which no assumption is about, among the names of assumptions: what responses to requests
 * with such a filter show can be given up, too.
 */
export const amounts = 'amounts' as AssumptionKey

/** What an aspect of a response to a query is about, although no other value need change it. */
const subjects: readonly (readonly [AssumptionKey, RegExp])[] = [
  [amounts, /"m(in|ax)Amount"/],
  ['dateTimeForms', /Date":"[^"]*[+-]\d\d:\d\d"/],
  ['summaryScope', /^(totalTransactions|totalValue|uniqueUsers) /],
]

export type Keys = ReadonlySet<AssumptionKey>

/** Values that an aspect of a response contradicts. */
export interface Conflict {
  readonly nogood: Nogood
  /** Returns everything that the aspect depends on: if one of these is given up, nothing is contradicted. */
  readonly depends: () => Keys
  /** Whether the aspect depends on nothing that could be given up. */
  readonly isInexplicable: boolean
  /** The response; `undefined` if several show it. */
  readonly observation?: Observation | undefined
  readonly aspect?: Aspect
}

/** Whether a conflict does not count where some assumptions are given up. */
export const isExcused = (conflict: Conflict, given: Keys): boolean =>
  conflict.isInexplicable || [...given].some((key) => conflict.depends().has(key))

/** Assumptions that a mock reads only because of the user or the parameters of a request. */
export const readFor = (copy: Copy, request: ModelRequest, part: Part, solution: Solution): AssumptionKey[] => {
  const ordinary = new Set(copy.predict(copy.plain[request.endpoint], solution, part).reads)
  return copy.predict(request, solution, part).reads.filter((key) => !ordinary.has(key))
}

/**
 * The assumptions on which an aspect depends, if the others have the values of a solution: those whose other values change
 * it, and those that the parameters of the request are about, where a service may have a rule that is no value. With
 * `among`, only of these.
 */
export const dependencesOf = (
  { request, copies }: Observation,
  part: Part,
  aspect: Aspect,
  limited: Solution,
  initial: Domains,
  among?: Keys,
): Set<AssumptionKey> => {
  const solution = unlimited(limited)
  const copy = copies.at(-1)
  if (!copy) return new Set()
  const isWanted = (key: AssumptionKey) => among?.has(key) ?? true
  const text = `${aspect} ${JSON.stringify(request.query ?? {})}`
  const about = subjects.flatMap(([key, pattern]) => (pattern.test(text) ? [key] : []))
  const found = new Set([...readFor(copy, request, part, solution), ...about].filter(isWanted))
  const { expected, reads } = copy.predict(request, solution, part)
  for (const key of reads.filter(isWanted)) {
    const changes = (value: Value): boolean => {
      const { expected: other } = copy.predict(request, { ...solution, [key]: value }, part)
      return expected.status !== other.status || !agreesIn(aspect, expected, other)
    }
    if (!found.has(key) && initial.get(key)?.some(changes)) found.add(key)
  }
  return found
}

// With 8, a probe of a service that no value explains takes minutes. With 100, one of a changing ledger takes longer.
const maxPoints = 50

/** The conflict of a solution in as many combinations of values as share it, up to `maxPoints`. */
const generalised = (
  solution: Solution,
  domains: Domains,
  isConflict: (point: Solution) => boolean,
  readsOf: (point: Solution) => readonly AssumptionKey[],
): { nogood: Nogood; points: readonly Solution[] } => {
  const keys = new Set(readsOf(solution))
  const nogood = new Map<AssumptionKey, readonly Value[]>()
  const points = [solution]
  // The loop also visits the keys that it adds.
  for (const key of keys) {
    const own = solution[key] ?? null
    const values = [own]
    const from = [...points]
    for (const value of domains.get(key) ?? []) {
      if (value === own || points.length + from.length > maxPoints) continue
      const moved = from.map((point) => ({ ...point, [key]: value }))
      if (!moved.every(isConflict)) continue
      values.push(value)
      points.push(...moved)
      for (const one of moved.flatMap(readsOf)) keys.add(one)
    }
    nogood.set(key, values)
  }
  return { nogood, points }
}

/** Why a solution does not explain a response, unless what it depends on is given up; `undefined` if it does. */
export const conflictOf = (
  observation: Observation,
  solution: Solution,
  given: Keys,
  domains: Domains,
  { initial, conflicts }: { readonly initial: Domains; readonly conflicts: readonly Conflict[] },
): Conflict | undefined => {
  const { request, copies } = observation
  // Aspects that nothing explains, whatever is given up, say nothing in other requests to the same endpoint either.
  const isHopeless = (aspect: Aspect) =>
    conflicts.some(
      (one) => one.isInexplicable && one.aspect === aspect && one.observation?.request.endpoint === request.endpoint,
    )
  for (const part of parts) {
    for (const aspect of failingIn(observation, part, solution)) {
      const dependencesAt = (point: Solution, among?: Keys) =>
        dependencesOf(observation, part, aspect, point, initial, among)
      const isIgnored = (point: Solution) => given.size > 0 && dependencesAt(point, given).size > 0
      if (isHopeless(aspect) || isIgnored(solution)) continue
      const { nogood: all, points } = generalised(
        solution,
        domains,
        (point) => failingIn(observation, part, point, [aspect]).length > 0 && !isIgnored(point),
        (point) => copies.flatMap((copy) => copy.readsOf(request, point, part)),
      )
      // Of a number, which pages there are depends in more places than those where numbers were divided.
      const isSplit = (key: AssumptionKey) => leastOf(key) !== undefined && request.query?.['page'] !== undefined
      const nogood = new Map(
        [...all].filter(([key, values]) => values.length < (initial.get(key)?.length ?? 0) || isSplit(key)),
      )
      const open = [...nogood.keys()].filter((key) => !given.has(key))
      let found: Keys | undefined
      const depends = (): Keys => {
        found ??= new Set(points.flatMap((point) => [...dependencesAt(point)]))
        return found.size > 0 ? found : new Set(open)
      }
      return { nogood, depends, isInexplicable: open.length === 0 && depends().size === 0, observation, aspect }
    }
  }
  return undefined
}
