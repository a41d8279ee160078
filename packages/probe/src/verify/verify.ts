import { recordReads, type AssumptionKey } from '@guild-ledger/mock-server/assumptions'
import type { Candidate } from '../ask/candidates.ts'
import type { Explorer } from '../explore.ts'
import { agreesIn, aspects } from '../infer/aspects.ts'
import type { Copy } from '../infer/copy.ts'
import { toAssumptions, type Solution } from '../infer/domains.ts'

/** Requests that test the result. */
const verifications = 40

/** What a response depends on, by one run of the mock. */
const readsOf = (copy: Copy, { request }: Pick<Candidate, 'request'>, solution: Solution): Set<AssumptionKey> => {
  const reads = new Set<AssumptionKey>()
  copy.respond(request, recordReads(toAssumptions(solution), reads))
  return reads
}

/** How a mock with the decided values compares with the service. */
export interface Verification {
  /** Requests that were not used before. */
  readonly requests: number
  /** Parts of all responses that were compared with a mock that has the values of the report. */
  readonly compared: number
  /** Those that differ, and that the report does not call unexplained. */
  readonly different: number
}

/** Sends requests that touch each decided value where it was not inferred. A response that contradicts it withdraws it. */
export const verify = async (explorer: Explorer, decided: () => ReadonlySet<AssumptionKey>): Promise<number> => {
  const { ledger } = explorer
  const covered = new Map<AssumptionKey, Set<string>>()
  const cover = (keys: ReadonlySet<AssumptionKey>, place: string): void => {
    for (const key of keys) covered.set(key, (covered.get(key) ?? new Set()).add(place))
  }
  const solution = (): Solution => explorer.inference.pool[0] ?? new Map()
  for (const { request, place } of explorer.inference.observations)
    cover(readsOf(ledger.copy, { request }, solution()), place)
  const inferred = new Map([...covered].map(([key, places]) => [key, places.size]))
  let sent = 0
  let reads = new Map<Candidate, Set<AssumptionKey>>()
  let copy: Copy | undefined
  let [current, blamed] = [decided(), explorer.inference.blamed]
  for (; sent < verifications && !ledger.unusable; sent++) {
    if (blamed !== explorer.inference.blamed) [current, blamed] = [decided(), explorer.inference.blamed]
    if (copy !== ledger.copy) reads = new Map()
    copy = ledger.copy
    const scoreOf = (candidate: Candidate): number => {
      const keys = reads.get(candidate) ?? readsOf(ledger.copy, candidate, solution())
      reads.set(candidate, keys)
      let score = 0
      for (const key of keys) {
        const places = covered.get(key)
        // The more often a value was tested since it was inferred, the less one more test tells.
        if (current.has(key) && !places?.has(candidate.place))
          score +=
            (candidate.place.startsWith('check') ? 10 : 1) / (1 + (places?.size ?? 0) - (inferred.get(key) ?? 0)) ** 2
      }
      return score
    }
    const [best] = explorer.candidates
      .map((candidate) => [candidate, scoreOf(candidate)] as const)
      .toSorted(([, a], [, b]) => b - a)
    if (!best || best[1] === 0) break
    cover(reads.get(best[0]) ?? new Set(), best[0].place)
    await explorer.observe(best[0])
  }
  await explorer.checkLedger()
  return sent
}

/** Compares all responses with those of a mock that has the values that are written. */
export const compare = (explorer: Explorer, written: Solution): Pick<Verification, 'compared' | 'different'> => {
  let [compared, different] = [0, 0]
  const { blamed, observations } = explorer.inference
  for (const { request, observed, copies } of observations) {
    const copy = copies.at(-1)
    if (copies.length !== 1 || !copy) continue
    const assumptions = toAssumptions(written)
    const reads = readsOf(copy, { request }, written)
    if ([...reads].some((key) => blamed.has(key))) continue
    const expected = copy.respond(request, assumptions)
    const others = [...copy.others(request, assumptions)]
    for (const aspect of aspects) {
      if (others.some((other) => !agreesIn(aspect, other, expected))) continue
      compared++
      if (!agreesIn(aspect, expected, observed)) different++
    }
  }
  return { compared, different }
}
