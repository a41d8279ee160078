import { parts } from '../infer/aspects.ts'
import type { Copy } from '../infer/copy.ts'
import type { Solution } from '../infer/domains.ts'
import { failingIn } from '../infer/observation.ts'
import type { Candidate } from './candidates.ts'

const maxSolutions = 16
/** So many candidates are compared at once. */
const maxCompared = 16

/** How well a response tells solutions apart: how often one would be ruled out by what another predicts. */
const separation = ({ request }: Candidate, solutions: readonly Solution[], copy: Copy): number => {
  let ruledOut = 0
  for (const part of parts) {
    const responses = new Set(solutions.map((solution) => copy.predict(request, solution, part).expected))
    if (responses.size === 1) continue
    for (const observed of responses) {
      const observation = { request, observed, copies: [copy] }
      ruledOut += solutions.filter((solution) => failingIn(observation, part, solution).length > 0).length
    }
  }
  return ruledOut
}

/** A request whose response tells solutions apart; `undefined` if none does. */
export const choose = (
  candidates: readonly Candidate[],
  pool: readonly Solution[],
  copy: Copy,
): Candidate | undefined => {
  const solutions = pool.slice(0, maxSolutions)
  let best: { candidate: Candidate; score: number } | undefined
  let compared = 0
  for (const candidate of candidates) {
    const score = separation(candidate, solutions, copy)
    if (score > (best?.score ?? 0)) best = { candidate, score }
    if (best && ++compared >= maxCompared) break
  }
  return best?.candidate
}
