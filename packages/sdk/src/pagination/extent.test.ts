import { describe, expect, it } from 'vitest'
import type { Summary } from '../contract/index.ts'
import { createExtent, sizeOf } from './extent.ts'
import type { PageResult } from './page-result.ts'

const summary = (totalTransactions: number, uniqueUsers: number): Summary => ({
  totalTransactions,
  uniqueUsers,
  totalValue: 1,
})

interface Given {
  readonly page?: number
  readonly limit?: number
  readonly total: number
  readonly lastPage: number
  readonly certainPages?: number
  readonly summary?: Summary | undefined
}

/** A page of 2 results by default, given as a string for each user with a letter for each transaction. */
const pageOf = (users: readonly string[], { page = 1, limit = 2, total, lastPage, ...given }: Given) => {
  const groups = users.map((ids, i) => ({ platformId: `user ${i}`, transactions: ids.split('') }))
  const entries = groups.flatMap(({ platformId, transactions }) =>
    transactions.map((transactionId) => ({ platformId, transactionId })),
  )
  return {
    page,
    response: {},
    groups,
    entries,
    count: entries.length,
    limit,
    version: { total, summary: given.summary },
    lastPage,
    certainPages: given.certainPages ?? lastPage,
  } as unknown as PageResult<unknown>
}
const absent = (page: number) =>
  ({
    page,
    groups: [],
    entries: [],
    count: 0,
    limit: 0,
    lastPage: 0,
    certainPages: 0,
  }) as unknown as PageResult<unknown>

describe('the size of a result', () => {
  it.each([
    ['the total where the unit is unknown', undefined, 9, 6],
    ['the users of the summary where pages count users', 'group', 9, 3],
    ['the total where pages count transactions', 'transaction', 6, 6],
    ['the transactions of the summary once more were seen than the total', 'transaction', 7, 8],
  ] as const)('is %s', (_what, unit, transactions, expected) => {
    expect(sizeOf({ total: 6, summary: summary(8, 3) }, unit, transactions)).toBe(expected)
    expect(sizeOf({ total: 6, summary: undefined }, unit, transactions)).toBe(6)
  })
})

describe('the last page', () => {
  /** Whether each of these pages is the last one. */
  const lasts = (first: number, ...pages: readonly PageResult<unknown>[]) => {
    const extent = createExtent(first)
    return pages.map((page) => {
      extent.add(page)
      return extent.isLast(page)
    })
  }

  it('is the stated one, if it is not full', () => {
    const given = { total: 3, lastPage: 2 }

    expect(lasts(1, pageOf(['ab'], given), pageOf(['c'], { ...given, page: 2 }))).toEqual([false, true])
  })

  it('is a full one only if two counts of the service agree with what was seen', () => {
    const certain = { total: 4, lastPage: 2, summary: summary(4, 3) }
    const uncertain = { total: 4, lastPage: 2 }
    const pages = (given: Given) => [pageOf(['ab'], given), pageOf(['cd'], { ...given, page: 2 })]

    expect(lasts(1, ...pages(certain))).toEqual([false, true])
    expect(lasts(1, ...pages(uncertain))).toEqual([false, false])
  })

  it('is not certain where the total has changed since the first page', () => {
    const before = { total: 3, lastPage: 2, summary: summary(3, 3) }
    const after = { total: 4, lastPage: 2, summary: summary(4, 3) }

    expect(lasts(1, pageOf(['ab'], before), pageOf(['cd'], { ...after, page: 2 }))).toEqual([false, false])
  })

  it('is a full one of users if two counts of users agree with those seen', () => {
    const pages = (given: Given) => [pageOf(['abc', 'd'], given), pageOf(['ef', 'ghi'], { ...given, page: 2 })]

    expect(lasts(1, ...pages({ total: 4, lastPage: 2, summary: summary(9, 4) }))).toEqual([false, true])
    expect(lasts(1, ...pages({ total: 4, lastPage: 2 }))).toEqual([false, false])
  })

  it('is one that is not full, once as much was seen as the service counts, whatever it states', () => {
    expect(lasts(1, pageOf(['ab', 'c'], { total: 3, limit: 4, lastPage: 5 }))).toEqual([true])
    expect(lasts(1, pageOf(['ab', 'c'], { total: 4, limit: 4, lastPage: 5 }))).toEqual([false])
  })

  it('is not full of users because it has as many transactions as users fit on it', () => {
    const given = { total: 3, lastPage: 2 }

    expect(lasts(1, pageOf(['abc', 'd'], given), pageOf(['ef'], { ...given, page: 2 }))).toEqual([false, true])
  })

  it('is not certain where more was seen than the service counts', () => {
    const given = { total: 4, lastPage: 2, summary: summary(4, 3) }

    expect(lasts(1, pageOf(['ab'], given), pageOf(['cd'], given), pageOf(['ef'], { ...given, page: 2 }))).toEqual([
      false,
      false,
      false,
    ])
  })

  it('is one of users once as many transactions were seen as a total counts that no summary explains', () => {
    const pages = (given: Given) => [pageOf(['abc', 'de'], given), pageOf(['f'], { ...given, page: 2 })]
    const fromSecond = { page: 3, total: 6, lastPage: 9 }

    expect(lasts(1, ...pages({ total: 6, lastPage: 3 }))).toEqual([false, true])
    expect(lasts(1, ...pages({ total: 7, lastPage: 4 }))).toEqual([false, false])
    expect(lasts(1, ...pages({ total: 6, lastPage: 3, summary: summary(9, 6) }))).toEqual([false, false])
    expect(lasts(2, pageOf(['abc', 'de'], { ...fromSecond, page: 2 }), pageOf(['f'], fromSecond))).toEqual([
      false,
      false,
    ])
  })

  it('is none beyond the stated one, which proves the totals wrong', () => {
    expect(
      lasts(1, pageOf(['a'], { total: 1, lastPage: 1 }), pageOf(['b'], { page: 2, total: 1, lastPage: 1 })),
    ).toEqual([true, false])
  })

  it('counts what precedes the first page as seen', () => {
    const given = { total: 4, lastPage: 9 }

    expect(lasts(2, pageOf(['c'], { ...given, page: 2 }))).toEqual([false])
    expect(lasts(2, pageOf(['c'], { ...given, total: 3, page: 2 }))).toEqual([true])
  })

  it('is an empty one, unless the totals say that there is more: then the third in a row', () => {
    const given = { total: 6, lastPage: 3 }
    const empty = (page: number) => pageOf([], { ...given, page })

    expect(lasts(1, pageOf(['ab'], given), empty(2), empty(2), empty(2))).toEqual([false, false, false, true])
    expect(lasts(1, empty(2), empty(2), pageOf(['ab'], given), empty(2))).toEqual([false, false, false, false])
    expect(lasts(1, pageOf(['ab'], given), absent(2))).toEqual([false, true])
    expect(lasts(1, pageOf(['ab'], { ...given, total: 2 }), pageOf([], { ...given, total: 2, page: 2 }))).toEqual([
      false,
      true,
    ])
  })

  it('is stated by the response, where it counts what the total counts', () => {
    const extent = createExtent(1)
    const ofUsers = pageOf(['abc', 'de'], { total: 9, lastPage: 5, summary: summary(9, 5) })

    expect(extent.lastPage(ofUsers)).toBe(5)
    extent.add(ofUsers)
    expect(extent.lastPage(ofUsers)).toBe(3)
    expect(extent.lastPage({ ...ofUsers, version: undefined })).toBe(5)
    expect(extent.lastPage({ ...ofUsers, limit: 1 })).toBe(5)
    expect(extent.lastPage({ ...ofUsers, limit: 0, lastPage: 4 })).toBe(4)
    expect(extent.lastPage({ ...ofUsers, limit: 1, lastPage: 4 })).toBe(5)
  })
})

describe('a page', () => {
  it('is contradicted if it is empty although the totals say that it has results', () => {
    const extent = createExtent(1)
    const first = pageOf(['ab'], { total: 4, lastPage: 2 })
    extent.add(first)
    const empty = (page: number, total = 4) => pageOf([], { page, total, lastPage: 2 })

    expect([first, empty(2), empty(3), empty(2, 2)].map(extent.isContradicted)).toEqual([false, true, false, false])
    // Without totals of its own, those of the page before count.
    expect([absent(2), absent(3)].map(extent.isContradicted)).toEqual([true, false])
    expect(createExtent(1).isContradicted(absent(1))).toBe(false)
  })

  it('is not contradicted where there is none, once all were seen', () => {
    const extent = createExtent(1)
    extent.add(pageOf(['abcd'], { total: 4, lastPage: 2 }))

    expect(extent.isContradicted(absent(2))).toBe(false)
  })

  it('is overfull if it has more of what it counts than fits, or more users in any case', () => {
    const ofTransactions = createExtent(1)
    ofTransactions.add(pageOf(['ab'], { total: 5, lastPage: 3 }))
    const unknown = createExtent(1)
    const pages = [['abc'], ['ab'], ['a', 'b', 'c']].map((users) => pageOf(users, { page: 2, total: 5, lastPage: 3 }))

    expect(pages.map(ofTransactions.isOverfull)).toEqual([true, false, true])
    expect(pages.map(unknown.isOverfull)).toEqual([false, false, true])
  })

  it('is repeated if it has the transactions of the first page or of the one before, in any order', () => {
    const extent = createExtent(1)
    const pages = [['ab'], ['cd'], ['ef']].map((users, i) => pageOf(users, { page: i + 1, total: 9, lastPage: 5 }))
    for (const page of pages) extent.add(page)
    const now = (users: readonly string[]) => extent.isRepeated(pageOf(users, { page: 4, total: 9, lastPage: 5 }))

    expect([now(['fe']), now(['ba']), now(['cd']), now(['e', 'f']), now(['gh'])]).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })
})
