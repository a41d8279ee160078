import { describe, expect, it } from 'vitest'
import type { LedgerEntry, Summary, UserGroup } from '../contract/index.ts'
import { groupsOf, identityOf, unitOf, type PageResult } from './page-result.ts'

const groupOf = (transactions: number) => ({ transactions: Array.from({ length: transactions }, () => ({})) })
/** A page whose users have so many transactions each. */
const page = (
  sizes: readonly number[],
  given: { page?: number; limit: number; total: number; pages: number; summary?: Pick<Summary, 'uniqueUsers'> },
) =>
  ({
    page: given.page ?? 1,
    groups: sizes.map(groupOf),
    count: sizes.reduce((sum, size) => sum + size, 0),
    limit: given.limit,
    version: { total: given.total, summary: given.summary },
    certainPages: given.pages,
  }) as unknown as PageResult<unknown>

describe('what a page counts', () => {
  it.each([
    ['transactions', 'as many as fit on it before the last page', page([2, 1], { limit: 3, total: 7, pages: 3 })],
    ['transactions', 'the rest on the last page', page([2, 1], { page: 2, limit: 4, total: 7, pages: 2 })],
    [
      'transactions',
      'as many as fit, where all users would fit too',
      page([2, 1], { limit: 3, total: 2, pages: 1, summary: { uniqueUsers: 2 } }),
    ],
    ['users', 'as many as fit on it before the last page', page([2, 3], { limit: 2, total: 3, pages: 2 })],
    ['users', 'the rest on the last page', page([3], { page: 2, limit: 2, total: 3, pages: 2 })],
    [
      'users',
      'all there are where more transactions than fit are on it',
      page([2, 3], { limit: 4, total: 2, pages: 1, summary: { uniqueUsers: 2 } }),
    ],
    ['unknown', 'each user has one transaction', page([1, 1], { limit: 2, total: 3, pages: 2 })],
    [
      'unknown',
      'the last page is full by what the total does not count',
      page([2, 1], { limit: 3, total: 2, pages: 1 }),
    ],
    ['unknown', 'there is more than fits on the last page', page([3], { limit: 2, total: 3, pages: 1 })],
    ['unknown', 'neither is as the totals say', page([2, 3], { limit: 4, total: 9, pages: 3 })],
    [
      'unknown',
      'the response says nothing about the whole result',
      { ...page([2, 1], { limit: 3, total: 7, pages: 3 }), version: undefined },
    ],
    [
      'users',
      'later pages, whatever users fit on one',
      page([1, 1, 2], { page: 2, limit: 3, total: 9, pages: 3, summary: { uniqueUsers: 9 } }),
    ],
    [
      'unknown',
      'a full last page, though all users would have fit on the first',
      page([1, 2], { page: 2, limit: 3, total: 5, pages: 2, summary: { uniqueUsers: 3 } }),
    ],
  ])('is %s: %s', (unit, _reason, given) => {
    expect(unitOf(given)).toBe({ transactions: 'transaction', users: 'group' }[unit])
  })
})

describe('the identity of a transaction', () => {
  const of = (platformId: unknown, transactionId: unknown) => identityOf({ platformId, transactionId } as LedgerEntry)

  it('is that of another one only if user and identifier are the same', () => {
    const identities = [
      of('a', 'b:c'),
      of('a:b', 'c'),
      of('a', 'b'),
      of('1', 'x'),
      of(1, 'x'),
      of('x', 1),
      of('x', [1]),
    ]

    expect(new Set(identities).size).toBe(identities.length)
    expect(of('a', 'b')).toBe(of('a', 'b'))
  })
})

describe('the users of a page', () => {
  const pagination = { page: 1, limit: 2, total: 3, totalPages: 2 }
  const operation = { groups: (given: { data: UserGroup[] }) => given.data }
  const groupsIn = (body: unknown) => groupsOf(operation as never, body as never)

  it('are those of its body', () => {
    const data = [groupOf(2), groupOf(0)]

    expect(groupsIn({ pagination, data })).toBe(data)
  })

  it.each([
    ['no body', null],
    ['no pagination', { data: [] }],
    ['a page that is no number', { data: [], pagination: { ...pagination, page: '1' } }],
    ['no limit', { data: [], pagination: { ...pagination, limit: undefined } }],
    ['a total that is no number', { data: [], pagination: { ...pagination, total: Number.NaN } }],
    ['no end of pages', { data: [], pagination: { ...pagination, totalPages: Infinity } }],
    ['no data', { pagination }],
    ['a user that is no object', { pagination, data: [groupOf(1), 'ann'] }],
    ['a user without transactions', { pagination, data: [{}] }],
    ['transactions that are no array', { pagination, data: [{ transactions: { length: 1 } }] }],
    ['a transaction that is no object', { pagination, data: [{ transactions: [{}, 7] }] }],
  ])('are missing where a body has %s', (_what, body) => {
    expect(() => groupsIn(body)).toThrow(
      expect.objectContaining({
        name: 'ResponseValidationError',
        message:
          "Pagination cannot continue: the response lacks `pagination` or `data`. `validation: 'strict'` shows what is wrong.",
      }),
    )
  })
})
