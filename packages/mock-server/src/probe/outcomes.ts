import { allows, aspects, type Prediction } from './model/aspects.ts'
import type { Setting } from './model/context.ts'
import { createDecisionTree, type DecisionTree, type Step } from './model/decision-tree.ts'
import type { Read } from './model/parse-request.ts'
import { cached } from './model/kept-results.ts'
import { createPrediction } from './model/predict.ts'
import type { Value } from './model/variables.ts'
import type { Candidate } from './candidate.ts'
import type { Domains } from './space/solve.ts'
import type { Combination } from './space/samples.ts'

/** What a response would show, by aspect. */
export interface Outcome {
  /** The same for the same outcome. */
  readonly name: string
  readonly predictions: readonly Prediction[]
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

/** What is observed of each aspect, or an example of it; `undefined` where anything may be. */
export const examplesOf = cached(({ predictions }: Outcome): readonly (string | undefined)[] =>
  predictions.map((prediction) => (typeof prediction === 'object' ? prediction.example : prediction)),
)

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
  return { name, predictions }
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
    const count = (from: Step<Outcome>, some: readonly Combination[]): void => {
      const read = readerOf(some)
      let step = from
      while (step.variable !== undefined) {
        const { variable } = step
        const values = domains.get(variable) ?? []
        // What has one value left is the same in all of them.
        const parts = values.length === 1 ? undefined : split(some, variable)
        if (parts && parts.size > 1) {
          const after = step
          parts.forEach((part, value) => count(tree.after(after, value, readerOf(part)), part))
          return
        }
        step = tree.after(step, read(variable), read)
      }
      const outcome = step.result?.value as Outcome
      const known = counts.get(outcome.name)
      if (known) known.count += some.length
      else counts.set(outcome.name, { outcome, count: some.length })
    }
    count(tree.first(readerOf(samples)), samples)
    return [...counts.values()]
  }
}
