import { assumptionRows, type AssumptionKey, type AssumptionRow, type Assumptions } from './assumptions/index.ts'
import type { Answer } from './faults/index.ts'

type Value = string | number | boolean | null

/** Other readings of a row than the one in force; of a number, those at its ends. */
const othersThan = (current: unknown, row: AssumptionRow): Value[] => {
  const values: Value[] =
    'readings' in row
      ? row.readings.map(([value]) => value)
      : [row.default, row.min, row.max, ...(row.orNull ? [null] : [])]
  return values.filter((value) => value !== current)
}

/**
 * The rows without which an answer would have been another: each is tried with its other readings, the rest as it is.
 */
export const shapedBy = (
  answer: Answer,
  assumptions: Assumptions,
  answerUnder: (assumptions: Assumptions) => Answer | undefined,
): AssumptionKey[] => {
  const given = JSON.stringify(answer)
  return Object.entries<AssumptionRow>(assumptionRows).flatMap(([name, row]) => {
    const key = name as AssumptionKey
    const matters = othersThan(assumptions[key], row).some(
      (value) => JSON.stringify(answerUnder({ ...assumptions, [key]: value })) !== given,
    )
    return matters ? [key] : []
  })
}

/** The rows that a refusal by the rate limit goes by. */
export const rateLimitRows: readonly AssumptionKey[] = [
  'rateLimitAlgorithm',
  'rateLimitScope',
  'rateLimitStatus',
  'rateLimitHeaders',
  'refusalsCount',
]

/** `pageUnit=transaction, sourceMatch=exact`, for a header or a log. */
export const inPairs = (keys: readonly AssumptionKey[], assumptions: Assumptions): string =>
  keys.map((key) => `${key}=${String(assumptions[key])}`).join(', ')
