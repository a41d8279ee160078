import { describe, expect, it } from 'vitest'
import { compareVersions, versionOf } from './result-version.ts'

const pagination = (total: number) => ({ page: 1, limit: 2, total, totalPages: 9 })
const summary = (totalTransactions: number, totalValue: number, uniqueUsers: number) => ({
  totalTransactions,
  totalValue,
  uniqueUsers,
})

describe('versionOf', () => {
  it.each([
    ['matching transactions, as the pagination does', 6, summary(6, 1, 3), true],
    ['matching users, as the pagination does', 3, summary(6, 1, 3), true],
    ['something other than the pagination', 5, summary(6, 1, 3), false],
    ['only what is on the page', 6, summary(2, 1, 1), false],
    ['no more than the page, which is all', 2, summary(2, 1, 2), false],
    ['all matching transactions, of as many users as the page has', 6, summary(6, 1, 2), true],
    ['a value that is no number', 6, summary(6, Number.NaN, 3), false],
    ['fewer users than the page has', 6, summary(6, 1, 1), false],
  ])('believes the summary only where it describes the whole result: it counts %s', (_, total, given, believed) => {
    expect(versionOf(pagination(total), given, 2, 2)).toEqual({ total, summary: believed ? given : undefined })
  })

  it('has the total only for one user, whose responses have no summary', () => {
    expect(versionOf(pagination(6), undefined, 2, 1)).toEqual({ total: 6, summary: undefined })
  })
})

describe('compareVersions', () => {
  const before = { total: 6, summary: summary(6, 10.5, 3) }

  it.each([
    ['the same counts and value', before, 'same'],
    [
      'the same counts and a sum that differs in its last digit',
      { total: 6, summary: summary(6, 10.5 + 1e-12, 3) },
      'same',
    ],
    ['one transaction more', { total: 7, summary: summary(7, 12, 3) }, 'newer'],
    ['one transaction less', { total: 5, summary: summary(5, 9, 3) }, 'older'],
    ['one user less but more transactions', { total: 7, summary: summary(7, 12, 2) }, 'older'],
    ['a smaller total only', { total: 5, summary: summary(6, 10.5, 3) }, 'older'],
    ['fewer transactions only', { total: 6, summary: summary(5, 10.5, 3) }, 'older'],
    ['fewer users only', { total: 6, summary: summary(6, 10.5, 2) }, 'older'],
    ['a larger total only', { total: 7, summary: summary(6, 10.5, 3) }, 'replaced'],
    ['a smaller total without a summary', { total: 5, summary: undefined }, 'older'],
    ['another value', { total: 6, summary: summary(6, 11, 3) }, 'replaced'],
    ['another user', { total: 6, summary: summary(6, 10.5, 4) }, 'replaced'],
    ['another total without a summary', { total: 7, summary: undefined }, 'newer'],
    ['the same total without a summary', { total: 6, summary: undefined }, 'same'],
  ] as const)('compares with %s', (_, now, relation) => {
    expect(compareVersions(before, now)).toBe(relation)
  })

  it.each([
    [0, 0, 'same'],
    [1e6, 1e6 + 1e-4, 'same'],
    [1e6, 1e6 + 1e-2, 'replaced'],
    [0, 1e-9, 'replaced'],
    [-1e6, -1e6 - 1e-4, 'same'],
  ] as const)('takes a sum of %d and one of %d for the %s', (was, is, relation) => {
    const of = (value: number) => ({ total: 6, summary: summary(6, value, 3) })

    expect(compareVersions(of(was), of(is))).toBe(relation)
    expect(compareVersions(of(is), of(was))).toBe(relation)
  })
})
