import { expect, it } from 'vitest'
import { createConcurrency } from './concurrency.ts'

/** Pages in flight after round trips of so many milliseconds. */
const pagesAfter = (roundTrips: readonly number[], given?: number) => {
  const concurrency = createConcurrency(given)
  for (const roundTripMs of roundTrips) concurrency.record(roundTripMs)
  return concurrency.pages
}

it.each([
  ['ten before the first response', [], 10],
  ['ten and those of one round trip', [800], 18],
  ['one more for a part of a page', [801], 19],
  ['a quarter closer to the last round trip each time', [800, 1200, 500], 10 + 8],
  ['fewer as round trips get shorter', [800, 0, 0], 10 + 5],
  ['no more than 32', [60_000], 32],
  ['ten where the clock went back', [-500], 10],
  ['the same after a round trip that is no number', [800, Number.NaN], 18],
])('keeps pages in flight: %s, after %j', (_what, roundTrips, expected) => {
  expect(pagesAfter(roundTrips)).toBe(expected)
})

it('keeps as many in flight as it is given, whatever the round trips', () => {
  expect(pagesAfter([800], 3)).toBe(3)
})
