import { describe, expect, it } from 'vitest'
import type { LedgerEntry } from '../contract/index.ts'
import { createCursor, timestampRange } from './cursor.ts'

const at = (time: string) => Date.parse(`2026-01-31T${time}Z`)
const entry = (transactionId: string, time: string, platformId = 'ann') =>
  ({ platformId, transactionId, createdAt: `2026-01-31T${time}Z` }) as LedgerEntry
const from = (time: string) => ({ from: at(time), seen: [], until: Infinity })

describe('timestamp range', () => {
  it.each([
    ['2026-01-31T10:00:00.250Z', 250, 250],
    ['2026-01-31T10:00:00.25Z', 250, 250],
    ['2026-01-31T10:00:00.2509Z', 250, 250],
    ['2026-01-31T10:00:00Z', 0, 999],
    ['2026-01-31T10:00:00+00:00', 0, 999],
    ['2026-01-31T10:00Z', 0, 999],
  ])('of %s is %i to %i ms after the second', (createdAt, earliest, latest) => {
    const second = at('10:00:00')
    expect(timestampRange(createdAt)).toEqual({ earliest: second + earliest, latest: second + latest })
  })

  it('of a string that is no date has no numbers', () => {
    expect(timestampRange('yesterday')).toEqual({ earliest: NaN, latest: NaN })
  })
})

describe('cursor', () => {
  it('stays an overlap behind the newest transaction at the end of a poll', () => {
    const cursor = createCursor(from('09:00:00'), 10_000)
    cursor.startPoll(at('10:00:30'))
    cursor.add(entry('a', '10:00:20'))
    cursor.endPoll()
    expect(cursor.position.from).toBe(at('10:00:10'))
  })

  it('never moves past the time of the service, whatever is dated ahead', () => {
    const cursor = createCursor(from('09:00:00'), 10_000)
    cursor.startPoll(at('10:00:30'))
    cursor.add(entry('a', '23:00:00'))
    cursor.endPoll()
    expect(cursor.position.from).toBe(at('10:00:20'))
    expect(cursor.isNew(entry('b', '10:00:25'))).toBe(true)
  })

  it('moves within a poll only as far as the newest transaction of that poll allows', () => {
    const cursor = createCursor(from('09:00:00'), 10_000)
    cursor.startPoll(at('10:00:00'))
    cursor.add(entry('a', '09:59:59'))
    cursor.startPoll(at('10:00:05'))
    cursor.add(entry('b', '09:30:00'))
    cursor.advance()
    expect(cursor.position.from).toBe(at('09:29:50'))
  })

  it('never moves back', () => {
    const cursor = createCursor(from('10:00:00'), 10_000)
    cursor.startPoll(at('09:00:00'))
    cursor.add(entry('a', '08:00:00'))
    cursor.endPoll()
    expect(cursor.position.from).toBe(at('10:00:00'))
  })

  it('keeps what a checkpoint has seen until the position has passed it, though no poll has met it', () => {
    const cursor = createCursor({ from: at('10:00:00'), seen: ['3:ann:a'], until: at('10:00:10') }, 10_000)
    cursor.startPoll(at('10:01:00'))
    cursor.add(entry('b', '10:00:15'))
    cursor.endPoll()
    expect(cursor.isNew(entry('a', '10:00:10'))).toBe(false)
    cursor.startPoll(at('10:02:00'))
    cursor.add(entry('c', '10:00:40'))
    cursor.endPoll()
    expect(cursor.position.seen).toEqual(['3:ann:c'])
  })

  it('distinguishes transactions of two users that have the same identifier', () => {
    const cursor = createCursor(from('09:00:00'), 10_000)
    cursor.add(entry('a', '10:00:00', 'ann'))
    expect(cursor.isNew(entry('a', '10:00:00', 'bob'))).toBe(true)
  })
})
