import { aspects } from './model/aspects.ts'
import type { Setting } from './model/context.ts'
import { createPrediction } from './model/predict.ts'
import type { Value } from './model/variables.ts'
import type { Candidate } from './candidate.ts'
import type { Combination, Space } from './space/space.ts'

const readFrom = (sample: Combination, read: Set<string>) => (variable: string) => {
  read.add(variable)
  return sample.get(variable) as Value
}

const names = new Map<string, number>()

/** A number for a text: always the same one. */
const numberOfText = (text: string): number => {
  const known = names.get(text)
  if (known !== undefined) return known
  names.set(text, names.size)
  return names.size - 1
}

const textOf = (candidate: Candidate, setting: Setting, sample: Combination, read: Set<string>): string => {
  const reader = readFrom(sample, read)
  const predict = createPrediction(candidate.question, setting, reader)
  const status = predict('status')
  if (typeof status === 'string' && status !== '200') return status
  return aspects
    .map((aspect) => {
      const prediction = predict(aspect)
      if (typeof prediction === 'object') return `~${prediction.name}`
      return prediction === undefined ? '*' : numberOfText(prediction)
    })
    .join('|')
}

/** The text of a prediction, computed once for samples that agree in what the prediction needs. */
const createReader = (candidate: Candidate, setting: Setting) => {
  const known: { values: [string, Value][]; text: string }[] = []
  return (sample: Combination): string => {
    const hit = known.find(({ values }) => values.every(([variable, value]) => sample.get(variable) === value))
    if (hit) return hit.text
    const read = new Set<string>()
    const text = textOf(candidate, setting, sample, read)
    known.push({ values: [...read].map((variable) => [variable, sample.get(variable) as Value]), text })
    return text
  }
}

/** Predictions of candidates for one state of the ledger. */
export const createPredictions = (setting: Setting): ((candidate: Candidate, sample: Combination) => string) => {
  const readers = new Map<Candidate, (sample: Combination) => string>()
  return (candidate, sample) => {
    let reader = readers.get(candidate)
    if (!reader) readers.set(candidate, (reader = createReader(candidate, setting)))
    return reader(sample)
  }
}

/** How likely two combinations that are both possible differ in their responses. */
const separation = (texts: readonly string[]): number => {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return 1 - [...counts.values()].reduce((sum, count) => sum + (count / texts.length) ** 2, 0)
}

const excludes = (a: string, b = ''): boolean => a !== b && a !== '*' && b !== '*' && a.startsWith('~') === b.startsWith('~')

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

/** The candidate that separates most of the combinations that are still possible; `undefined` if none separates any. */
export const chooseCandidate = (
  candidates: readonly Candidate[],
  space: Space,
  predictions: (candidate: Candidate, sample: Combination) => string,
  decisiveOnly: boolean,
): Choice | undefined => {
  const isOpen = (variable: string) => (space.domains.get(variable)?.length ?? 0) > 1
  const useful = candidates.filter(({ targets }) => targets.some(isOpen))
  if (useful.length === 0) return undefined
  const samples = space.samples()
  const choices = useful.flatMap((candidate) => {
    const texts = samples.map((sample) => predictions(candidate, sample))
    const worth = separation(texts)
    return worth > 0 ? [{ candidate, worth, texts }] : []
  })
  for (const { candidate, texts } of choices.toSorted((a, b) => b.worth - a.worth)) {
    const isSure = isDecisive(texts)
    if (isSure || !decisiveOnly) return { candidate, isDecisive: isSure }
  }
  return undefined
}
