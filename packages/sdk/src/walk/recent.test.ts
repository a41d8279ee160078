import { describe, expect, it } from 'vitest'
import type { LedgerEntry } from '../contract/index.ts'
import { createRecent } from './recent.ts'

const limit = 2
const row = (transactionId: string) => ({ transactionId }) as LedgerEntry
const idsOf = (rows: readonly LedgerEntry[]) => rows.map(({ transactionId }) => transactionId).join('')

/** A result as text, a letter a row; what a memory of `remember` pages makes of its pages as they are read. */
const reading = (remember: number) => {
  const recent = createRecent(remember, true, new Set())
  return {
    recent,
    read: (result: string, page: number) =>
      idsOf(
        recent.take({
          page,
          limit,
          total: result.length,
          rows: result
            .slice((page - 1) * limit, page * limit)
            .split('')
            .map(row),
        }),
      ),
  }
}

describe('the memory of recent pages', () => {
  it('leaves out what was pushed on to the next page', () => {
    const { read } = reading(3)
    expect([read('abcdef', 1), read('1abcdef', 2), read('1abcdef', 3), read('1abcdef', 4)]).toEqual([
      'ab',
      'c',
      'de',
      'f',
    ])
  })

  it('yields what appears on a page to come', () => {
    const { read } = reading(3)
    expect([read('abcdef', 1), read('abc1def', 2), read('abc1def', 3)]).toEqual(['ab', 'c1', 'de'])
  })

  it('forgets pages that cannot come again', () => {
    const { recent, read } = reading(2)
    const result = 'abcdefghijklmnop'
    for (let page = 1; page <= 8; page += 1) read(result, page)
    expect(
      result
        .split('')
        .filter((id) => recent.knows(id))
        .join(''),
    ).toBe('mnop')
  })

  it('remembers more where more is added, so that nothing it may meet again is forgotten', () => {
    const { recent, read } = reading(2)
    read('abcdef', 1)
    read('12abcdef', 2)
    read('1234abcdef', 3)
    expect(recent.knows('a')).toBe(true)
  })

  it('holds rows back when more is added at once than it remembers, until the last one yielded turns up', () => {
    const { read } = reading(1)
    const before = 'abcdefghij'
    const after = `123456${before}`
    expect([read(before, 1), read(before, 2), read(before, 3)]).toEqual(['ab', 'cd', 'ef'])
    // Page 4 shows a and b again, which are forgotten; page 6 ends with f.
    expect([read(after, 4), read(after, 5), read(after, 6), read(after, 7)]).toEqual(['', '', '', 'gh'])
    expect(read(after, 8)).toBe('ij')
  })

  it('yields what it held when the last one yielded does not turn up', () => {
    const { read } = reading(1)
    const before = 'abcdefghij'
    const after = 'abcdefg123456hij'
    expect([read(before, 1), read(before, 2), read(before, 3)]).toEqual(['ab', 'cd', 'ef'])
    expect([read(after, 4), read(after, 5), read(after, 6)]).toEqual(['', '', 'g12345'])
    expect([read(after, 7), read(after, 8)]).toEqual(['6h', 'ij'])
  })

  it('gives what is left when there are no more pages', () => {
    const { recent, read } = reading(1)
    const after = 'abcdefg123456'
    expect([read('abcdefg', 1), read('abcdefg', 2), read('abcdefg', 3)]).toEqual(['ab', 'cd', 'ef'])
    expect(read(after, 4)).toBe('')
    expect(idsOf(recent.rest())).toBe('g1')
  })
})
