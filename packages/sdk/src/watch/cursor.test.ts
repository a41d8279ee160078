import { entry } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'
import { createCursor } from './cursor.ts'

it.each([
  [250, false],
  [400, true],
])('a cursor whose position nobody reads: after %i transactions, the first is forgotten: %j', (count, isForgotten) => {
  const cursor = createCursor({ from: Date.UTC(2026, 0, 1), seen: [] }, 200_000)
  cursor.startPoll(Date.UTC(2026, 1, 1))
  for (let n = 1; n <= count; n++) cursor.add(entry(n))

  expect(cursor.add(entry(1))).toBe(isForgotten)
})
