import { sumOf as exactSumOf } from '@guild-ledger/sdk/contract'

/** The exact sum of decimals, rounded once. JSON has no number above the largest double, only null. */
export const sumOf = (values: Iterable<number>): number =>
  Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, exactSumOf(values)))

// Below 2^53, where integers are exact.
const maxMagnitude = 9e14
const maxFactor = 1e15

/**
 * Finds a power of ten that makes integers of decimals: each is `Math.round(value * factor)`, which divided by the factor
 * is the value again. `undefined` if a value has too many digits.
 *
 * The sum of any of these integers is exact in any order, and divided by the factor it is the number that `sumOf` returns
 * for the values: both round the same decimal once.
 */
export const decimalFactorOf = (values: Float64Array): number | undefined => {
  let factor = 1
  for (const value of values) {
    while (Math.round(value * factor) / factor !== value) {
      factor *= 10
      if (factor > maxFactor) return undefined
    }
  }
  let magnitude = 0
  for (const value of values) magnitude += Math.abs(Math.round(value * factor))
  return magnitude < maxMagnitude ? factor : undefined
}
