import { agreesIn, aspectsOf, parts, type Aspect } from '../infer/aspects.ts'
import type { Copy } from '../infer/copy.ts'
import type { Domains, Solution } from '../infer/domains.ts'
import { covering, type Inference } from '../infer/inference.ts'
import type { Candidate } from './candidate.ts'

const maxSampled = 16
/** So many candidates are compared at once. */
const maxCompared = 16
/** A pair of solutions that a response tells apart whichever is right counts as much as so many others. */
const surely = 100

type Known = Pick<Inference, 'pool' | 'domains' | 'reference'>

/** How many combinations of values a response depends on; 1 if nothing is open. */
const sizeOf = ({ request }: Candidate, domains: Domains, solution: Solution, copy: Copy): number => {
  const reads = new Set(parts.flatMap((part) => copy.predict(request, solution, part).reads))
  return [...reads].reduce((size, key) => size * (domains.get(key)?.length ?? 1), 1)
}

/** How well a response tells solutions apart: for sure where the ledger hides nothing, else if one of the two is right. */
const separation = ({ request }: Candidate, solutions: readonly Solution[], copy: Copy): number => {
  const scores = new Map<number, number>()
  for (const part of parts) {
    const responses = solutions.map((solution) => copy.predict(request, solution, part).expected)
    const hidden: ReadonlySet<Aspect>[] = []
    const isHidden = (i: number, aspect: Aspect): boolean =>
      (hidden[i] ??= copy.hidden(request, solutions[i] ?? {}, part)).has(aspect)
    for (const [i, a] of responses.entries()) {
      for (const [j, b] of responses.slice(0, i).entries()) {
        const pair = i * maxSampled + j
        if (a === b || scores.get(pair) === surely) continue
        const different = aspectsOf[part].filter((aspect) => !agreesIn(aspect, a, b))
        if (different.some((aspect) => !isHidden(i, aspect) && !isHidden(j, aspect))) scores.set(pair, surely)
        else if (different.some((aspect) => !isHidden(i, aspect) || !isHidden(j, aspect))) scores.set(pair, 1)
      }
    }
  }
  return [...scores.values()].reduce((sum, score) => sum + score, 0)
}

/** The situations in which a request tests the service. Of several invalid parameters, one that is rejected hides the others. */
export const situationsOf = (
  { request, place, tests }: Candidate,
  copy: Copy,
  solution: Solution,
): readonly string[] => {
  if (tests === undefined || !place.endsWith('several invalid')) return tests ?? [place]
  return copy.predict(request, solution, 'data').expected.status === 200 ? tests : []
}

/**
 * A request in a situation in which none was sent: first ordinary ones, then those on whose responses the least is open, so
 * that each is easy to understand; `undefined` if there are none.
 */
export const planned = (
  candidates: readonly Candidate[],
  { domains, reference }: Known,
  copy: Copy,
  tested: ReadonlySet<string>,
): Candidate | undefined => {
  const ranked = candidates.flatMap((candidate) => {
    const fresh = situationsOf(candidate, copy, reference).filter((one) => !tested.has(one)).length
    if (fresh === 0) return []
    const size = sizeOf(candidate, domains, reference, copy)
    // What nothing is open about comes last; of that, what tests most.
    const cost = size === 1 ? 1e9 - fresh : /plain|order/.test(candidate.place) ? 0 : size
    return [{ candidate, cost }]
  })
  const least = Math.min(...ranked.map(({ cost }) => cost))
  return ranked.find(({ cost }) => cost === least)?.candidate
}

/**
 * A request whose response tells solutions apart; `undefined` if none does. Those that do not, for as long as no value
 * becomes possible again, are added to `settled`.
 */
export const choose = (
  candidates: readonly Candidate[],
  { domains, pool }: Known,
  copy: Copy,
  settled: WeakSet<Candidate>,
): Candidate | undefined => {
  const solutions = covering(pool).slice(0, maxSampled)
  let best: { candidate: Candidate; score: number } | undefined
  let compared = 0
  for (const candidate of candidates) {
    if (settled.has(candidate)) continue
    const score = solutions.some((solution) => sizeOf(candidate, domains, solution, copy) > 1)
      ? separation(candidate, solutions, copy)
      : 0
    if (score === 0) settled.add(candidate)
    if (score > (best?.score ?? 0)) best = { candidate, score }
    if (best && ++compared >= maxCompared) break
  }
  return best?.candidate
}
