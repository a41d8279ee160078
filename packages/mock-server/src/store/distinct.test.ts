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

it('notes for each 128 positions the smallest previous position', () => {
  // Codes 0 to 149, then 100 to 149 again.
  const codes = Uint32Array.from({ length: 200 }, (_none, i) => (i < 150 ? i : i - 50))
  const { previous, smallest } = previousPositions(Uint32Array.from(codes.keys()), codes, 150)

  expect([previous[149], previous[150], previous[199]]).toEqual([-1, 100, 149])
  expect([...smallest]).toEqual([-1, -1])
  expect([...previousPositions(Uint32Array.of(), codes, 150).smallest]).toEqual([])
})

it('skips 128 positions that only repeat codes of the range, without reading them', () => {
  const previous = new Int32Array(384).fill(-1)
  const countFrom = (from: number, smallest: readonly number[]) =>
    countDistinct({ previous, smallest: Int32Array.from(smallest) }, from, 384)

  expect(countFrom(0, [-1, -1, -1])).toBe(384)
  expect(countFrom(0, [-1, 0, -1])).toBe(256)
  expect(countFrom(5, [-1, 5, 4])).toBe(123 + 128)
})
