import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { reverseSlice } from './reverse-slice.ts'

it('reads an ascending array in descending order and leaves ties in their order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 60 }),
      fc.nat(70),
      fc.nat(70),
      (values, start, length) => {
        const numbers = values.map((_value, i) => i)
        const valueAt = (index: number) => values[index] ?? 0
        const up = Uint32Array.from(numbers.toSorted((a, b) => valueAt(a) - valueAt(b) || a - b))
        const down = numbers.toSorted((a, b) => valueAt(b) - valueAt(a) || a - b)

        expect(reverseSlice(up, valueAt, start, start + length)).toEqual(down.slice(start, start + length))
      },
    ),
  )
})

it('compares few transactions of a long run of equal values', () => {
  const indexes = Uint32Array.from({ length: 100_000 }, (_none, i) => i)
  let comparisons = 0

  const page = reverseSlice(indexes, (index) => (comparisons++, index < 50 ? 0 : 1), 10, 13)

  expect(page).toEqual([60, 61, 62])
  expect(comparisons).toBeLessThan(100)
})
