import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCredit } from './credit.ts'

const creditOf = (roundTrips: readonly number[]): number => {
  const credit = createCredit()
  for (const ms of roundTrips) credit.add(ms)
  return credit.ms
}

describe('credit', () => {
  it('is nothing for the first twenty answers, so that cold connections do not set the floor', () => {
    expect(creditOf(Array(19).fill(100))).toBe(0)
    expect(creditOf(Array(20).fill(100))).toBe(100)
  })

  it('is twice the smallest less the median', () => {
    expect(creditOf([...Array(9).fill(100), ...Array(11).fill(130)])).toBe(70)
  })

  it('is nothing on a noisy way', () => {
    expect(creditOf([...Array(9).fill(100), ...Array(11).fill(230)])).toBe(0)
  })

  it('remembers the smallest for ever, the rest for a hundred answers', () => {
    expect(creditOf([40, ...Array(100).fill(50)])).toBe(30)
    expect(creditOf([40, ...Array(150).fill(90)])).toBe(0)
  })

  it('is what a plain computation gives, and never more than the smallest round trip', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 20, maxLength: 250 }), (roundTrips) => {
        const latest = roundTrips.slice(-100).toSorted((a, b) => a - b)
        const smallest = Math.min(...roundTrips)
        const expected = Math.max(0, 2 * smallest - (latest[latest.length >> 1] ?? 0))

        expect(creditOf(roundTrips)).toBe(expected)
        expect(expected).toBeLessThanOrEqual(smallest)
      }),
    )
  })
})
