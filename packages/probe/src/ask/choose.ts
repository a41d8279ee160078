import { agreesIn, aspectsOf, parts, type Aspect } from '../infer/aspects.ts'
import type { Copy } from '../infer/copy.ts'
import type { Solution } from '../infer/domains.ts'
import type { Inference } from '../infer/inference.ts'
import type { Candidate } from './candidate.ts'

const maxSampled = 8
/** So many candidates are compared at once. */
const maxCompared = 16
/** So many of them are looked at closely. */
const maxBest = 2
/** A response that depends on more combinations of values than these is left for later. */
const maxSize = 200

/** Few of the solutions in which each possible value occurs. */
const sampled = (pool: readonly Solution[]): Solution[] => {
  const seen = new Set<string>()
  const chosen = pool.filter((solution) => {
    const fresh = [...solution].map(([key, value]) => `${key}=${value}`).filter((one) => !seen.has(one))
    for (const one of fresh) seen.add(one)
    return fresh.length > 0
  })
  return chosen.slice(0, maxSampled)
}

/**
 * A candidate whose response tells many pairs of solutions apart; with `isSure`, whichever of them is right. `undefined` if
 * none tells any. Candidates whose responses are known, for as long as no value becomes possible again, are added to `settled`.
 */
export const choose = (
  candidates: readonly Candidate[],
  { pool, domains }: Pick<Inference, 'pool' | 'domains'>,
  copy: Copy,
  settled: WeakSet<Candidate>,
  isSure = true,
): Candidate | undefined => {
  const solutions = sampled(pool)
  const sizeUnder = ({ request }: Candidate, solution: Solution): number =>
    Math.max(
      ...parts.map((part) =>
        copy.predict(request, solution, part).reads.reduce((size, key) => size * (domains.get(key)?.length ?? 1), 1),
      ),
    )
  /** The most combinations of values on which a part of a response depends; 1 if nothing is open. */
  const sizeOf = (candidate: Candidate): number => {
    const [first, ...others] = solutions
    const size = first ? sizeUnder(candidate, first) : 1
    return size <= 1 ? size : Math.max(size, ...others.map((solution) => sizeUnder(candidate, solution)))
  }
  /** How many pairs of solutions a response tells apart: roughly, or without what the ledger hides. */
  const countApart = (candidate: Candidate, isRough: boolean): number => {
    const apart = new Set<number>()
    for (const part of parts) {
      const responses = solutions.map((solution) => copy.predict(candidate.request, solution, part).expected)
      const hidden: ReadonlySet<Aspect>[] = []
      const isHidden = (i: number, aspect: Aspect): boolean =>
        !isRough && (hidden[i] ??= copy.hidden(candidate.request, solutions[i] ?? new Map(), part)).has(aspect)
      for (const [i, a] of responses.entries()) {
        for (const [j, b] of responses.slice(0, i).entries()) {
          if (a === b || apart.has(i * maxSampled + j)) continue
          const isApart = aspectsOf[part].some((aspect) => {
            if (agreesIn(aspect, a, b)) return false
            return isSure ? !isHidden(i, aspect) && !isHidden(j, aspect) : !isHidden(i, aspect) || !isHidden(j, aspect)
          })
          if (isApart) apart.add(i * maxSampled + j)
        }
      }
    }
    return apart.size
  }
  for (let next = 0; next < candidates.length;) {
    const useful: { candidate: Candidate; size: number; apart: number }[] = []
    for (let compared = 0; compared < maxCompared && next < candidates.length; next++) {
      const candidate = candidates[next] as Candidate
      if (settled.has(candidate)) continue
      const size = sizeOf(candidate)
      if (size <= 1) {
        settled.add(candidate)
        continue
      }
      compared++
      const apart = countApart(candidate, true)
      if (apart > 0) useful.push({ candidate, size, apart })
    }
    const small = useful.filter(({ size }) => size <= maxSize).toSorted((a, b) => b.apart - a.apart)
    const ordered = [...small, ...useful.filter(({ size }) => size > maxSize).toSorted((a, b) => a.size - b.size)]
    for (let i = 0; i < ordered.length; i += maxBest) {
      const close = ordered.slice(i, i + maxBest).map((one) => ({ ...one, apart: countApart(one.candidate, false) }))
      const [best] = close.filter(({ apart }) => apart > 0).toSorted((a, b) => b.apart - a.apart)
      if (best) return best.candidate
    }
  }
  return undefined
}
