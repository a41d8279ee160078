import { describe, expect, it } from 'vitest'
import type { LedgerEntry, Summary, UserGroup } from '../contract/index.ts'
import { ApiError, ConnectionError } from '../errors/index.ts'
import { failedAt, groupsOf, identityOf, isNothingFound, readPage, unitOf, type PageResult } from './page-result.ts'

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
    ['unknown', 'the last page is full of users, though more are left', page([2, 1], { limit: 2, total: 3, pages: 1 })],
    [
      'transactions',
      'as many as fit, where the users fill a page too',
      page([2, 1], { limit: 3, total: 9, pages: 3, summary: { uniqueUsers: 3 } }),
    ],
    [
      'transactions',
      'as many as fit, where all users would just fit too',
      page([2, 1], { limit: 3, total: 5, pages: 1, summary: { uniqueUsers: 3 } }),
    ],
    [
      'unknown',
      'the last page is full, and not all users would fit',
      page([2, 1], { limit: 3, total: 5, pages: 1, summary: { uniqueUsers: 4 } }),
    ],
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
      of('x', '[1]'),
      of('x', '[[1]]'),
      of('x', '["[1]"]'),
      of('x', ['[1]']),
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
    ['null in place of a user', { pagination, data: [null] }],
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

const apiError = (code: 'no_guild_transactions' | 'no_user_transactions') =>
  new ApiError('x', { code, status: 404, reason: undefined, headers: new Headers(), body: '', retryAfterMs: undefined })
const operation = { emptyCode: 'no_guild_transactions' } as const

it.each<[string, unknown, boolean]>([
  ['the error response for an empty result', apiError('no_guild_transactions'), true],
  ['another error response', apiError('no_user_transactions'), false],
  ['an error of another kind with its code', Object.assign(new Error('x'), { code: 'no_guild_transactions' }), false],
])('nothing was found if a page fails with %s', (_what, error, expected) => {
  expect(isNothingFound(error, operation)).toBe(expected)
})

describe('reading a page', () => {
  const order = (groups: readonly UserGroup[]) => groups as unknown as LedgerEntry[]
  const details = () => ({ callId: 'c-1' })
  const read = (pagination: object, sizes: readonly number[] = [2, 0, 1]) => {
    const queries: unknown[] = []
    const response = { pagination, data: sizes.map(groupOf) }
    const pageable = {
      ...operation,
      groups: (given: typeof response) => given.data,
      read: async (query: unknown, options: unknown, use: (response: unknown, details: unknown) => unknown) => {
        queries.push([query, options])
        return use(response, details)
      },
    }
    const result = readPage(pageable as never, { limit: 3, page: 9 }, 2, { priority: 'background' }, order)
    return { result, queries, response }
  }
  const fail = async (error: unknown) => {
    const failing = async () => {
      throw error
    }
    return readPage({ ...operation, read: failing } as never, {}, 2, {}, order)
  }

  it('requests that page, and leaves out users without transactions', async () => {
    const { result, queries, response } = read({ page: 2, limit: 3, total: 10, totalPages: 4 })
    const users = [response.data[0], response.data[2]]

    expect(await result).toEqual({
      details,
      page: 2,
      response,
      groups: users,
      entries: users,
      count: 3,
      limit: 3,
      version: { total: 10, summary: undefined },
      lastPage: 4,
      certainPages: 4,
      servedPage: undefined,
      error: undefined,
    })
    expect(queries).toEqual([[{ limit: 3, page: 2 }, { priority: 'background' }]])
  })

  it.each([
    [{ limit: 3, total: 10, totalPages: 2 }, 4, 2],
    [{ limit: 3, total: 9, totalPages: 5 }, 5, 3],
    [{ limit: 0, total: 9, totalPages: 5 }, 9, 5],
  ])(
    'takes the larger of the numbers of pages as the last one, the smaller as certain: %j',
    async (given, last, certain) => {
      const { lastPage, certainPages } = await read({ page: 2, ...given }).result

      expect([lastPage, certainPages]).toEqual([last, certain])
    },
  )

  it('takes another page than the requested one for none, whose totals count', async () => {
    const { result } = read({ page: 1, limit: 3, total: 3, totalPages: 1 })

    expect(await result).toEqual({
      details,
      page: 2,
      response: undefined,
      groups: [],
      entries: [],
      count: 0,
      limit: 0,
      version: { total: 3, summary: undefined },
      lastPage: 1,
      certainPages: 1,
      servedPage: 1,
      error: undefined,
    })
  })

  it('has no results where nothing was found', async () => {
    const request = { method: 'GET', endpoint: '/x', url: 'https://x', attempts: 2, callId: 'c-1' }
    const error = Object.assign(apiError('no_guild_transactions'), request)
    const result = await fail(error)

    expect(result).toMatchObject({ page: 2, count: 0, groups: [], entries: [], version: undefined, lastPage: 0, error })
    expect(result.details()).toEqual(request)
  })

  it('fails with an error that has the number of the page, if it is one of this package', async () => {
    const other = new RangeError('bug')

    await expect(fail(new ConnectionError('x'))).rejects.toMatchObject({ name: 'ConnectionError', page: 2 })
    await expect(fail(other)).rejects.toBe(other)
    expect(other).not.toHaveProperty('page')
  })

  it('completes an error that the paginator makes itself with the request for the page', () => {
    const request = { method: 'GET', endpoint: '/x', url: 'https://x', attempts: 2, callId: 'c-1' }

    const error = failedAt({ page: 7, details: () => request as never }, new ConnectionError('x'))

    expect(error).toMatchObject({ ...request, page: 7 })
  })
})
