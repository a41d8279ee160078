import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { prefixSumsOf, sumBetween } from './prefix-sums.ts'

it('adds up any range of positions', () => {
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

it('adds up ranges that begin and end near every 128th position', () => {
  const edges = [0, 1, 127, 128, 129, 255, 256, 257]

  for (const length of [1, 127, 128, 129, 256, 300]) {
    const indexes = Uint32Array.from({ length }, (_none, i) => length - 1 - i)
    // The values `length` down to 1.
    const integerAt = (index: number) => index + 1
    const sums = prefixSumsOf(indexes, integerAt)
    const before = (end: number) => (end * (2 * length - end + 1)) / 2
    for (const from of edges.filter((edge) => edge <= length)) {
      for (const to of [...edges, length].filter((edge) => edge >= from && edge <= length)) {
        expect(sumBetween(sums, indexes, integerAt, from, to)).toBe(before(to) - before(from))
      }
    }
  }
})
