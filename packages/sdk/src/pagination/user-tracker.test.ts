import { describe, expect, it } from 'vitest'
import type { LedgerEntry, UserGroup } from '../contract/index.ts'
import { createUserTracker } from './user-tracker.ts'

/** A user with a transaction for each letter. */
const group = (platformId: string, letters: string) =>
  ({ platformId, transactions: letters.split('').map((transactionId) => ({ transactionId })) }) as unknown as UserGroup
const entry = (platformId: string, transactionId: string) => ({ platformId, transactionId }) as LedgerEntry

/** Which of ann's transactions a to d are remembered. */
const rememberedOf = (tracker: ReturnType<typeof createUserTracker>) =>
  ['a', 'b', 'c', 'd'].filter((id) => tracker.remembers(entry('ann', id))).join('')

describe('user tracker', () => {
  it.each([
    ['one page has one of them', ['a'], 'a'],
    ['one page has several of them', ['ab'], 'ab'],
    ['two pages have one each', ['a', 'b'], 'ab'],
    ['two pages have the same one', ['a', 'a'], 'a'],
    ['several pages have several each', ['a', 'bc', 'cd'], 'abcd'],
  ])('remembers all transactions of a user where %s', (_title, pages, expected) => {
    const tracker = createUserTracker()
    for (const letters of pages) tracker.add([group('ann', letters)], 1)
    expect(rememberedOf(tracker)).toBe(expected)
    expect(tracker.remembers(entry('bob', 'a'))).toBe(false)
    expect(tracker.count).toBe(1)
  })

  it('remembers transactions over several passes', () => {
    const tracker = createUserTracker()
    tracker.add([group('ann', 'a')], 1)
    tracker.nextPass()
    tracker.add([group('ann', 'b')], 1)
    tracker.nextPass()
    tracker.add([group('ann', 'c')], 1)
    expect(rememberedOf(tracker)).toBe('abc')
  })

  it('remembers users, but no transactions any more, once these are forgotten', () => {
    const tracker = createUserTracker()
    tracker.add([group('ann', 'a'), group('bob', 'ab')], 2)
    tracker.forgetTransactions()
    tracker.add([group('ann', 'c')], 2)
    expect([tracker.knows('ann'), tracker.knows('bob'), tracker.knows('eve')]).toEqual([true, true, false])
    expect(rememberedOf(tracker)).toBe('')
  })

  it.each([
    ['were met with one transaction', 'a'],
    ['were met with two', 'ab'],
  ])(
    'is unstable in a pass that meets users twice who %s, and stable in one that meets them once',
    (_title, letters) => {
      const tracker = createUserTracker()
      tracker.add([group('ann', letters)], 1)
      expect(tracker.isStable()).toBe(true)
      tracker.add([group('ann', letters)], 1)
      expect(tracker.isStable()).toBe(false)
      tracker.nextPass()
      tracker.add([group('ann', letters)], 1)
      expect(tracker.isStable()).toBe(true)
      tracker.forgetTransactions()
      tracker.add([group('ann', letters)], 1)
      expect(tracker.isStable()).toBe(false)
    },
  )

  it('counts users again after one has vanished', () => {
    const tracker = createUserTracker()
    tracker.add([group('ann', 'a'), group('bob', 'b')], 2)
    expect(tracker.isComplete()).toBe(true)
    tracker.invalidate()
    expect(tracker.isComplete()).toBe(false)
    tracker.nextPass()
    tracker.add([group('ann', 'a')], 2)
    expect(tracker.isComplete()).toBe(false)
    tracker.add([group('bob', 'b')], 2)
    expect(tracker.isComplete()).toBe(true)
  })
})
