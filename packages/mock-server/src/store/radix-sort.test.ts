import { expect, it } from 'vitest'
import { radixSorted } from './radix-sort.ts'

const sorted = (numbers: readonly number[], direction?: 1 | -1) => [
  ...radixSorted(Uint32Array.from(numbers.keys()), Float64Array.from(numbers), direction),
]

it('radixSorted sorts numbers of any size and sign, and keeps the order of equal ones', () => {
  const numbers = [3, -0, 1e-300, -2.5, 0, Number.MAX_VALUE, -1e300, 3, -2.5]

  expect(sorted(numbers)).toEqual([6, 3, 8, 1, 4, 2, 0, 7, 5])
  expect(sorted(numbers, -1)).toEqual([5, 0, 7, 2, 1, 4, 3, 8, 6])
})

it('radixSorted starts from the order of the indexes', () => {
  const [indexes, numbers] = [Uint32Array.from([2, 0, 3, 1]), Float64Array.from([1, 7, 1, 0])]

  expect([...radixSorted(indexes, numbers)]).toEqual([3, 2, 0, 1])
  expect([...radixSorted(new Uint32Array(), numbers)]).toEqual([])
})
