import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { decimalScaleOf, sumOf } from './sum.ts'

it('sumOf stays a number that JSON can hold', () => {
  expect(sumOf([Number.MAX_VALUE, Number.MAX_VALUE])).toBe(Number.MAX_VALUE)
  expect(sumOf([-Number.MAX_VALUE, -Number.MAX_VALUE])).toBe(-Number.MAX_VALUE)
})

it('decimalScaleOf finds a scale with which integers add up to the same as decimals', () => {
  const decimals = fc
    .tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.nat(6))
    .map(([n, places]) => n / 10 ** places)
  fc.assert(
    fc.property(fc.array(decimals, { minLength: 1, maxLength: 200 }), (values) => {
      const { factor = Number.NaN, magnitude = Number.NaN } = decimalScaleOf(Float64Array.from(values)) ?? {}
      const integers = values.map((value) => Math.round(value * factor))

      expect(integers.map((integer) => integer / factor + 0)).toEqual(values.map((value) => value + 0))
      expect(magnitude).toBe(integers.reduce((sum, integer) => sum + Math.abs(integer), 0))
      expect(integers.reduce((sum, integer) => sum + integer, 0) / factor).toBe(sumOf(values))
    }),
    { numRuns: 1000 },
  )
})

it.each([
  ['none', [], { factor: 1, magnitude: 0 }],
  ['integers', [3, -4], { factor: 1, magnitude: 7 }],
  ['cents', [0.01, 2], { factor: 100, magnitude: 201 }],
  ['cents of more than nine trillion', [9e12, 0.01], undefined],
  ['more than nine hundred trillion', [9e14], undefined],
  ['a value of fifteen digits', [1e-15], { factor: 1e15, magnitude: 1 }],
  ['a value of many digits', [1 / 3], undefined],
  ['a value so small that no integer stands for it', [1e-300], undefined],
  ['the largest double', [Number.MAX_VALUE], undefined],
])('decimalScaleOf looks for the scale of %s', (_what, values, expected) => {
  expect(decimalScaleOf(Float64Array.from(values))).toEqual(expected)
})
