import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { exactFactorOf, scaleOf, sumOf } from './sum.ts'

const factorOf = (...values: readonly number[]) => exactFactorOf(scaleOf(Float64Array.from(values)))

it('sumOf stays a number that JSON can hold', () => {
  expect(sumOf([Number.MAX_VALUE, Number.MAX_VALUE])).toBe(Number.MAX_VALUE)
  expect(sumOf([-Number.MAX_VALUE, -Number.MAX_VALUE])).toBe(-Number.MAX_VALUE)
})

it('exactFactorOf finds a factor with which integers add up to the same as decimals', () => {
  const decimals = fc
    .tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.nat(6))
    .map(([n, places]) => n / 10 ** places)
  fc.assert(
    fc.property(fc.array(decimals, { minLength: 1, maxLength: 200 }), (values) => {
      const factor = factorOf(...values) ?? Number.NaN
      const integers = values.map((value) => Math.round(value * factor))

      expect(integers.map((integer) => integer / factor + 0)).toEqual(values.map((value) => value + 0))
      expect(integers.reduce((sum, integer) => sum + integer, 0) / factor).toBe(sumOf(values))
    }),
    { numRuns: 1000 },
  )
})

it.each([
  ['none', [], 1],
  ['integers', [3, -4], 1],
  ['cents', [0.01, 2], 100],
  ['cents of more than nine trillion', [9e12, 0.01], undefined],
  ['more than nine hundred trillion', [9e14], undefined],
  ['a value of fifteen digits', [1e-15], 1e15],
  ['a value of many digits', [1 / 3], undefined],
  ['a value so small that no integer stands for it', [1e-300], undefined],
  ['the largest double', [Number.MAX_VALUE], undefined],
])('exactFactorOf looks for the factor of %s', (_what, values, expected) => {
  expect(factorOf(...values)).toBe(expected)
})
