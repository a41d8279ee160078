import { createSum, describeGiven } from '@guild-ledger/validation'

/**
 * The exact sum of decimals, rounded once: `sumOf([0.1, 0.2, 0.3])` is 0.6, where `0.1 + 0.2 + 0.3` is
 * 0.6000000000000001. The order of the values does not matter. The sum of no values is 0.
 *
 * @throws {TypeError} A value is not a finite number.
 */
export const sumOf = (values: Iterable<number>): number => {
  const sum = createSum()
  for (const value of values) {
    if (!Number.isFinite(value)) throw new TypeError(`\`values\` must be finite numbers, got ${describeGiven(value)}`)
    sum.add(value)
  }
  return Number(sum)
}
