import type { AssumptionKey } from '@guild-ledger/mock-server/assumptions'
import type { Nogood } from './conflict.ts'
import type { Domains, Solution, Value } from './domains.ts'

type Narrowed = Map<AssumptionKey, readonly Value[]>

/** Whether a solution has the values of a nogood. */
export const contradicts = (nogood: Nogood, solution: Solution): boolean =>
  [...nogood].every(([key, values]) => values.includes(solution[key] ?? null))

/** What is left of a nogood: the assumptions that may still avoid it; `undefined` if one does for sure. */
const avoiding = (nogood: Nogood, domains: Narrowed): AssumptionKey[] | undefined => {
  const open: AssumptionKey[] = []
  for (const [key, values] of nogood) {
    const domain = domains.get(key) ?? []
    const inside = domain.filter((value) => values.includes(value)).length
    if (inside === 0) return undefined
    if (inside < domain.length) open.push(key)
  }
  return open
}

/** Removes values that nogoods rule out; returns the nogoods that are left, or `undefined` if nothing is possible. */
const propagate = (domains: Narrowed, nogoods: readonly Nogood[]): readonly Nogood[] | undefined => {
  let left = nogoods
  for (let isChanged = true; isChanged;) {
    isChanged = false
    const next: Nogood[] = []
    for (const nogood of left) {
      const open = avoiding(nogood, domains)
      if (!open) continue
      const [only, ...more] = open
      if (only === undefined) return undefined
      if (more.length > 0) {
        next.push(nogood)
        continue
      }
      const ruledOut = nogood.get(only) ?? []
      domains.set(
        only,
        (domains.get(only) ?? []).filter((value) => !ruledOut.includes(value)),
      )
      isChanged = true
    }
    left = next
  }
  return left
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
  for (const nogood of left) {
    for (const key of nogood.keys()) {
      if ((domains.get(key)?.length ?? 0) > 1) counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
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
