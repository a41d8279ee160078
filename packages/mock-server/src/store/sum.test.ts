import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { sumOf } from './index.ts'

it('adds decimals as on paper', () => {
  expect(sumOf([0.1, 0.2])).toBe(0.3)
  expect(sumOf([1e16, 1, -1e16])).toBe(1)
  expect(sumOf([])).toBe(0)
})

it('gives the same for cents in any order', () => {
  const lists = fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }), { maxLength: 200 })
  fc.assert(
    fc.property(lists, (cents) => {
      const amounts = cents.map((cent) => cent / 100)
      const expected = cents.reduce((sum, cent) => sum + cent, 0) / 100
      expect(sumOf(amounts)).toEqual(expected)
      expect(sumOf(amounts.toSorted((a, b) => a - b))).toEqual(expected)
    }),
  )
})

it('stays a number that JSON can hold', () => {
  expect(sumOf([Number.MAX_VALUE, Number.MAX_VALUE])).toBe(Number.MAX_VALUE)
  expect(sumOf([-Number.MAX_VALUE, -Number.MAX_VALUE])).toBe(-Number.MAX_VALUE)
})
