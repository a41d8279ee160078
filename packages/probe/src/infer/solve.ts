import type { AssumptionKey } from '@guild-ledger/mock-server/assumptions'
import type { Nogood } from './conflict.ts'
import type { Domains, Solution, Value } from './domains.ts'
import type { Subjects } from './kinds.ts'

type Narrowed = Map<AssumptionKey, readonly Value[]>

/** Whether a solution has the values of a nogood. */
export const contradicts = (nogood: Nogood, solution: Solution): boolean =>
  [...nogood].every(([key, values]) => values.includes(solution[key] ?? null))

/** Removes values that nogoods rule out; returns the nogoods that are left, or `undefined` if nothing is possible. */
const propagate = (domains: Narrowed, nogoods: readonly Nogood[]): readonly Nogood[] | undefined => {
  const left: Nogood[] = []
  let isChanged = false
  for (const nogood of nogoods) {
    const others = [...nogood].map(([key, values]) => {
      const domain = domains.get(key) ?? []
      const outside = domain.filter((value) => !values.includes(value))
      return { key, outside, isAvoided: outside.length === domain.length }
    })
    if (others.some(({ isAvoided }) => isAvoided)) continue
    const [only, ...more] = others.filter(({ outside }) => outside.length > 0)
    if (!only) return undefined
    if (more.length > 0) left.push(nogood)
    else domains.set(only.key, only.outside)
    isChanged ||= more.length === 0
  }
  return isChanged ? propagate(domains, left) : left
}

/**
 * A solution that no nogood contradicts, if there is one: with the preferred values, where these are possible, so that it
 * differs little from what is known.
 */
export const solve = (
  possible: Domains,
  nogoods: readonly Nogood[],
  preferred: Solution = {},
): Solution | undefined => {
  const domains: Narrowed = new Map(possible)
  const left = propagate(domains, nogoods)
  if (!left) return undefined
  const counts = new Map<AssumptionKey, number>()
  for (const key of left.flatMap((nogood) => [...nogood.keys()]))
    if ((domains.get(key)?.length ?? 0) > 1) counts.set(key, (counts.get(key) ?? 0) + 1)
  const valuesOf = (key: AssumptionKey): readonly Value[] => {
    const [values, first = null] = [domains.get(key) ?? [], preferred[key]]
    return values.includes(first) ? [first, ...values.filter((value) => value !== first)] : values
  }
  // What no nogood is about may have any value.
  const [[branch] = []] = [...counts].toSorted(([, a], [, b]) => b - a)
  if (branch === undefined) return Object.fromEntries([...domains.keys()].map((key) => [key, valuesOf(key)[0] ?? null]))
  for (const value of valuesOf(branch)) {
    const found = solve(new Map(domains).set(branch, [value]), left, preferred)
    if (found) return found
  }
  return undefined
}

/** The values that some responses allow each assumption, if others are given up. */
export interface Explanation {
  readonly given: Subjects
  readonly domains: Narrowed
  /** Solutions: each possible value is in one of them. */
  readonly pool: readonly Solution[]
}
