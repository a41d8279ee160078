import type { Alternative } from '../assumptions/index.ts'
import type { TestResult } from './types.ts'

/** The tests that fail under a value. */
export interface FailuresOfValue {
  readonly alternative: Alternative
  readonly failures: readonly TestResult[]
}

const rowLength = 8

/** A run that hangs or fails as a whole says nothing about other values. */
const isAloneInRow = ({ failures }: FailuresOfValue): boolean =>
  failures.some(({ status, isCommand }) => status === 'hung' || isCommand)

const isIndependent = (one: FailuresOfValue, other: FailuresOfValue): boolean => {
  const ids = new Set(other.failures.map(({ id }) => id))
  return one.alternative.key !== other.alternative.key && one.failures.every(({ id }) => !ids.has(id))
}

/**
 * Puts values together whose failures one run can repeat: values of different assumptions, and no test fails under two
 * of them.
 */
export const confirmationRows = (found: readonly FailuresOfValue[]): FailuresOfValue[][] => {
  const rows: FailuresOfValue[][] = []
  for (const one of found) {
    const fits = (row: FailuresOfValue[]) =>
      row.length < rowLength && row.every((other) => !isAloneInRow(other) && isIndependent(one, other))
    const row = isAloneInRow(one) ? undefined : rows.find(fits)
    if (row) row.push(one)
    else rows.push([one])
  }
  return rows
}
