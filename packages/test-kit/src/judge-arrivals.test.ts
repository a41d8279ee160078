import { expect, it } from 'vitest'
import { judgeArrivals } from './judge-arrivals.ts'

it('judgeArrivals counts the eleventh arrival in a half-open second, to the last digit', () => {
  const ten = Array.from({ length: 10 }, (_, i) => i * 10)

  expect(judgeArrivals([...ten, 1000]).over).toBe(0)
  expect(judgeArrivals([...ten, 999.999])).toMatchObject({ over: 1, most: 11 })
})
