/**
 * Adds up decimals so that the order of the values does not show in the result.
 *
 * Plain addition gives 0.1 + 0.2 = 0.30000000000000004, and other digits in another order. This carries the rounding
 * error along (Neumaier) and cuts off the digits that are too small, next to the sum of the magnitudes, to be exact.
 */
export const sumOf = (values: Iterable<number>): number => {
  let sum = 0
  let lost = 0
  let magnitude = 0
  for (const value of values) {
    const next = sum + value
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum
    sum = next
    magnitude += Math.abs(value)
  }
  // JSON has no number above the largest double, only null.
  if (!Number.isFinite(sum + lost)) return sum < 0 ? -Number.MAX_VALUE : Number.MAX_VALUE
  const decimals = 14 - Math.floor(Math.log10(magnitude))
  // Adding 0 turns -0 into 0.
  return decimals >= 0 && decimals <= 100 ? Number((sum + lost).toFixed(decimals)) + 0 : sum + lost
}

/** Values as integers: each one is `Math.round(value * factor)`, which divided by `factor` is the value again. */
export interface DecimalScale {
  /** A power of ten. */
  readonly factor: number
  /** The sum of the magnitudes of all integers. */
  readonly magnitude: number
}

// Below 2^53, where integers are exact, and below 1e15, where `sumOf` keeps all decimals (see there: 14).
const maxMagnitude = 9e14
const maxFactor = 1e15

/**
 * Finds the integers that stand for decimals; `undefined` if a value has too many digits.
 *
 * The sum of any of these integers is exact in any order, so sums of ranges can be subtracted from one another, and
 * divided by `factor` it is the number that `sumOf` returns for the values: rounding errors of doubles stay below
 * 2.3e-16 of the magnitude, and `sumOf` rounds at no less than 1e-15 of it, to a multiple of `1 / factor`.
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
