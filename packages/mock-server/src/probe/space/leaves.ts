import { allows, type Aspect } from '../model/aspects.ts'
import type { Setting } from '../model/context.ts'
import { createPrediction } from '../model/predict.ts'
import type { ProbeRequest } from '../model/probe-request.ts'
import type { Value } from '../model/variables.ts'

/** Values that some variables may have; the others may have any. */
export type Leaf = ReadonlyMap<string, readonly Value[]>

/** Thrown when a prediction needs a variable that has no value yet. */
class Needed {
  readonly variable: string
  constructor(variable: string) {
    this.variable = variable
  }
}

const neededBy = (work: () => void): string | undefined => {
  try {
    work()
    return undefined
  } catch (error) {
    if (error instanceof Needed) return error.variable
    throw error
  }
}

/** The same string for the same leaves. */
export const nameOf = (leaves: readonly Leaf[]): string =>
  leaves.map((leaf) => [...leaf].map(([variable, values]) => `${variable}=${values.join()}`).join('&')).join('|')

const anything: Leaf = new Map()

/**
 * All combinations that predict what was observed of an aspect, as the leaves of a decision tree. Each leaf has only those
 * variables that the prediction needed: which ones these are shows by computing it.
 */
export const leavesOf = (
  request: ProbeRequest,
  setting: Setting,
  { aspect, observed }: { readonly aspect: Aspect; readonly observed: string },
  domains: ReadonlyMap<string, readonly Value[]>,
): { leaves: readonly Leaf[]; variables: ReadonlySet<string> } => {
  const variables = new Set<string>()
  const assigned = new Map<string, Value>()
  const read = (variable: string): Value => {
    const value = assigned.get(variable)
    if (value !== undefined) return value
    const [only, ...others] = domains.get(variable) ?? []
    variables.add(variable)
    // What has one value left needs no branch.
    if (only === undefined || others.length > 0) throw new Needed(variable)
    return only
  }
  const explore = (): readonly Leaf[] => {
    let isAllowed = false
    const variable = neededBy(() => {
      isAllowed = allows(createPrediction(request, setting, read)(aspect), observed)
    })
    if (variable === undefined) return isAllowed ? [anything] : []
    const values = domains.get(variable) ?? []
    const branches = new Map<string, { values: Value[]; leaves: readonly Leaf[] }>()
    for (const value of values) {
      assigned.set(variable, value)
      const leaves = explore()
      const name = leaves.length === 0 ? 'none' : nameOf(leaves)
      const same = branches.get(name)
      if (same) same.values.push(value)
      else if (leaves.length > 0) branches.set(name, { values: [value], leaves })
    }
    assigned.delete(variable)
    return [...branches.values()].flatMap((branch) =>
      branch.values.length === values.length
        ? branch.leaves
        : branch.leaves.map((leaf): Leaf => new Map([[variable, branch.values], ...leaf])),
    )
  }
  return { leaves: explore(), variables }
}
