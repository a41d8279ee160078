import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { prefixSumsOf, sumBetween } from './prefix-sums.ts'

it('sumBetween adds up any range of positions', () => {
  const lists = fc.array(fc.integer({ min: -1e12, max: 1e12 }), { maxLength: 600 })
  fc.assert(
    fc.property(lists, fc.nat(600), fc.nat(600), (integers, a, b) => {
      const indexes = Uint32Array.from(integers, (_integer, i) => integers.length - 1 - i)
      const integerAt = (index: number) => integers[index] ?? 0
      const [from = 0, to = 0] = [a, b].map((at) => Math.min(at, integers.length)).toSorted((x, y) => x - y)
      const expected = integers
        .toReversed()
        .slice(from, to)
        .reduce((sum, integer) => sum + integer, 0)

      expect(sumBetween(prefixSumsOf(indexes, integerAt), indexes, integerAt, from, to)).toBe(expected)
    }),
  )
})
