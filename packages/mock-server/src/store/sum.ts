import { sumOf as exactSumOf } from '@guild-ledger/sdk/contract'

/** The exact sum of decimals, rounded once. JSON has no number above the largest double, only null. */
export const sumOf = (values: Iterable<number>): number =>
  Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, exactSumOf(values)))

/** Values as integers: each one is `Math.round(value * factor)`, which divided by `factor` is the value again. */
export interface DecimalScale {
  /** A power of ten. */
  readonly factor: number
  /** The sum of the magnitudes of all integers. */
  readonly magnitude: number
}

// Below 2^53, where integers are exact.
const maxMagnitude = 9e14
const maxFactor = 1e15

/**
 * Finds the integers that stand for decimals; `undefined` if a value has too many digits.
 *
 * The sum of any of these integers is exact in any order, so sums of ranges can be subtracted from one another, and
 * divided by `factor` it is the number that `sumOf` returns for the values: both round the same decimal once.
 */
export const decimalScaleOf = (values: Float64Array): DecimalScale | undefined => {
  let factor = 1
  for (const value of values) {
    while (Math.round(value * factor) / factor !== value) {
      factor *= 10
      if (factor > maxFactor) return undefined
    }
  }
  let magnitude = 0
  for (const value of values) magnitude += Math.abs(Math.round(value * factor))
  return magnitude < maxMagnitude ? { factor, magnitude } : undefined
}

/** The scale for values of two scales together; `undefined` if there is none. */
export const commonScale = (a: DecimalScale | undefined, b: DecimalScale | undefined): DecimalScale | undefined => {
  if (!a || !b) return undefined
  const factor = Math.max(a.factor, b.factor)
  const magnitude = a.magnitude * (factor / a.factor) + b.magnitude * (factor / b.factor)
  return magnitude < maxMagnitude ? { factor, magnitude } : undefined
}
