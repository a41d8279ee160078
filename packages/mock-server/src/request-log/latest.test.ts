import { expect, it } from 'vitest'
import { createLatest } from './latest.ts'

it('replaces no item that is not among the latest any more', () => {
  const latest = createLatest<string>(2)
  for (const item of ['a', 'b', 'c']) latest.add(item)
  const replace = (item: string) =>
    latest.replace(
      (one) => one === item,
      (one) => one.toUpperCase(),
    )

  expect([replace('a'), replace('b')]).toEqual([false, true])
  expect(latest.items()).toEqual(['B', 'c'])
})
