import { expect, it } from 'vitest'
import { separatingParts } from './confirm.ts'

it.each([1, 2, 3, 7, 50])('separates each of %i tests from each other one', (count) => {
  const ids = Array.from({ length: count }, (_, i) => `t${i}`)

  const parts = separatingParts(ids)

  for (const one of ids) {
    for (const other of ids) expect(one === other || parts.some((part) => part.has(one) && !part.has(other))).toBe(true)
    expect(parts.some((part) => part.has(one))).toBe(true)
  }
  expect(parts.length).toBeLessThanOrEqual(Math.max(1, 2 * Math.ceil(Math.log2(count))))
})
