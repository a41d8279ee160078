import { alternativesTo, type Alternative, type AssumptionKey, type Assumptions } from '../assumptions/index.ts'
import type { OperationResult } from '../http.ts'

/** The values of some assumptions. */
export const valuesOf = (keys: readonly AssumptionKey[], assumptions: Assumptions): Partial<Assumptions> =>
  Object.fromEntries(keys.map((key) => [key, assumptions[key]]))

/**
 * The assumptions that a result depends on: with another value of one of them, and the rest as they are, the result
 * would be another.
 */
export const decisiveAssumptions = (
  result: OperationResult,
  assumptions: Assumptions,
  resultUnder: (assumptions: Assumptions) => OperationResult | undefined,
): Partial<Assumptions> => {
  const actual = JSON.stringify(result)
  const decides = ({ key, value }: Alternative): boolean =>
    JSON.stringify(resultUnder({ ...assumptions, [key]: value })) !== actual
  const keys = alternativesTo(assumptions)
    .filter(decides)
    .map(({ key }) => key)
  return valuesOf(keys, assumptions)
}

/** The assumptions that an error response of the rate limit depends on. */
export const rateLimitAssumptions: readonly AssumptionKey[] = [
  'rateLimitAlgorithm',
  'rateLimitScope',
  'rateLimitStatus',
  'rateLimitHeaders',
  'rateLimitedRequestsCount',
]

/** `pageUnit=transaction, sourceMatch=exact`, as a header has them. */
export const formatAssumptions = (assumptions: Partial<Assumptions>): string =>
  Object.entries(assumptions)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(', ')
