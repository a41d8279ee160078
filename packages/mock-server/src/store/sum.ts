import { sumOf as exactSumOf } from '@guild-ledger/sdk/contract'

/** The exact sum of decimals, rounded once. JSON has no number above the largest double, only null. */
export const sumOf = (values: Iterable<number>): number =>
  Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, exactSumOf(values)))

/** What makes integers of decimals: each is `Math.round(value * factor)`, which divided by the factor is the value again. */
export interface DecimalScale {
  /** A power of ten; `undefined` if a value has too many digits. */
  readonly factor: number | undefined
  readonly most: number
  readonly count: number
}

// Below 2^53, where integers are exact.
const maxSum = 9e14
const maxFactor = 1e15

/** The scale of decimals, the first of which have a known one. */
export const scaleOf = (
  values: Float64Array,
  before: DecimalScale = { factor: 1, most: 0, count: 0 },
): DecimalScale => {
  let { factor = Infinity, most } = before
  for (let i = before.count; i < values.length && factor <= maxFactor; i++) {
    const value = values[i] as number
    while (factor <= maxFactor && Math.round(value * factor) / factor !== value) factor *= 10
    most = Math.max(most, Math.abs(value))
  }
  return { factor: factor <= maxFactor ? factor : undefined, most, count: values.length }
}

/**
 * The factor of a scale if the sum of any of the integers is exact, in any order. Divided by the factor it is the number
 * that `sumOf` returns for the values: both round the same decimal once.
 */
export const exactFactorOf = ({ factor, most, count }: DecimalScale): number | undefined =>
  factor !== undefined && most * factor * count < maxSum ? factor : undefined
