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

  it('takes for new what is not older than its position, to the end of its second or millisecond, and not known', () => {
    const cursor = createCursor({ ...from('10:00:00.500'), seen: ['3:ann:b'] }, 10_000)
    expect(cursor.isNew(entry('a', '10:00:00.500'))).toBe(true)
    expect(cursor.isNew(entry('a', '10:00:00.499'))).toBe(false)
    expect(cursor.isNew(entry('a', '10:00:00'))).toBe(true)
    expect(cursor.isNew(entry('a', '09:59:59'))).toBe(false)
    expect(cursor.isNew(entry('b', '10:00:01'))).toBe(false)
  })

  it('takes everything for new that is not known as long as it has no position, and nothing is behind it', () => {
    const cursor = createCursor({ from: null, seen: ['3:ann:b'], until: Infinity }, 10_000)
    expect(cursor.isNew(entry('a', '00:00:00'))).toBe(true)
    expect(cursor.isNew(entry('b', '00:00:00'))).toBe(false)
    expect(cursor.isBehind(entry('a', '00:00:00'))).toBe(false)
  })

  it('is past what ends more than a second before its position', () => {
    const cursor = createCursor(from('10:00:02'), 10_000)
    expect(cursor.isBehind(entry('a', '10:00:00.999'))).toBe(true)
    expect(cursor.isBehind(entry('a', '10:00:01.000'))).toBe(false)
    expect(cursor.isBehind(entry('a', '10:00:03.000'))).toBe(false)
  })

  it('has until when the transactions that it knows were created', () => {
    const cursor = createCursor(from('10:00:00'), 10_000)
    expect(cursor.position).toEqual({ from: at('10:00:00'), seen: [], until: Infinity })
    cursor.add(entry('a', '10:00:07'))
    cursor.add(entry('b', '10:00:05'))
    expect(cursor.position).toEqual({ from: at('10:00:00'), seen: ['3:ann:a', '3:ann:b'], until: at('10:00:07') })
  })

  it('forgets what is more than two seconds older than its position', () => {
    const cursor = createCursor(from('09:00:00'), 10_000)
    cursor.startPoll(at('11:00:00'))
    cursor.add(entry('kept', '09:59:48.000'))
    cursor.add(entry('forgotten', '09:59:47.999'))
    cursor.add(entry('newest', '10:00:00'))
    cursor.endPoll()
    expect(cursor.position.seen).toEqual(['3:ann:kept', '3:ann:newest'])
  })

  it('moves on after a transaction whose date cannot be read', () => {
    const cursor = createCursor(from('09:00:00'), 10_000)
    cursor.startPoll(at('11:00:00'))
    cursor.add({ ...entry('odd', '10:00:00'), createdAt: 'yesterday' })
    cursor.add(entry('a', '10:00:00'))
    cursor.endPoll()
    expect(cursor.position.from).toBe(at('09:59:50'))
  })

  it('stays where it is after a poll that found nothing', () => {
    const cursor = createCursor({ from: null, seen: [], until: Infinity }, 10_000)
    cursor.startPoll(at('11:00:00'))
    cursor.endPoll()
    expect(cursor.position.from).toBeNull()
  })
})
