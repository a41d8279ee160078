import { entry } from '@guild-ledger/test-kit'
import { describe, expect, it } from 'vitest'
import type { LedgerEntry } from '../contract/index.ts'
import { identityOf } from '../operations/index.ts'
import { createCursor } from './cursor.ts'

it.each([
  [250, false],
  [400, true],
])('a cursor whose position nobody reads: after %i transactions, the first is forgotten: %j', (count, isForgotten) => {
  const cursor = createCursor<LedgerEntry>({ from: Date.UTC(2026, 0, 1), seen: [] }, 200_000, identityOf)
  cursor.startPoll(Date.UTC(2026, 1, 1))
  for (let n = 1; n <= count; n++) cursor.add(entry(n))

  expect(cursor.add(entry(1))).toBe(isForgotten)
})

describe('the position of a cursor', () => {
  const start = Date.UTC(2026, 0, 1)
  const at = (n: number, ms: number | string) =>
    entry(n, { createdAt: typeof ms === 'string' ? ms : new Date(start + ms).toISOString() })
  const idOf = (n: number) => `${entry(n).platformId.length}:${entry(n).platformId}:${entry(n).transactionId}`
  const cursorOf = (seen: readonly string[] = [], overlapMs = 10_000) => {
    const cursor = createCursor<LedgerEntry>({ from: start, seen }, overlapMs, identityOf)
    cursor.startPoll(start + 3_600_000)
    return cursor
  }

  it('is a copy: what comes later does not change it', () => {
    const cursor = cursorOf()
    cursor.add(at(1, 1000))
    const before = cursor.position
    cursor.add(at(2, 2000))
    cursor.add(at(3, 60_000))

    expect(before).toEqual({ from: start, seen: [idOf(1)] })
    expect(cursor.position).toEqual({ from: start + 50_000, seen: [idOf(3)] })
  })

  it('has those that came late in the order of their times, and each once', () => {
    const cursor = cursorOf()
    const isNew = [
      [3, 3000],
      [1, 1000],
      [2, 2000],
      [1, 1000],
      [4, 4000],
    ].map(([n = 0, ms = 0]) => cursor.add(at(n, ms)))

    expect(isNew).toEqual([true, true, true, false, true])
    expect(cursor.position.seen).toEqual([1, 2, 3, 4].map(idOf))
  })

  it('keeps those of a checkpoint until they are met, and drops the others at the end of the poll', () => {
    const cursor = cursorOf([7, 5, 6].map(idOf))
    cursor.add(at(1, 1000))
    const isNew = cursor.add(at(6, 500))
    const during = cursor.position.seen
    cursor.endPoll()

    expect(isNew).toBe(false)
    expect(during).toEqual([6, 1, 7, 5].map(idOf))
    expect(cursor.position.seen).toEqual([6, 1].map(idOf))
  })

  it('moves one whose date was changed', () => {
    const cursor = cursorOf()
    cursor.add(at(1, 1000))
    cursor.add(at(2, 2000))
    cursor.add(at(1, 3000))

    expect(cursor.position.seen).toEqual([2, 1].map(idOf))
  })

  it('forgets one whose date cannot be read', () => {
    const cursor = cursorOf()
    cursor.add(at(1, 'yesterday'))
    cursor.add(at(2, 2000))

    expect(cursor.position.seen).toEqual([idOf(2)])
  })
})
