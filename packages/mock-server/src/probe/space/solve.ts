import type { Value } from '../model/variables.ts'
import type { Leaf } from './leaves.ts'

/** One piece of evidence: at least one of its leaves is true of the service. */
export type Constraint = readonly Leaf[]

/** The values that each variable can still have. */
export type Domains = ReadonlyMap<string, readonly Value[]>

const intersect = (a: readonly Value[], b: readonly Value[]): readonly Value[] => {
  const both = a.filter((value) => b.includes(value))
  return both.length === a.length ? a : both
}

/** The domains with a leaf taken for true; `undefined` if they contradict it. */
const narrow = (domains: Domains, leaf: Leaf): Domains | undefined => {
  let narrowed: Map<string, readonly Value[]> | undefined
  for (const [variable, values] of leaf) {
    const before = domains.get(variable) ?? []
    const after = intersect(before, values)
    if (after.length === 0) return undefined
    if (after !== before) (narrowed ??= new Map(domains)).set(variable, after)
  }
  return narrowed ?? domains
}

const fits = (domains: Domains, leaf: Leaf): boolean => {
  for (const [variable, values] of leaf) {
    if (!domains.get(variable)?.some((value) => values.includes(value))) return false
  }
  return true
}

/** Whether a leaf is true whatever is left of the domains. */
const holds = (domains: Domains, leaf: Leaf): boolean => {
  for (const [variable, values] of leaf) {
    if (!domains.get(variable)?.every((value) => values.includes(value))) return false
  }
  return true
}

/** What is left of constraints and domains once each has removed what contradicts it. */
export interface Reduced {
  readonly constraints: readonly Constraint[]
  readonly domains: Domains
}

/** Removes leaves and values that contradict each other; `undefined` if nothing is left. */
export const reduce = (constraints: readonly Constraint[], given: Domains): Reduced | undefined => {
  const domains = new Map(given)
  let current = constraints
  for (let hasChanged = true; hasChanged;) {
    hasChanged = false
    const kept: Constraint[] = []
    for (const constraint of current) {
      const leaves = constraint.filter((leaf) => fits(domains, leaf))
      const [first] = leaves
      if (!first) return undefined
      for (const variable of first.keys()) {
        if (!leaves.every((leaf) => leaf.has(variable))) continue
        const before = domains.get(variable) ?? []
        const after = before.filter((value) => leaves.some((leaf) => leaf.get(variable)?.includes(value)))
        if (after.length === before.length) continue
        if (after.length === 0) return undefined
        domains.set(variable, after)
        hasChanged = true
      }
      if (!leaves.some((leaf) => holds(domains, leaf))) kept.push(leaves)
    }
    current = kept
  }
  return { constraints: current, domains }
}

/** Groups of constraints that share no open variable: each can be solved by itself. */
export const componentsOf = (
  constraints: readonly Constraint[],
): { constraints: Constraint[]; variables: Set<string> }[] => {
  let components: { constraints: Constraint[]; variables: Set<string> }[] = []
  for (const constraint of constraints) {
    const variables = new Set(constraint.flatMap((leaf) => [...leaf.keys()]))
    const joined = components.filter((one) => [...variables].some((variable) => one.variables.has(variable)))
    components = [
      ...components.filter((one) => !joined.includes(one)),
      {
        constraints: [...joined.flatMap((one) => one.constraints), constraint],
        variables: new Set([...joined.flatMap((one) => [...one.variables]), ...variables]),
      },
    ]
  }
  return components
}

/** Domains in which every combination satisfies all constraints; `undefined` if there are none. */
export const solve = (constraints: readonly Constraint[], domains: Domains, turn = 0): Domains | undefined => {
  let best: Leaf[] | undefined
  let bestAt = -1
  for (const [at, constraint] of constraints.entries()) {
    const leaves = constraint.filter((leaf) => fits(domains, leaf))
    if (leaves.length === 0) return undefined
    if (leaves.some((leaf) => holds(domains, leaf))) continue
    if (best && leaves.length >= best.length) continue
    best = leaves
    bestAt = at
  }
  if (!best) return domains
  const rest = constraints.filter((_, at) => at !== bestAt)
  for (let i = 0; i < best.length; i++) {
    const narrowed = narrow(domains, best[(i + turn) % best.length] as Leaf)
    const found = narrowed && solve(rest, narrowed, turn)
    if (found) return found
  }
  return undefined
}
