import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { sumOf } from './sum.ts'

it.each([
  [[], 0],
  [[0.1, 0.2], 0.3],
  [[0.1, 0.2, 0.3], 0.6],
  [[-0.1, -0.2, 0.3], 0],
  [[-0], 0],
  [[-0.5, 0.25], -0.25],
  [[1e16, 1, -1e16], 1],
  [[1, 1e100, 1, -1e100], 2],
  [[1e13, 0.25], 10_000_000_000_000.25],
  [[1e-7, 2e-7], 3e-7],
  [[1e21, 1e-7], 1e21],
  [[Number.MAX_VALUE, Number.MAX_VALUE], Infinity],
  [[5e-324, -5e-324], 0],
])('adds %j up to %d', (values, expected) => {
  expect(sumOf(values)).toBe(expected)
})

it('adds any cents up exactly, in any order', () => {
  const lists = fc.array(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), { maxLength: 200 })
  fc.assert(
    fc.property(lists, (cents) => {
      const amounts = cents.map((cent) => cent / 100)
      const expected = cents.reduce((sum, cent) => sum + cent, 0) / 100 + 0

      expect(sumOf(amounts)).toBe(expected)
      expect(sumOf(amounts.toSorted((a, b) => a - b))).toBe(expected)
    }),
  )
})

it('returns a single value as it is', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(sumOf([value])).toBe(value + 0)
    }),
  )
})

it.each([
  [Number.NaN, 'NaN'],
  [Infinity, 'Infinity'],
  [undefined, 'undefined'],
  ['0.1', 'a string of 3 characters'],
])('rejects %o and says so', (value, got) => {
  expect(() => sumOf([1, value as number])).toThrow(new TypeError(`\`values\` must be finite numbers, got ${got}`))
})
