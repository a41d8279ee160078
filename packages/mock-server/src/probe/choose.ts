import { aspects } from './model/aspects.ts'
import type { Setting } from './model/context.ts'
import type { Read } from './model/parse-request.ts'
import { createPrediction } from './model/predict.ts'
import type { Value } from './model/variables.ts'
import type { Candidate } from './candidate.ts'
import type { Combination, Space } from './space/space.ts'

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

const textOf = ({ request }: Candidate, setting: Setting, read: Read, nameOf: NameOf): string => {
  const predict = createPrediction(request, setting, read)
  const status = predict('status')
  if (typeof status === 'string' && status !== '200') return status
  return aspects
    .map((aspect) => {
      const prediction = predict(aspect)
      if (typeof prediction === 'object') return `~${prediction.name}`
      return prediction === undefined ? '*' : nameOf(prediction)
    })
    .join('|')
}

/** What a prediction reads next, and what depends on it; at the end the text. */
interface Step {
  variable?: string
  readonly next: Map<Value, Step>
  text?: string
}

/** The text of a prediction, computed once for combinations that agree in what the prediction reads. */
const createReader = (candidate: Candidate, setting: Setting, nameOf: NameOf) => {
  const start: Step = { next: new Map() }
  const find = (sample: Combination): string | undefined => {
    let step: Step | undefined = start
    while (step?.variable !== undefined) step = step.next.get(sample.get(step.variable) as Value)
    return step?.text
  }
  return (sample: Combination): string => {
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
    const text = textOf(candidate, setting, read, nameOf)
    step.text = text
    return text
  }
}

/** Predictions of candidates for one state of the ledger. */
export const createPredictions = (setting: Setting): ((candidate: Candidate, sample: Combination) => string) => {
  const readers = new Map<Candidate, (sample: Combination) => string>()
  const nameOf = createNames()
  return (candidate, sample) => {
    const reader = readers.get(candidate) ?? createReader(candidate, setting, nameOf)
    readers.set(candidate, reader)
    return reader(sample)
  }
}

/** How likely two combinations that are both possible differ in their responses. */
const separation = (texts: readonly string[]): number => {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return 1 - [...counts.values()].reduce((sum, count) => sum + (count / texts.length) ** 2, 0)
}

const excludes = (a: string, b = ''): boolean =>
  a !== b && a !== '*' && b !== '*' && a.startsWith('~') === b.startsWith('~')

/** Whether two texts differ in an aspect that both predict alike: by a value, or by a test. */
const differ = (a: string, b: string): boolean => {
  const [left, right] = [a.split('|'), b.split('|')]
  return left.some((part, i) => excludes(part, right[i]))
}

/** Whether the response will exclude something. Otherwise it can only contradict what a combination predicts exactly. */
const isDecisive = (texts: readonly string[]): boolean => {
  const distinct = [...new Set(texts)]
  return distinct.some((text, i) => distinct.slice(0, i).some((other) => differ(text, other)))
}

/** A candidate, and whether its response will exclude something whatever it is. */
export interface Choice {
  readonly candidate: Candidate
  readonly isDecisive: boolean
}

/** How to choose. */
interface ChoiceOptions {
  /** Only what will exclude something. */
  readonly decisiveOnly: boolean
  /** Whether a further request about a variable may show something. */
  readonly isPromising: (variable: string) => boolean
  /** Whether to try every value of every variable. */
  readonly isThorough?: boolean
}

/** The candidate that separates most of the combinations that are still possible; `undefined` if none separates any. */
export const chooseCandidate = (
  candidates: readonly Candidate[],
  space: Space,
  predictions: (candidate: Candidate, sample: Combination) => string,
  options: ChoiceOptions,
): Choice | undefined => {
  const { decisiveOnly, isPromising, isThorough = false } = options
  const isOpen = (variable: string) => (space.domains.get(variable)?.length ?? 0) > 1 && isPromising(variable)
  const useful = candidates.filter(({ targets }) => targets.some(isOpen))
  if (useful.length === 0) return undefined
  const samples = space.samples(isThorough)
  const choices = useful.flatMap((candidate) => {
    const texts = samples.map((sample) => predictions(candidate, sample))
    const worth = separation(texts)
    return worth > 0 ? [{ candidate, worth, texts }] : []
  })
  for (const { candidate, texts } of choices.toSorted((a, b) => b.worth - a.worth)) {
    const isSure = isDecisive(texts)
    if (isSure || !decisiveOnly) return { candidate, isDecisive: isSure }
  }
  return isThorough ? undefined : chooseCandidate(candidates, space, predictions, { ...options, isThorough: true })
}
