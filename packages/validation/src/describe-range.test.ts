import { expect, it } from 'vitest'
import { describeRange } from './index.ts'

it.each<[number, number | undefined, string]>([
  [1, undefined, 'an integer ≥ 1'],
  [1, Number.MAX_SAFE_INTEGER, 'an integer ≥ 1'],
  [1, Infinity, 'an integer ≥ 1'],
  [1, 100, 'an integer from 1 to 100'],
  [0, 0, 'an integer from 0 to 0'],
])('describeRange describes the integers from %s to %s as %s', (min, max, described) => {
  expect(describeRange('an integer', min, max)).toBe(described)
})
