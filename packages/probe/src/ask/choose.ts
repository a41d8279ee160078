import { parts } from '../infer/aspects.ts'
import type { Copy } from '../infer/copy.ts'
import type { Solution } from '../infer/domains.ts'
import { failingIn } from '../infer/observation.ts'
import type { Candidate } from './candidates.ts'

/** So many solutions are told apart, and so many candidates compared. */
const most = 16

/** A request whose response tells solutions apart best; `undefined` if none does. */
export const choose = (
  candidates: readonly Candidate[],
  pool: readonly Solution[],
  copy: Copy,
): Candidate | undefined => {
  const solutions = pool.slice(0, most)
  /** How often a solution would be ruled out by what another predicts. */
  const scoreOf = ({ request }: Candidate): number => {
    const ruledOut = parts.flatMap((part) => {
      const responses = new Set(solutions.map((solution) => copy.predict(request, solution, part).expected))
      if (responses.size === 1) return []
      return [...responses].flatMap((observed) =>
        solutions.filter((solution) => failingIn({ request, observed, copies: [copy] }, part, solution).length > 0),
      )
    })
    return ruledOut.length
  }
  const first = candidates.findIndex((one) => scoreOf(one) > 0)
  if (first < 0) return undefined
  const scored = candidates.slice(first, first + most).map((candidate) => ({ candidate, score: scoreOf(candidate) }))
  return scored.toSorted((a, b) => b.score - a.score)[0]?.candidate
}
