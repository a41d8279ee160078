import { describe, expect, it } from 'vitest'
import type { LedgerEntry, Summary } from '../contract/index.ts'
import { identityOf } from './page-result.ts'
import { createRecentWindow } from './recent-window.ts'

const limit = 2
const entry = (transactionId: string) => ({ platformId: 'ann', transactionId }) as LedgerEntry
const idsOf = (entries: readonly LedgerEntry[]) => entries.map(({ transactionId }) => transactionId.charAt(0)).join('')

/** Reads pages of a result, given as a string with a letter for each transaction, with a window of `remember` pages. */
const windowOf = (remember: number, always: readonly string[] = []) => {
  const recent = createRecentWindow(remember, (transaction) => always.includes(identityOf(transaction)))
  return {
    recent,
    read: (result: string, page: number, version: { total?: number; summary?: Summary; isShrunk?: boolean } = {}) =>
      idsOf(
        recent.take({
          page,
          limit,
          total: result.length,
          summary: undefined,
          isShrunk: false,
          ...version,
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
    expect(recent.mayHaveForgotten(3)).toBe(false)
  })

  it('remembers a transaction as long as the last page that it was on', () => {
    const { recent, read } = windowOf(2)
    read('abcdefgh', 1)
    read('1abcdefgh', 2)
    read('1abcdefgh', 3)
    expect(['a', 'b', 'c'].map((id) => recent.knows(entry(id)))).toEqual([false, true, true])
    read('1abcdefgh', 4)
    expect(['a', 'b', 'c', 'd'].map((id) => recent.knows(entry(id)))).toEqual([false, false, false, true])
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

  it.each([1, 2, 3])(
    'returns each transaction once, in order, however many are added at two places: window %d',
    (remember) => {
      const letters = 'abcdefghijklmnopqrstuvwxyz'
      const counts = Array.from({ length: 81 }, (_, i) => [i % 9, Math.floor(i / 9)] as const)
      const returned = counts.map(([first, second]) => {
        const { recent, read } = windowOf(remember)
        let found = ''
        for (let page = 1; page <= 22; page++) {
          const [early, late] = [page > 3 ? first : 0, page > 9 ? second : 0]
          found += read(`${'12345678'.slice(0, late)}${'ABCDEFGH'.slice(0, early)}${letters}`, page)
        }
        return (found + idsOf(recent.flush())).replaceAll(/[^a-z]/g, '')
      })

      expect(new Set(returned)).toEqual(new Set([letters]))
    },
  )

  it('forgets what was held as well, once it has released it', () => {
    const { recent, read } = windowOf(1)
    const before = 'abcdefghijkl'
    const after = `123456${before}`
    for (const page of [1, 2, 3]) read(before, page)
    for (const page of [4, 5, 6, 7, 8, 9]) read(after, page)

    expect(Array.from(before).filter((id) => recent.knows(entry(id)))).toEqual(['k', 'l'])
    expect(recent.mayHaveForgotten(9)).toBe(false)
    expect(recent.mayHaveForgotten(8)).toBe(true)
  })

  it.each([
    // e and f are at the end of page 6 by now.
    ['turned up', '123456abcdefghijkl', ['', '', ''], 6],
    // What was added first is on page 5.
    ['cannot turn up', 'abcdefgh123456ijkl', ['', '', '123456'], 5],
  ])('knows the last page that it may have forgotten, once the last one yielded %s', (_what, after, yielded, last) => {
    const { recent, read } = windowOf(2)
    for (const page of [1, 2, 3, 4]) read('abcdefghijkl', page)

    expect([5, 6, 7].map((page) => read(after, page))).toEqual(yielded)

    expect([last, last + 1].map((page) => recent.mayHaveForgotten(page))).toEqual([true, false])
  })

  it('finds what is new among transactions that were read again, and knows them from then on', () => {
    const { recent, read } = windowOf(3)
    expect(idsOf(recent.add([entry('x')]))).toBe('x')
    expect(read('abcdef', 1)).toBe('ab')
    expect(idsOf(recent.add([entry('a'), entry('y'), entry('x')]))).toBe('y')
    expect(read('ybcdef', 1)).toBe('')
  })

  it('forgets what was found again together with the page that was the newest then', () => {
    const { recent, read } = windowOf(1)
    const result = 'abcdefghij'
    read(result, 1)
    recent.add([entry('a'), entry('y')])
    for (const page of [2, 3, 4]) read(result, page)
    expect(
      Array.from('aybcdefgh')
        .filter((id) => recent.knows(entry(id)))
        .join(''),
    ).toBe('gh')
  })

  it('forgets what was found again later than the pages before the newest one', () => {
    const { recent, read } = windowOf(3)
    const result = 'abcdefghijkl'
    for (const page of [1, 2, 3]) read(result, page)
    recent.add([entry('y')])
    for (const page of [4, 5]) read(result, page)
    expect(['c', 'y'].map((id) => recent.knows(entry(id)))).toEqual([false, true])
    read(result, 6)
    expect(recent.knows(entry('y'))).toBe(false)
  })

  it('never forgets what it was given to know always', () => {
    const { recent, read } = windowOf(1, ['3:ann:a', '3:ann:h'])
    const result = 'abcdefghij'
    expect([1, 2, 3, 4, 5].map((page) => read(result, page))).toEqual(['b', 'cd', 'ef', 'g', 'ij'])
    expect(['a', 'b'].map((id) => recent.knows(entry(id)))).toEqual([true, false])
  })

  it('may have forgotten transactions of a page only if as many were added as lie between', () => {
    const { recent, read } = windowOf(1)
    const result = 'abcdefghij'
    expect(recent.mayHaveForgotten(1)).toBe(false)
    for (const page of [1, 2, 3, 4]) read(result, page)
    // Pages 1 to 3 are forgotten.
    expect([1, 2, 3, 4].map((page) => recent.mayHaveForgotten(page))).toEqual([true, true, true, false])
    recent.observe({ total: 11, summary: undefined })
    expect([4, 5].map((page) => recent.mayHaveForgotten(page))).toEqual([true, false])
  })

  it('holds nothing when there was no page', () => {
    expect(windowOf(1).recent.flush()).toEqual([])
  })
})

describe('transactions that come again', () => {
  const users = (totalTransactions: number): Summary => ({ totalTransactions, totalValue: 1, uniqueUsers: 3 })

  it('are unexplained if nothing was added', () => {
    const { recent, read } = windowOf(3)
    read('abcdef', 1)
    expect(recent.unexplained).toBe(0)
    expect(read('yzabcd', 2)).toBe('')
    expect(recent.unexplained).toBe(2)
    read('xyzabc', 3)
    expect(recent.unexplained).toBe(3)
  })

  it('are explained by as many that were added, on whichever page they come', () => {
    const { recent, read } = windowOf(3)
    read('abcdefgh', 1)
    read('1abcdefgh', 2)
    expect(recent.unexplained).toBe(0)
    read('12abcdefgh', 3)
    expect(recent.unexplained).toBe(0)
    read('123abcdefg', 4)
    expect(recent.unexplained).toBe(1)
  })

  it('are explained by those that were added before a page whose transactions are not of interest', () => {
    const { recent, read } = windowOf(3)
    read('abcdef', 1)
    recent.observe({ total: 7, summary: undefined })
    read('1abcdef', 2)
    expect(recent.unexplained).toBe(0)
  })

  it('are explained by what the summary counts, where the total counts users', () => {
    const { recent, read } = windowOf(3)
    read('abcdef', 1, { total: 3, summary: users(6) })
    read('1abcdef', 2, { total: 3, summary: users(7) })
    expect(recent.unexplained).toBe(0)
    read('1abcdef', 2, { total: 3 })
    expect(recent.unexplained).toBe(2)
  })

  it('are not explained by transactions that were added after others had vanished', () => {
    const { recent, read } = windowOf(3)
    read('abcdef', 1)
    recent.observe({ total: 5, summary: undefined })
    recent.observe({ total: 6, summary: undefined })
    read('1abcde', 2)
    expect(recent.unexplained).toBe(0)
    read('12abcd', 3)
    expect(recent.unexplained).toBe(1)
  })

  it('do not count where something has vanished since the page before, which is reported anyway', () => {
    const { recent, read } = windowOf(3)
    read('abcdef', 1)
    read('yzabcd', 2, { isShrunk: true })
    expect(recent.unexplained).toBe(0)
  })
})
