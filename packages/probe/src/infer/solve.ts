import type { AssumptionKey } from '@guild-ledger/mock-server/assumptions'
import type { Nogood } from './constrain.ts'
import type { Domains, Solution, Value } from './domains.ts'

type Narrowed = Map<AssumptionKey, readonly Value[]>

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

const search = (domains: Narrowed, nogoods: readonly Nogood[], random: () => number): Solution | undefined => {
  const left = propagate(domains, nogoods)
  if (!left) return undefined
  const counts = new Map<AssumptionKey, number>()
  for (const nogood of left) {
    for (const key of nogood.keys()) {
      if ((domains.get(key)?.length ?? 0) > 1) counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  // What no nogood is about may have any value.
  const [[branch] = []] = [...counts].toSorted(([, a], [, b]) => b - a)
  if (branch === undefined) {
    return new Map(
      [...domains].map(([key, values]) => [key, values[Math.floor(random() * values.length)] ?? null] as const),
    )
  }
  const values = domains.get(branch) ?? []
  const start = Math.floor(random() * values.length)
  for (let i = 0; i < values.length; i++) {
    const value = values[(start + i) % values.length] ?? null
    const found = search(new Map(domains).set(branch, [value]), left, random)
    if (found) return found
  }
  return undefined
}

/** A random solution, if there is one: values that no nogood contradicts. */
export const solve = (domains: Domains, nogoods: readonly Nogood[], random: () => number): Solution | undefined =>
  search(new Map(domains), nogoods, random)

/** Whether a solution is free of a nogood. */
export const satisfies = (solution: Solution, nogood: Nogood): boolean => {
  for (const [key, values] of nogood) if (!values.includes(solution.get(key) ?? null)) return true
  return false
}
