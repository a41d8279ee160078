import { alternativesTo, type Alternative } from '../assumptions/alternatives.ts'
import { recordReads } from '../assumptions/record-reads.ts'
import type { AssumptionKey, Assumptions } from '../assumptions/values.ts'
import type { Decision } from './decision.ts'

/** What decides whether a request is rejected, and the headers of every response. */
const ofRateLimit: ReadonlySet<AssumptionKey> = new Set([
  'rateLimitAlgorithm',
  'rateLimitScope',
  'rateLimitHeaders',
  'rateLimitedRequestsCount',
])

/**
 * Values of the rate limit. What it decides depends on earlier requests, so every other value may decide otherwise, also
 * where a request passes.
 */
const dependenciesOfRateLimit = ({ rateLimit }: Decision, current: Assumptions): readonly Alternative[] =>
  alternativesTo(current).filter(
    ({ key }) => rateLimit && (ofRateLimit.has(key) || (rateLimit === 'rejected' && key === 'rateLimitStatus')),
  )

/** The other values, one at a time, under which a page or an error would have been another. Faults and stubs depend on none. */
const dependenciesOfResult = (
  { resultUnder }: Decision,
  current: Assumptions,
  isWanted: (key: AssumptionKey) => boolean = () => true,
): readonly Alternative[] => {
  const alternatives = alternativesTo(current).filter(({ key }) => isWanted(key))
  if (!resultUnder || alternatives.length === 0) return []
  const read = new Set<AssumptionKey>()
  const actual = JSON.stringify(resultUnder(recordReads(current, read)))
  return alternatives.filter(
    ({ key, value }) => read.has(key) && JSON.stringify(resultUnder({ ...current, [key]: value })) !== actual,
  )
}

/** The other values, one at a time, under which a decision may have been another: what a trace has. */
export const dependenciesOf = (decision: Decision, current: Assumptions): readonly Alternative[] => [
  ...dependenciesOfRateLimit(decision, current),
  ...dependenciesOfResult(decision, current),
]

/**
 * The values of the assumptions that a decision depends on, for `explain` and the coverage; `undefined` if there are none.
 * Those of the rate limit are named where it rejected the request.
 *
 * @param isWanted The other assumptions to look at; all by default.
 */
export const explained = (
  decision: Decision,
  current: Assumptions,
  isWanted?: (key: AssumptionKey) => boolean,
): Partial<Assumptions> | undefined => {
  const ofLimit = decision.rateLimit === 'rejected' ? dependenciesOfRateLimit(decision, current) : []
  const found = [...ofLimit, ...dependenciesOfResult(decision, current, isWanted)]
  const entries = found.map(({ key }) => [key, current[key]] as const)
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}
