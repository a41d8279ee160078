import { allows, type Aspect, type Prediction } from '../model/aspects.ts'
import type { Setting } from '../model/context.ts'
import type { Step } from '../model/decision-tree.ts'
import { cached, keptFor } from '../model/kept-results.ts'
import { predictionsOf } from '../model/predictions.ts'
import type { ProbeRequest } from '../model/probe-request.ts'
import type { Value } from '../model/variables.ts'

/** Values that some variables may have; the others may have any. */
export type Leaf = ReadonlyMap<string, readonly Value[]>

const nameOfLeaf = cached((leaf: Leaf): string => {
  let name = ''
  for (const [variable, values] of leaf) name += `${name && '&'}${variable}=${values.join()}`
  return name
})

/** The same string for the same leaves. */
export const nameOf = (leaves: readonly Leaf[]): string => leaves.map(nameOfLeaf).join('|')

const none: readonly Leaf[] = []
const anything: readonly Leaf[] = [new Map()]

const isAllowed = (prediction: Prediction, observed: string): boolean =>
  typeof prediction === 'object'
    ? keptFor(prediction, [observed], () => prediction.accepts(observed))
    : allows(prediction, observed)

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
  const tree = predictionsOf(request, setting, aspect)
  const variables = new Set<string>()
  const assigned = new Map<string, Value>()
  const read = (variable: string): Value => {
    const value = assigned.get(variable)
    return value === undefined ? (domains.get(variable)?.[0] as Value) : value
  }
  const explore = (step: Step<Prediction>): readonly Leaf[] => {
    const { variable } = step
    if (variable === undefined) return isAllowed(step.result?.value, observed) ? anything : none
    variables.add(variable)
    const values = domains.get(variable) ?? []
    // What has one value left needs no branch.
    if (values.length === 1) return explore(tree.after(step, values[0] as Value, read))
    const branches = new Map<string, { values: Value[]; leaves: readonly Leaf[] }>()
    for (const value of values) {
      assigned.set(variable, value)
      const leaves = explore(tree.after(step, value, read))
      if (leaves.length === 0) continue
      const name = nameOf(leaves)
      const same = branches.get(name)
      if (same) same.values.push(value)
      else branches.set(name, { values: [value], leaves })
    }
    assigned.delete(variable)
    return [...branches.values()].flatMap((branch) =>
      branch.values.length === values.length
        ? branch.leaves
        : branch.leaves.map((leaf): Leaf => new Map([[variable, branch.values], ...leaf])),
    )
  }
  return { leaves: explore(tree.first(read)), variables }
}
