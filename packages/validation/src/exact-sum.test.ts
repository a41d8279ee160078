import { expect, it } from 'vitest'
import { createSum } from './exact-sum.ts'

const sumOf = (values: number[]): string => {
  const sum = createSum()
  for (const value of values) sum.add(value)
  return String(sum)
}

it.each<[string, number[], string]>([
  ['nothing', [], '0'],
  ['tenths', [0.1, 0.2, 0.3], '0.6'],
  ['integers', [1, 2, 30], '33'],
  ['what cancels out', [0.5, -0.5], '0'],
  ['negative values', [-0.25, -0.5], '-0.75'],
  ['more digits than a number holds', [1e20, 0.1, 1e-20], '100000000000000000000.10000000000000000001'],
  ['exponents', [1.5e21, 2.5e-7], '1500000000000000000000.00000025'],
])('adds up %s exactly', (_, values, expected) => {
  expect(sumOf(values)).toBe(expected)
})
