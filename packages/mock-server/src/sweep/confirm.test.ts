import { expect, it } from 'vitest'
import { separatingParts } from './confirm.ts'

it.each([
  [0, 0],
  [1, 1],
  [2, 2],
  [3, 3],
  [6, 4],
  [7, 5],
  [50, 8],
])('separates each of %i tests from each other one with %i runs', (count, runs) => {
  const ids = Array.from({ length: count }, (_, i) => `t${i}`)

  const parts = separatingParts(ids)

  for (const one of ids) {
    for (const other of ids) expect(one === other || parts.some((part) => part.has(one) && !part.has(other))).toBe(true)
    expect(parts.some((part) => part.has(one))).toBe(true)
  }
  expect(parts).toHaveLength(runs)
})
