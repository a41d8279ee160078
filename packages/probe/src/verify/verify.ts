import type { AssumptionKey, ModelRequest } from '@guild-ledger/mock-server/assumptions'
import type { ProbeReport } from '../types.ts'
import type { Candidate } from '../ask/candidates.ts'
import type { Explorer } from '../explore.ts'
import { agreesIn, aspectsOf, parts } from '../infer/aspects.ts'
import type { Copy } from '../infer/copy.ts'
import type { Solution } from '../infer/domains.ts'

/** Requests that test the result. */
const verifications = 60

/** What may have a rule of its own, such as each kind of an invalid parameter, and the assumption about it. */
const ruleOf = ({ place }: Pick<Candidate, 'place'>): [rule: string, key: AssumptionKey] | undefined => {
  const [rule] = /invalid \w+ \w+|^from [\w-]+|default order of \w+/.exec(place) ?? []
  if (rule === undefined) return undefined
  return [rule, rule.startsWith('from') ? 'sourceMatch' : rule.startsWith('d') ? 'userSortOrder' : 'invalidParameter']
}

/** Sends requests that touch each decided value where it was not inferred. A response that contradicts it withdraws it. */
export const verify = async (explorer: Explorer, decided: () => ReadonlySet<AssumptionKey>): Promise<number> => {
  const { ledger } = explorer
  const covered = new Map<AssumptionKey, Set<string>>()
  const cover = (keys: readonly AssumptionKey[], place: string): void => {
    for (const key of keys) covered.set(key, (covered.get(key) ?? new Set()).add(place))
  }
  let known = new Map<ModelRequest, readonly AssumptionKey[]>()
  let copy: Copy | undefined
  const readsOf = (request: ModelRequest): readonly AssumptionKey[] => {
    const solution: Solution = explorer.inference.pool[0] ?? new Map()
    if (copy !== ledger.copy) known = new Map()
    copy = ledger.copy
    const reads = known.get(request) ?? [
      ...new Set(parts.flatMap((part) => ledger.copy.predict(request, solution, part).reads)),
    ]
    known.set(request, reads)
    return reads
  }
  for (const { request, place } of explorer.inference.observations) cover(readsOf(request), place)
  const inferred = new Map([...covered].map(([key, places]) => [key, places.size]))
  const tested = new Set(explorer.inference.observations.map((one) => ruleOf(one)?.[0]))
  let sent = 0
  let [current, blamed] = [decided(), explorer.inference.blamed]
  for (; sent < verifications && !ledger.unusable; sent++) {
    if (blamed !== explorer.inference.blamed) [current, blamed] = [decided(), explorer.inference.blamed]
    const scoreOf = (candidate: Candidate): number => {
      const rule = ruleOf(candidate)
      let score = rule && !tested.has(rule[0]) && current.has(rule[1]) ? 20 : 0
      for (const key of readsOf(candidate.request)) {
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
    cover(readsOf(best[0].request), best[0].place)
    tested.add(ruleOf(best[0])?.[0])
    await explorer.observe(best[0])
  }
  await explorer.checkLedger()
  return sent
}

/** Compares all responses with those of a mock that has the values that are written. */
export const compare = (explorer: Explorer, written: Solution): ProbeReport['comparison'] => {
  let [compared, different] = [0, 0]
  const { blamed, observations } = explorer.inference
  for (const { request, observed, copies } of observations) {
    const copy = copies.at(-1)
    if (copies.length !== 1 || !copy) continue
    const predictions = parts.map((part) => [part, copy.predict(request, written, part)] as const)
    if (predictions.some(([, { reads }]) => reads.some((key) => blamed.has(key)))) continue
    for (const [part, prediction] of predictions) {
      const hidden = copy.hidden(request, written, part)
      for (const aspect of aspectsOf[part]) {
        if (hidden.has(aspect)) continue
        compared++
        if (!agreesIn(aspect, prediction.expected, observed)) different++
      }
    }
  }
  return { compared, different }
}
