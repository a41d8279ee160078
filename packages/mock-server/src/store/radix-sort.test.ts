import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { radixSorted } from './radix-sort.ts'

const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true, noDefaultInfinity: true }))

it('radixSorted sorts any numbers in both directions, and keeps the order of equal ones', () => {
  fc.assert(
    fc.property(fc.array(number, { size: 'medium' }), fc.constantFrom<1 | -1>(1, -1), (numbers, direction) => {
      const indexes = [...numbers.keys()].toReversed()
      const compare = (a: number, b: number) => direction * ((numbers[a] ?? 0) - (numbers[b] ?? 0))

      const sorted = radixSorted(Uint32Array.from(indexes), Float64Array.from(numbers), direction)

      expect([...sorted]).toEqual(indexes.toSorted(compare))
    }),
  )
})
