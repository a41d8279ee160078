import { allows, aspects, type Prediction } from './model/aspects.ts'
import type { Setting } from './model/context.ts'
import type { Read } from './model/parse-request.ts'
import { createPrediction } from './model/predict.ts'
import type { Value } from './model/variables.ts'
import type { Candidate } from './candidate.ts'
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

/** What a prediction reads next, and what depends on it; at the end the outcome. */
interface Step {
  variable?: string
  readonly next: Map<Value, Step>
  outcome?: Outcome
}

/** The outcome of a request, computed once for combinations that agree in what the prediction reads. */
const createReader = (candidate: Candidate, setting: Setting, nameOf: NameOf) => {
  const start: Step = { next: new Map() }
  const find = (sample: Combination): Outcome | undefined => {
    let step: Step | undefined = start
    while (step?.variable !== undefined) step = step.next.get(sample.get(step.variable) as Value)
    return step?.outcome
  }
  return (sample: Combination): Outcome => {
    const known = find(sample)
    if (known !== undefined) return known
    let step = start
    const seen = new Set<string>()
    const read: Read = (variable) => {
      const value = sample.get(variable) as Value
      if (seen.has(variable)) return value
      seen.add(variable)
      step.variable = variable
      const next: Step = step.next.get(value) ?? { next: new Map() }
      step.next.set(value, next)
      step = next
      return value
    }
    // In two steps: the prediction moves `step` on.
    const outcome = outcomeOf(candidate, setting, read, nameOf)
    step.outcome = outcome
    return outcome
  }
}

/** The outcome of a candidate for a combination. */
export type Predictions = (candidate: Candidate, sample: Combination) => Outcome

/** Outcomes of candidates for one state of the ledger. */
export const createPredictions = (setting: Setting): ((candidate: Candidate, sample: Combination) => Outcome) => {
  const readers = new Map<Candidate, (sample: Combination) => Outcome>()
  const nameOf = createNames()
  return (candidate, sample) => {
    const reader = readers.get(candidate) ?? createReader(candidate, setting, nameOf)
    readers.set(candidate, reader)
    return reader(sample)
  }
}
