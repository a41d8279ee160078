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
  conflict.isInexplicable || (given.size > 0 && [...given].some((key) => conflict.depends().has(key)))

/** With more values than these, an assumption is a number. */
const maxValues = 8

/** Assumptions that a mock reads only because of the user or the parameters of a request. */
export const readFor = (copy: Copy, request: ModelRequest, part: Part, solution: Solution): AssumptionKey[] => {
  const ordinary = new Set(copy.predict(copy.plain[request.endpoint], solution, part).reads)
  return copy.predict(request, solution, part).reads.filter((key) => !ordinary.has(key))
}

/** All values; of many numbers, the first and the smallest. */
const otherValues = (values: readonly Value[]): readonly Value[] =>
  values.length <= maxValues ? values : [...values.slice(0, 2), Math.min(...values.map(Number).filter(Boolean))]

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
      return !agreesIn(aspect, expected, other) || (aspect !== 'status' && expected.status !== other.status)
    }
    if (!found.has(key) && otherValues(initial.get(key) ?? []).some(changes)) found.add(key)
  }
  return found
}

/** A conflict in up to so many combinations of values: `fails` returns what is read where there is one. */
const generalised = (
  fails: (solution: Solution) => readonly AssumptionKey[] | undefined,
  solution: Solution,
  domains: Domains,
  maxPoints: number,
): { nogood: Nogood; points: readonly Solution[] } => {
  const keys = new Set(fails(solution))
  const nogood = new Map<AssumptionKey, readonly Value[]>()
  let points: readonly Solution[] = [solution]
  const countOf = (key: AssumptionKey) => domains.get(key)?.length ?? 0
  // Those with few values first: numbers have many.
  const next = () => [...keys].filter((key) => !nogood.has(key)).toSorted((a, b) => countOf(a) - countOf(b))[0]
  for (let key = next(); key !== undefined; key = next()) {
    const own = solution[key] ?? null
    const values = [own]
    const all = [...points]
    for (const value of domains.get(key) ?? []) {
      if (value === own || all.length + points.length > maxPoints) continue
      const moved = points.map((point) => ({ ...point, [key]: value }))
      const reads: AssumptionKey[] = []
      const isConflict = moved.every((point) => {
        const read = fails(point)
        if (read) reads.push(...read)
        return read !== undefined
      })
      if (!isConflict) continue
      values.push(value)
      all.push(...moved)
      for (const one of reads) keys.add(one)
    }
    points = all
    nogood.set(key, values)
  }
  return { nogood, points }
}

/**
 * Why a solution does not explain a response, unless what it depends on is given up; `undefined` if it does. To make the
 * conflict a general one, up to `maxPoints` combinations of values are tried.
 */
export const conflictOf = (
  observation: Observation,
  solution: Solution,
  domains: Domains,
  initial: Domains,
  given: Keys,
  isHopeless: (aspect: Aspect) => boolean,
  maxPoints: number,
): Conflict | undefined => {
  const { request, copies } = observation
  for (const part of parts) {
    for (const aspect of failingIn(observation, part, solution)) {
      if (isHopeless(aspect)) continue
      const touchedAt = (point: Solution, among?: Keys) =>
        dependencesOf(observation, part, aspect, point, initial, among)
      const isIgnored = (point: Solution) => given.size > 0 && touchedAt(point, given).size > 0
      if (isIgnored(solution)) continue
      const { nogood: all, points } = generalised(
        (point) =>
          failingIn(observation, part, point, [aspect]).length === 0 || isIgnored(point)
            ? undefined
            : copies.flatMap((copy) => copy.readsOf(request, point, part)),
        solution,
        domains,
        maxPoints,
      )
      // Of a number, which pages there are depends in more places than those where numbers were divided.
      const isSplit = (key: AssumptionKey) => leastOf(key) !== undefined && request.query?.['page'] !== undefined
      const nogood = new Map(
        [...all].filter(([key, values]) => values.length < (initial.get(key)?.length ?? 0) || isSplit(key)),
      )
      let depends: Keys | undefined
      const found = () => {
        const touched = new Set(points.flatMap((point) => [...touchedAt(point)]))
        return touched.size > 0 ? touched : new Set([...nogood.keys()].filter((key) => !given.has(key)))
      }
      const dependences = () => (depends ??= found())
      const isInexplicable = [...nogood.keys()].every((key) => given.has(key)) && dependences().size === 0
      return { nogood, depends: dependences, isInexplicable, observation, aspect }
    }
  }
  return undefined
}
