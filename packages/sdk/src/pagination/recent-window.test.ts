import { describe, expect, it } from 'vitest'
import type { LedgerEntry } from '../contract/index.ts'
import { createRecentWindow } from './recent-window.ts'

const limit = 2
const entry = (transactionId: string) => ({ platformId: 'ann', transactionId }) as LedgerEntry
const idsOf = (entries: readonly LedgerEntry[]) => entries.map(({ transactionId }) => transactionId).join('')

/** Reads pages of a result, given as a string with a letter for each transaction, with a window of `remember` pages. */
const windowOf = (remember: number) => {
  const recent = createRecentWindow(remember, () => false)
  return {
    recent,
    read: (result: string, page: number) =>
      idsOf(
        recent.take({
          page,
          limit,
          total: result.length,
          summary: undefined,
          isShrunk: false,
          entries: result
            .slice((page - 1) * limit, page * limit)
            .split('')
            .map(entry),
        }),
      ),
  }
}

describe('recent window', () => {
  it('distinguishes transactions of two users that have the same identifier', () => {
    const { recent } = windowOf(3)
    const [ann, bob] = [entry('a'), { ...entry('a'), platformId: 'bob' }]
    expect(recent.take({ page: 1, limit, total: 2, summary: undefined, isShrunk: false, entries: [ann, bob] })).toEqual(
      [ann, bob],
    )
  })

  it('leaves out transactions that were pushed to the next page', () => {
    const { read } = windowOf(3)
    expect([read('abcdef', 1), read('1abcdef', 2), read('1abcdef', 3), read('1abcdef', 4)]).toEqual([
      'ab',
      'c',
      'de',
      'f',
    ])
  })

  it('returns transactions that were added to a later page', () => {
    const { read } = windowOf(3)
    expect([read('abcdef', 1), read('abc1def', 2), read('abc1def', 3)]).toEqual(['ab', 'c1', 'de'])
  })

  it('forgets pages whose transactions cannot come again', () => {
    const { recent, read } = windowOf(2)
    const result = 'abcdefghijklmnop'
    for (let page = 1; page <= 8; page++) read(result, page)
    expect(
      result
        .split('')
        .filter((id) => recent.knows(entry(id)))
        .join(''),
    ).toBe('mnop')
  })

  it('remembers more pages while transactions are added that could bring old ones back', () => {
    const { recent, read } = windowOf(2)
    read('abcdef', 1)
    read('12abcdef', 2)
    read('1234abcdef', 3)
    expect(recent.knows(entry('a'))).toBe(true)
  })

  it('holds transactions when more is added at once than it remembers, until the last one yielded turns up', () => {
    const { read } = windowOf(1)
    const before = 'abcdefghij'
    const after = `123456${before}`
    expect([read(before, 1), read(before, 2), read(before, 3)]).toEqual(['ab', 'cd', 'ef'])
    // Page 4 has a and b again, which are forgotten; page 6 ends with f.
    expect([read(after, 4), read(after, 5), read(after, 6), read(after, 7)]).toEqual(['', '', '', 'gh'])
    expect(read(after, 8)).toBe('ij')
  })

  it('releases what it held when the last one yielded can no longer turn up', () => {
    const { read } = windowOf(1)
    const before = 'abcdefghij'
    const after = 'abcdefg123456hij'
    expect([read(before, 1), read(before, 2), read(before, 3)]).toEqual(['ab', 'cd', 'ef'])
    expect([read(after, 4), read(after, 5), read(after, 6)]).toEqual(['', '', 'g12345'])
    expect([read(after, 7), read(after, 8)]).toEqual(['6h', 'ij'])
  })

  it('releases what it held when there are no more pages', () => {
    const { recent, read } = windowOf(1)
    const after = 'abcdefg123456'
    expect([read('abcdefg', 1), read('abcdefg', 2), read('abcdefg', 3)]).toEqual(['ab', 'cd', 'ef'])
    expect(read(after, 4)).toBe('')
    expect(idsOf(recent.flush())).toBe('g1')
  })
})
