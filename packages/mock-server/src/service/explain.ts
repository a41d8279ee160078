import {
  assumptionDefinitions,
  type AssumptionKey,
  type AssumptionDefinition,
  type Assumptions,
} from '../assumptions/index.ts'
import type { OperationResult } from '../http.ts'

type Value = string | number | boolean | null

/** The values of an assumption other than the current one; of a number, those at its ends. */
const otherValues = (current: unknown, definition: AssumptionDefinition): Value[] => {
  const values: Value[] =
    'values' in definition
      ? definition.values.map(([value]) => value)
      : [definition.default, definition.min, definition.max, ...(definition.orNull ? [null] : [])]
  return values.filter((value) => value !== current)
}

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
  const decides = ([name, definition]: [string, AssumptionDefinition]): boolean =>
    otherValues(assumptions[name as AssumptionKey], definition).some(
      (value) => JSON.stringify(resultUnder({ ...assumptions, [name]: value })) !== actual,
    )
  const decisive = Object.entries<AssumptionDefinition>(assumptionDefinitions).filter(decides)
  return valuesOf(
    decisive.map(([name]) => name as AssumptionKey),
    assumptions,
  )
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
