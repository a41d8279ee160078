import { allows, aspects, type Prediction } from './model/aspects.ts'
import type { Setting } from './model/context.ts'
import { createDecisionTree, type DecisionTree, type Step } from './model/decision-tree.ts'
import type { Read } from './model/parse-request.ts'
import { createPrediction } from './model/predict.ts'
import type { Value } from './model/variables.ts'
import type { Candidate } from './candidate.ts'
import type { Domains } from './space/solve.ts'
import type { Combination } from './space/space.ts'

/** What a response would show, by aspect. */
export interface Outcome {
  /** The same for the same outcome. */
  readonly name: string
  readonly predictions: readonly Prediction[]
  /** What is observed, or an example of it; `undefined` where anything may be. */
  readonly examples: readonly (string | undefined)[]
}

/** Short names for long texts. */
type NameOf = (text: string) => number

const createNames = (): NameOf => {
  const names = new Map<string, number>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined) return known
    names.set(text, names.size)
    return names.size - 1
  }
}

const exampleOf = (prediction: Prediction): string | undefined =>
  typeof prediction === 'object' ? prediction.example : prediction

const outcomeOf = ({ request }: Candidate, setting: Setting, read: Read, nameOf: NameOf): Outcome => {
  const predict = createPrediction(request, setting, read)
  const status = predict('status')
  const isPage = status === undefined || allows(status, '200')
  const predictions = isPage ? aspects.map((aspect) => predict(aspect)) : [status]
  const name = predictions
    .map((prediction) =>
      typeof prediction === 'object' ? `~${prediction.name}` : prediction === undefined ? '*' : nameOf(prediction),
    )
    .join('|')
  return { name, predictions, examples: predictions.map(exampleOf) }
}

/** An outcome, and how many of some combinations lead to it. */
export interface Count {
  readonly outcome: Outcome
  count: number
}

/** Reads the values of the first of some combinations. */
const readerOf =
  ([first]: readonly Combination[]): Read =>
  (variable) =>
    first?.get(variable) as Value

/** The samples by their value of a variable. */
const split = (samples: readonly Combination[], variable: string): ReadonlyMap<Value, readonly Combination[]> => {
  const parts = new Map<Value, Combination[]>()
  for (const sample of samples) {
    const value = sample.get(variable) as Value
    const part = parts.get(value)
    if (part) part.push(sample)
    else parts.set(value, [sample])
  }
  return parts
}

/** How many of some combinations lead to which outcome of a candidate. */
export type CountOutcomes = (candidate: Candidate, samples: readonly Combination[], domains: Domains) => Count[]

/** Counts outcomes for one state of the ledger. */
export const createCountOutcomes = (setting: Setting): CountOutcomes => {
  const trees = new Map<Candidate, DecisionTree<Outcome>>()
  const nameOf = createNames()
  return (candidate, samples, domains) => {
    const tree = trees.get(candidate) ?? createDecisionTree((read) => outcomeOf(candidate, setting, read, nameOf))
    trees.set(candidate, tree)
    const counts = new Map<string, Count>()
    const count = (step: Step<Outcome>, some: readonly Combination[]): void => {
      if (step.result) {
        const { value: outcome } = step.result
        const known = counts.get(outcome.name)
        if (known) known.count += some.length
        else counts.set(outcome.name, { outcome, count: some.length })
        return
      }
      const { variable = '' } = step
      const values = domains.get(variable) ?? []
      // What has one value left is the same in all of them.
      const parts = values.length === 1 ? [[values[0] as Value, some] as const] : split(some, variable)
      for (const [value, part] of parts) count(tree.after(step, value, readerOf(part)), part)
    }
    count(tree.first(readerOf(samples)), samples)
    return [...counts.values()]
  }
}
