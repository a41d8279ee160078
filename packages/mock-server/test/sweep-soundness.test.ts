import { expect, it } from 'vitest'
import { compareMatrices, compareRows } from './sweep-programs.ts'

// `scripts/sweep-soundness.ts` runs thousands.
const programs = process.env.CI ? 150 : 20

it('traces every value under which a random program would observe something else', { timeout: 60_000 }, () => {
  const { all, covered, different, missed } = compareMatrices(Array.from({ length: programs }, (_, seed) => seed))

  expect(missed).toEqual([])
  // The programs do depend on assumptions, and the trace spares most of the runs.
  expect(different).toBeGreaterThan(programs)
  expect(covered).toBeLessThan(all / 4)
})

it('tells when a random program observes the same under several values as under one of them', () => {
  const { tried, clear, wrong } = compareRows(Array.from({ length: programs }, (_, seed) => seed))

  expect(wrong).toEqual([])
  expect(tried).toBeGreaterThan(programs)
  expect(clear).toBeGreaterThan(tried / 2)
})
