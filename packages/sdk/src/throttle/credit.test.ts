import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createCredit } from './credit.ts'

/** The credit after responses with these round trips, `apartMs` apart. */
const creditOf = (roundTrips: readonly number[], apartMs = 200): number => {
  const credit = createCredit()
  roundTrips.forEach((ms, i) => credit.add(ms, 1_000_000 + i * apartMs))
  return credit.ms
}

it('gives no credit before 100 responses', () => {
  expect(creditOf(Array(99).fill(100))).toBe(0)
  expect(creditOf(Array(100).fill(100))).toBe(100)
})

it('gives no credit before the responses span ten seconds', () => {
  expect(creditOf(Array(100).fill(100), 101)).toBe(0)
  expect(creditOf(Array(101).fill(100), 100)).toBe(100)
})

it('gives twice the smallest round trip less the 90th percentile', () => {
  expect(creditOf([...Array(50).fill(100), ...Array(50).fill(130)])).toBe(70)
  expect(creditOf([...Array(91).fill(100), ...Array(9).fill(900)])).toBe(100)
  expect(creditOf([...Array(90).fill(100), ...Array(10).fill(190)])).toBe(10)
})

it('gives no credit where round trips vary by more than the smallest', () => {
  expect(creditOf([...Array(50).fill(100), ...Array(50).fill(230)])).toBe(0)
})

it('remembers the smallest round trip until the process ends, the others for 100 responses', () => {
  expect(creditOf([40, ...Array(100).fill(50)])).toBe(30)
  expect(creditOf([40, ...Array(150).fill(90)])).toBe(0)
})

it('agrees with a plain computation, and is never more than the smallest round trip', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 50, max: 90 }), { minLength: 100, maxLength: 350 }), (roundTrips) => {
      const latest = roundTrips.slice(-100).toSorted((a, b) => a - b)
      const smallest = Math.min(...roundTrips)
      const expected = Math.max(0, 2 * smallest - (latest[90] ?? 0))

      expect(creditOf(roundTrips)).toBe(expected)
      expect(expected).toBeLessThanOrEqual(smallest)
    }),
  )
})
