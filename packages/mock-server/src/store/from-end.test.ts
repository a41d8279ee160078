import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { fromEnd } from './from-end.ts'

it('reads a list that goes up as it would stand if it went down, ties unturned', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 60 }),
      fc.nat(70),
      fc.nat(70),
      (values, start, length) => {
        const numbers = values.map((_value, i) => i)
        const valueAt = (row: number) => values[row] ?? 0
        const up = Uint32Array.from(numbers.toSorted((a, b) => valueAt(a) - valueAt(b) || a - b))
        const down = numbers.toSorted((a, b) => valueAt(b) - valueAt(a) || a - b)

        expect(fromEnd(up, valueAt, start, start + length)).toEqual(down.slice(start, start + length))
      },
    ),
  )
})

it('looks at few rows of a long run', () => {
  const rows = Uint32Array.from({ length: 100_000 }, (_none, i) => i)
  let looks = 0

  const page = fromEnd(rows, (row) => (looks++, row < 50 ? 0 : 1), 10, 13)

  expect(page).toEqual([60, 61, 62])
  expect(looks).toBeLessThan(100)
})
