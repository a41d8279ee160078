import { recordReads, type AssumptionKey } from '@guild-ledger/mock-server/assumptions'
import { agreesIn, aspects, isSameIn, type Aspect, type Aspects } from '../infer/aspects.ts'
import type { Copy } from '../infer/copy.ts'
import { toAssumptions, type Domains, type Solution, type Value } from '../infer/domains.ts'
import type { Candidate } from './candidates.ts'

/** What a response would be. */
interface Prediction {
  readonly solution: Solution
  readonly expected: Aspects
  /** What it depends on. */
  readonly reads: readonly (readonly [AssumptionKey, Value])[]
  /** Aspects that depend on what a ledger does not show; found out when they matter. */
  hidden?: ReadonlySet<Aspect>
}

/** Predicts responses to candidates, each once for what it depends on. */
export class Predictions {
  readonly #copy: Copy
  readonly #kept = new Map<Candidate, Prediction[]>()

  constructor(copy: Copy) {
    this.#copy = copy
  }

  of(candidate: Candidate, solution: Solution): Prediction {
    const kept = this.#kept.get(candidate) ?? []
    const known = kept.find(({ reads }) => reads.every(([key, value]) => solution.get(key) === value))
    if (known) return known
    const reads = new Set<AssumptionKey>()
    const expected = this.#copy.respond(candidate.request, recordReads(toAssumptions(solution), reads))
    const prediction = { solution, expected, reads: [...reads].map((key) => [key, solution.get(key) ?? null] as const) }
    this.#kept.set(candidate, [...kept, prediction])
    return prediction
  }

  /** Whether every possible solution predicts the same. */
  isSettled(candidate: Candidate, domains: Domains): boolean {
    const kept = this.#kept.get(candidate) ?? []
    return kept.some(({ reads }) => reads.every(([key, value]) => domains.get(key)?.every((one) => one === value)))
  }

  /** How many combinations of possible values a response depends on. */
  sizeOf(candidate: Candidate, domains: Domains): number {
    const keys = new Set(this.#kept.get(candidate)?.flatMap(({ reads }) => reads.map(([key]) => key)))
    return [...keys].reduce((size, key) => size * (domains.get(key)?.length ?? 1), 1)
  }

  /** Whether a response would tell two predictions apart; with `isSure`, whichever of them is right. */
  differ(candidate: Candidate, a: Prediction, b: Prediction, isSure: boolean): boolean {
    if (a === b) return false
    return aspects.some((aspect) => {
      if (agreesIn(aspect, a.expected, b.expected)) return false
      const [isHidden, isOtherHidden] = [a, b].map((one) => this.#hiddenIn(candidate, one).has(aspect))
      return isSure ? !isHidden && !isOtherHidden : !isHidden || !isOtherHidden
    })
  }

  #hiddenIn({ request }: Candidate, prediction: Prediction): ReadonlySet<Aspect> {
    if (prediction.hidden) return prediction.hidden
    const { expected, solution } = prediction
    const hidden = new Set<Aspect>()
    for (const other of this.#copy.others(request, toAssumptions(solution))) {
      const before = hidden.size
      for (const aspect of aspects) if (!isSameIn(aspect, expected, other)) hidden.add(aspect)
      if (hidden.size === before) break
    }
    return (prediction.hidden = hidden)
  }
}

const maxSampled = 8
/** So many candidates are looked at, and more only while none is useful. */
const maxCompared = 24
/** A response that depends on more combinations of values than these is left for later. */
const maxSize = 600

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

/** A candidate whose response tells many pairs of solutions apart; `undefined` if none tells any. */
export const choose = (
  candidates: readonly Candidate[],
  pool: readonly Solution[],
  domains: Domains,
  predictions: Predictions,
  isSure = true,
): Candidate | undefined => {
  const solutions = sampled(pool)
  let best: Candidate | undefined
  let most = 0
  let compared = 0
  let [smallest, least]: [Candidate | undefined, number] = [undefined, Infinity]
  for (const candidate of candidates) {
    if (predictions.isSettled(candidate, domains)) continue
    if (++compared > maxCompared && best) break
    const found = [...new Set(solutions.map((solution) => predictions.of(candidate, solution)))]
    let apart = 0
    for (const [i, a] of found.entries()) {
      for (const b of found.slice(i + 1)) if (predictions.differ(candidate, a, b, isSure)) apart++
    }
    if (apart === 0) continue
    const size = predictions.sizeOf(candidate, domains)
    if (size < least) [smallest, least] = [candidate, size]
    if (apart > most && size <= maxSize) [best, most] = [candidate, apart]
  }
  return best ?? smallest
}
