import { allows } from './model/aspects.ts'
import { keptFor } from './model/kept-results.ts'
import type { Candidate } from './candidate.ts'
import { examplesOf, type Count, type CountOutcomes, type Outcome } from './outcomes.ts'
import type { Space } from './space/space.ts'

/** Whether a response as in the example of one outcome would exclude another. */
const excludes = (one: Outcome, other: Outcome): boolean =>
  keptFor(one, [other], () =>
    examplesOf(one).some((example, i) => example !== undefined && !allows(other.predictions[i], example)),
  )

/** The most that the response to a request can exclude: whatever it is, every other outcome. */
const mostExcluded = (counts: readonly Count[]): number => {
  const all = counts.reduce((sum, { count }) => sum + count, 0)
  return all ** 2 - counts.reduce((sum, { count }) => sum + count ** 2, 0)
}

/** What the response to a request is worth. */
interface Worth {
  /** How many pairs of combinations it is expected to tell apart: those where one would exclude the other. */
  readonly excluded: number
  /** Whether it excludes something whatever it is, as far as two outcomes tell. */
  readonly isDecisive: boolean
}

const worthOf = (counts: readonly Count[]): Worth => {
  let [excluded, isDecisive] = [0, false]
  for (const a of counts) {
    for (const b of counts) {
      // Each pair once.
      if (a === b) break
      const [first, second] = [excludes(a.outcome, b.outcome), excludes(b.outcome, a.outcome)]
      excluded += (Number(first) + Number(second)) * a.count * b.count
      isDecisive ||= first && second
    }
  }
  return { excluded, isDecisive }
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
  countOutcomes: CountOutcomes,
  options: ChoiceOptions,
): Choice | undefined => {
  const { decisiveOnly, isPromising, isThorough = false } = options
  const isOpen = (variable: string) => (space.domains.get(variable)?.length ?? 0) > 1 && isPromising(variable)
  const useful = candidates.filter(({ targets }) => targets.some(isOpen))
  if (useful.length === 0) return undefined
  const samples = space.samples(isThorough)
  const counted = useful.map((candidate, position) => {
    const counts = countOutcomes(candidate, samples, space.domains)
    return { candidate, position, counts, most: mostExcluded(counts) }
  })
  let best: (Worth & { readonly candidate: Candidate; readonly position: number }) | undefined
  // Those first that may exclude most: then nearly all others need no comparison of outcomes.
  for (const { candidate, position, counts, most } of counted.toSorted((a, b) => b.most - a.most)) {
    if (most === 0 || (best && most < best.excluded)) break
    const worth = worthOf(counts)
    if (worth.excluded === 0 || (decisiveOnly && !worth.isDecisive)) continue
    const isBetter = !best || worth.excluded > best.excluded
    if (isBetter || (worth.excluded === best?.excluded && position < best.position))
      best = { candidate, position, ...worth }
  }
  if (best) return { candidate: best.candidate, isDecisive: best.isDecisive }
  return isThorough ? undefined : chooseCandidate(candidates, space, countOutcomes, { ...options, isThorough: true })
}
