import { allows } from './model/aspects.ts'
import { keptFor } from './model/kept-results.ts'
import type { Candidate } from './candidate.ts'
import type { Outcome, Predictions } from './outcomes.ts'
import type { Space } from './space/space.ts'

/** Whether a response as in the example of one outcome would exclude another. */
const excludes = (one: Outcome, other: Outcome): boolean =>
  keptFor(one, [other], () =>
    one.examples.some((example, i) => example !== undefined && !allows(other.predictions[i], example)),
  )

/** What the response to a request is worth. */
interface Worth {
  /** The share of combinations that it is expected to exclude. */
  readonly excluded: number
  /** Whether it excludes something whatever it is, as far as two outcomes tell. */
  readonly isDecisive: boolean
}

const worthOf = (outcomes: readonly Outcome[]): Worth => {
  const counts = new Map<string, { outcome: Outcome; count: number }>()
  for (const outcome of outcomes) {
    const known = counts.get(outcome.name)
    if (known) known.count++
    else counts.set(outcome.name, { outcome, count: 1 })
  }
  const distinct = [...counts.values()]
  let [excluded, isDecisive] = [0, false]
  for (const [i, a] of distinct.entries()) {
    for (const b of distinct.slice(i + 1)) {
      const [first, second] = [excludes(a.outcome, b.outcome), excludes(b.outcome, a.outcome)]
      excluded += (Number(first) + Number(second)) * a.count * b.count
      isDecisive ||= first && second
    }
  }
  return { excluded: excluded / outcomes.length ** 2, isDecisive }
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
  predictions: Predictions,
  options: ChoiceOptions,
): Choice | undefined => {
  const { decisiveOnly, isPromising, isThorough = false } = options
  const isOpen = (variable: string) => (space.domains.get(variable)?.length ?? 0) > 1 && isPromising(variable)
  const useful = candidates.filter(({ targets }) => targets.some(isOpen))
  if (useful.length === 0) return undefined
  const samples = space.samples(isThorough)
  const choices = useful.flatMap((candidate) => {
    const worth = worthOf(samples.map((sample) => predictions(candidate, sample)))
    return worth.excluded > 0 && (worth.isDecisive || !decisiveOnly) ? [{ candidate, ...worth }] : []
  })
  const [best] = choices.toSorted((a, b) => b.excluded - a.excluded)
  if (best) return { candidate: best.candidate, isDecisive: best.isDecisive }
  return isThorough ? undefined : chooseCandidate(candidates, space, predictions, { ...options, isThorough: true })
}
