import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { countDistinct, countDistinctOf, previousPositions } from './distinct.ts'

const anyCodes = fc.array(fc.nat(30), { maxLength: 600 }).map((codes) => Uint32Array.from(codes))

it('countDistinct counts the different codes in any range of positions', () => {
  fc.assert(
    fc.property(anyCodes, fc.nat(600), fc.nat(600), (codes, a, b) => {
      const indexes = Uint32Array.from(codes, (_code, i) => codes.length - 1 - i)
      const [from = 0, to = 0] = [a, b].map((at) => Math.min(at, codes.length)).toSorted((x, y) => x - y)
      const expected = new Set(Array.from(indexes.subarray(from, to), (index) => codes[index])).size

      expect(countDistinct(previousPositions(indexes, codes, 31), from, to)).toBe(expected)
      expect(countDistinctOf(indexes.subarray(from, to), codes, 31)).toBe(expected)
    }),
  )
})
