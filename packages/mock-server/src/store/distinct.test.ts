import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { countDistinct, countDistinctOf, previousPositions } from './distinct.ts'

const anyCodes = fc.array(fc.nat(30), { maxLength: 600 }).map((codes) => Uint32Array.from(codes))

it('counts the different codes in any range of positions', () => {
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

it('counts the different codes of ranges that begin and end near every 128th position', () => {
  const edges = [0, 1, 127, 128, 129, 255, 256, 257, 300]
  // Ten codes at first, then each code once.
  const codes = Uint32Array.from({ length: 300 }, (_none, i) => (i < 200 ? i % 10 : i))
  const positions = previousPositions(Uint32Array.from(codes.keys()), codes, 300)

  for (const from of edges) {
    for (const to of edges.filter((edge) => edge >= from)) {
      const repeated = Math.min(10, Math.max(0, Math.min(to, 200) - from))
      expect(countDistinct(positions, from, to)).toBe(repeated + Math.max(0, to - Math.max(from, 200)))
    }
  }
})
