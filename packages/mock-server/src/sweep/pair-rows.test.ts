import { expect, it } from 'vitest'
import { alternativesTo, assume } from '../assumptions/index.ts'
import { pairRows } from './pair-rows.ts'

const items = alternativesTo(assume())

it('brings every two values of different assumptions together in at least one row', () => {
  const rows = pairRows(items, 8)
  const apart = items.flatMap((a, at) =>
    items
      .slice(at + 1)
      .filter((b) => a.key !== b.key && !rows.some((row) => row.includes(a) && row.includes(b)))
      .map((b) => [a, b]),
  )

  expect(apart).toEqual([])
})

it('keeps rows within the given length, with one value for each assumption', () => {
  const rows = pairRows(items, 8)

  expect(Math.max(...rows.map((row) => row.length))).toBe(8)
  expect(rows.filter((row) => new Set(row.map(({ key }) => key)).size < row.length)).toEqual([])
  expect(rows.length).toBeLessThan(60)
})
