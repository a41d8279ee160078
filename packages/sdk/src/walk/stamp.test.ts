import { describe, expect, it } from 'vitest'
import { compareStamps, stampOf } from './stamp.ts'

const pagination = (total: number) => ({ page: 1, limit: 2, total, totalPages: 9 })
const summary = (totalTransactions: number, totalValue: number, uniqueUsers: number) => ({
  totalTransactions,
  totalValue,
  uniqueUsers,
})

describe('stampOf', () => {
  it.each([
    ['matching transactions, as the pagination does', 6, summary(6, 1, 3), true],
    ['matching users, as the pagination does', 3, summary(6, 1, 3), true],
    ['something else than the pagination', 5, summary(6, 1, 3), false],
    ['what is on the page', 6, summary(2, 1, 1), false],
  ])('where the summary counts %s', (_, total, given, believed) => {
    expect(stampOf(pagination(total), given, 2)).toEqual({ total, summary: believed ? given : undefined })
  })

  it('knows only the total of one user', () => {
    expect(stampOf(pagination(6), undefined, 2)).toEqual({ total: 6, summary: undefined })
  })
})

describe('compareStamps', () => {
  const before = { total: 6, summary: summary(6, 10.5, 3) }

  it.each([
    ['the same', before, 'same'],
    ['the same but for the last digit of a sum', { total: 6, summary: summary(6, 10.5 + 1e-12, 3) }, 'same'],
    ['one transaction more', { total: 7, summary: summary(7, 12, 3) }, 'newer'],
    ['one transaction less', { total: 5, summary: summary(5, 9, 3) }, 'older'],
    ['a user less, though more transactions', { total: 7, summary: summary(7, 12, 2) }, 'older'],
    ['another value', { total: 6, summary: summary(6, 11, 3) }, 'replaced'],
    ['another user', { total: 6, summary: summary(6, 10.5, 4) }, 'replaced'],
    ['another total without a summary', { total: 7, summary: undefined }, 'newer'],
    ['the same total without a summary', { total: 6, summary: undefined }, 'same'],
  ] as const)('%s', (_, now, relation) => {
    expect(compareStamps(before, now)).toBe(relation)
  })
})
