import type { AssumptionKey, ModelRequest } from '@guild-ledger/mock-server/assumptions'
import { agreesIn, aspectsOf, aspectsOfOrder, parts, type Aspect, type Part } from './aspects.ts'
import type { Copy } from './copy.ts'
import { isOfOrder, type Subject, type Subjects } from './kinds.ts'
import { leastOf, unlimited, type Domains, type Solution, type Value } from './domains.ts'
import { failingIn, type Observation } from './observation.ts'

/** Values that together contradict a response: each assumption has one of those listed with it. */
export type Nogood = ReadonlyMap<AssumptionKey, readonly Value[]>

/** Values that an aspect of a response contradicts. */
export interface Conflict {
  readonly nogood: Nogood
  /** Returns everything that the aspect depends on: if one of these is given up, nothing is contradicted. */
  readonly depends: () => Subjects
  /** Whether the aspect depends on nothing that could be given up. */
  readonly isInexplicable: boolean
  /** The response; `undefined` if several show it. */
  readonly observation?: Observation | undefined
  readonly aspect?: Aspect
}

/** Whether a conflict does not count where some assumptions are given up. */
export const isExcused = (conflict: Conflict, given: Subjects): boolean =>
  conflict.isInexplicable || [...given].some((key) => conflict.depends().has(key))

/** Assumptions that a mock reads only because of the user or the parameters of a request. */
export const readFor = (copy: Copy, request: ModelRequest, part: Part, solution: Solution): AssumptionKey[] => {
  const ordinary = new Set(copy.predict(copy.plain[request.endpoint], solution, part).reads)
  return copy.predict(request, solution, part).reads.filter((key) => !ordinary.has(key))
}

/** A request, with the ledgers that a response to it is about. */
export type Asked = Pick<Observation, 'request' | 'copies' | 'kinds'>

/** Assumptions that an aspect of a response is about, although no other value need change it. */
export const aboutOf = (aspect: Aspect, { kinds }: Asked): AssumptionKey[] => {
  const isOfSummary = aspectsOf.summary.includes(aspect)
  return [
    ...(kinds.includes('input: a time with an offset') ? (['dateTimeForms'] as const) : []),
    ...(isOfSummary ? (['summaryScope'] as const) : []),
  ]
}

/**
 * What an aspect depends on, if the assumptions have the values of a solution: those whose other values change it, those
 * that the parameters of the request are about, where a service may have a rule that is no value, and its kinds of input.
 * With `among`, only of these.
 */
export const dependencesOf = (
  observation: Asked,
  part: Part,
  aspect: Aspect,
  limited: Solution,
  initial: Domains,
  among?: Subjects,
): Set<Subject> => {
  const { request, copies, kinds } = observation
  const solution = unlimited(limited)
  const copy = copies.at(-1)
  if (!copy) return new Set()
  const isWanted = (subject: Subject) => among?.has(subject) ?? true
  const mayBeOrdered = aspectsOfOrder.has(aspect) || (part === 'summary' && solution.summaryScope === 'page')
  const own = kinds.filter((kind) => mayBeOrdered || !isOfOrder(kind))
  const about = [...readFor(copy, request, part, solution), ...aboutOf(aspect, observation), ...own]
  const found = new Set<Subject>(about.filter(isWanted))
  const { expected, reads } = copy.predict(request, solution, part)
  for (const key of reads.filter(isWanted)) {
    const changes = (value: Value): boolean => {
      const moved = { ...solution, [key]: value }
      const { expected: other } = copy.predict(request, moved, part)
      if (expected.status !== other.status || !agreesIn(aspect, expected, other)) return true
      // Another order of entry may change it.
      return value === 'ledger' && copy.shown(request, moved, part, [aspect]).length === 0
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
  given: Subjects,
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
      const dependencesAt = (point: Solution, among?: Subjects) =>
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
      let found: Subjects | undefined
      const depends = (): Subjects => {
        found ??= new Set(points.flatMap((point) => [...dependencesAt(point)]))
        return found.size > 0 ? found : new Set(open)
      }
      return { nogood, depends, isInexplicable: open.length === 0 && depends().size === 0, observation, aspect }
    }
  }
  return undefined
}
