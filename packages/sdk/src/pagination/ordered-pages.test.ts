import { describe, expect, it } from 'vitest'
import type { LedgerEntry, Summary } from '../contract/index.ts'
import { ConnectionError } from '../errors/index.ts'
import { isShrinkage, orderedPages, type OrderedPage } from './ordered-pages.ts'
import type { PageResult } from './page-result.ts'

type Result = PageResult<object>

interface Claims {
  readonly total?: number
  readonly limit?: number
  readonly pages?: number
  readonly summary?: Summary
  readonly servedPage?: number
}

/** A page with a transaction of ann for each letter, and what the response says about the whole result. */
const page = (n: number, letters: string, claims: Claims = {}): Result => {
  const { total = 6, limit = 2, pages = Math.ceil(total / limit), summary, servedPage } = claims
  const entries = Array.from(letters, (transactionId) => ({ platformId: 'ann', transactionId }) as LedgerEntry)
  return {
    page: n,
    response: servedPage === undefined ? {} : undefined,
    groups: entries.length > 0 ? [{ platformId: 'ann', transactions: entries }] : [],
    entries,
    count: entries.length,
    limit,
    version: { total, summary },
    lastPage: pages,
    certainPages: pages,
    servedPage,
    error: undefined,
    details: () => ({ method: 'GET', endpoint: '/x', url: '', attempts: 1, callId: `call ${n}` }),
  }
}
/** What there is where the service says that nothing was found. */
const absent = (n: number): Result => ({
  ...page(n, '', { total: 0, limit: 0, pages: 0 }),
  response: undefined,
  version: undefined,
})
/** One of three pages with two transactions each. */
const three = (n: number) => page(n, ['ab', 'cd', 'ef'][n - 1] ?? '')

/** Reads all pages; with `prefetched`, all requests were sent before the first response. */
const read = async (
  respond: (page: number, attempt: number) => Result,
  { first = 1, prefetched = false }: { first?: number; prefetched?: boolean } = {},
) => {
  const taken: number[] = []
  const verified: number[] = []
  const again: number[] = []
  const expected: number[] = []
  let clock = 0
  const fetched = (n: number, isEarly = false) => {
    const attempt = [...taken, ...again].filter((one) => one === n).length
    clock += 2
    return { value: respond(n, attempt), sentAt: isEarly ? 0 : clock - 1, receivedAt: clock }
  }
  const source = {
    async take(n: number, isVerification: boolean) {
      taken.push(n)
      if (isVerification) verified.push(n)
      return fetched(n, prefetched)
    },
    async again(n: number) {
      again.push(n)
      return fetched(n)
    },
    expect: (last: number) => void expected.push(last),
  }
  const results: OrderedPage<object>[] = []
  let failure: unknown
  try {
    for await (const result of orderedPages(source, first)) results.push(result)
  } catch (error) {
    failure = error
  }
  const letters = results.map(({ entries }) => entries.map(({ transactionId }) => transactionId).join(''))
  return { results, letters, changes: results.map(({ change }) => change), taken, verified, again, expected, failure }
}

describe('pages in order', () => {
  it('are all pages up to the last, which an empty page beyond it verifies', async () => {
    const run = await read(three)

    expect(run.letters).toEqual(['ab', 'cd', 'ef'])
    expect(run.results.map(({ page: n, change, lost, isContradicted }) => [n, change, lost, isContradicted])).toEqual([
      [1, 'none', 0, false],
      [2, 'none', 0, false],
      [3, 'none', 0, false],
    ])
    expect([run.taken, run.verified, run.again]).toEqual([[1, 2, 3, 4], [4], []])
    expect(run.expected).toEqual([3, 3, 3])
  })

  it('start with any page', async () => {
    const run = await read(three, { first: 2 })

    expect([run.letters, run.taken]).toEqual([
      ['cd', 'ef'],
      [2, 3, 4],
    ])
  })

  it('end without a verification where the last page is not full', async () => {
    const run = await read((n) => page(n, ['ab', 'c'][n - 1] ?? '', { total: 3 }))

    expect([run.letters, run.taken, run.expected]).toEqual([['ab', 'c'], [1, 2], [2]])
  })

  it('go on beyond the last page where that has results, expecting no page beyond the one that is read', async () => {
    const run = await read((n) => page(n, ['ab', 'cd', 'e'][n - 1] ?? '', { total: 2 }))

    expect([run.letters, run.verified, run.expected]).toEqual([
      ['ab', 'cd', 'e'],
      [2, 3, 4],
      [1, 2, 3],
    ])
  })

  it.each([
    ['ends with what the service fails with', new ConnectionError('x'), undefined],
    ['throws what is no failure of the service', new TypeError('bug'), 'bug'],
  ])('verification %s', async (_, error, message) => {
    const run = await read((n) => {
      if (n === 4) throw error
      return three(n)
    })

    expect(run.letters).toEqual(['ab', 'cd', 'ef'])
    expect((run.failure as Error | undefined)?.message).toBe(message)
  })

  it('throw what a page fails with that is there', async () => {
    const broken = new ConnectionError('x')

    const run = await read((n) => {
      if (n === 2) throw broken
      return three(n)
    })

    expect([run.letters, run.failure]).toEqual([['ab'], broken])
  })

  it('end with the third page beyond the last that repeats another, not with two', async () => {
    const repeat = await read((n) => page(n, ['ab', 'cd'][n - 1] ?? 'cd', { total: 4 }))
    const twice = await read((n) => page(n, ['ab', 'cd', 'cd', 'cd', 'ef', 'cd'][n - 1] ?? '', { total: 4 }))

    expect(repeat.letters).toEqual(['ab', 'cd', 'cd', 'cd'])
    expect(repeat.taken).toEqual([1, 2, 3, 4, 5])
    expect(twice.letters).toEqual(['ab', 'cd', 'cd', 'cd', 'ef', 'cd'])
  })

  it('do not end with pages that repeat another before the last page', async () => {
    const run = await read((n) => page(n, n < 5 ? 'ab' : n === 5 ? 'c' : '', { total: 9 }))

    expect(run.letters).toEqual(['ab', 'ab', 'ab', 'ab', 'c'])
  })
})

describe('a page that shows another result than the one before', () => {
  const totals =
    (...of: number[]) =>
    (n: number) =>
      page(n, ['ab', 'cd', 'ef'][n - 1] ?? '', { total: of[n - 1] ?? 6 })
  const summary = (totalTransactions: number): Summary => ({ totalTransactions, totalValue: 1, uniqueUsers: 1 })

  it('has the change, and how many results fewer there are', async () => {
    const run = await read(totals(6, 9, 5))

    expect(run.changes).toEqual(['none', 'grown', 'removed'])
    expect(run.results.map(({ lost }) => lost)).toEqual([0, 0, 4])
  })

  it('is replaced where as much is there, but not the same', async () => {
    const run = await read((n) =>
      page(n, ['ab', 'cd', 'ef'][n - 1] ?? '', { summary: { ...summary(6), totalValue: n } }),
    )

    expect(run.changes).toEqual(['none', 'replaced', 'replaced'])
  })

  it('is requested again if it was sent before the response before it and shows an older result', async () => {
    const older = (n: number, attempt: number) =>
      page(n, ['ab', 'cd', 'ef'][n - 1] ?? '', { total: n === 2 && attempt === 1 ? 5 : 6 })

    expect((await read(older, { prefetched: true })).again).toEqual([2])
    expect((await read(older, { prefetched: true })).changes).toEqual(['none', 'none', 'none'])
    expect((await read(older)).again).toEqual([])
    expect((await read(older)).changes).toEqual(['none', 'removed', 'grown'])
  })

  it('is not requested again if it shows the same or a newer result', async () => {
    const run = await read((n) => page(n, ['ab', 'cd', 'ef', 'g'][n - 1] ?? '', { total: n === 1 ? 6 : 7 }), {
      prefetched: true,
    })

    expect([run.changes, run.again]).toEqual([['none', 'grown', 'none', 'none'], []])
  })

  it.each([
    ['none', false],
    ['grown', false],
    ['removed', true],
    ['replaced', true],
  ] as const)('%s: something has vanished is %s', (change, expected) => {
    expect(isShrinkage(change)).toBe(expected)
  })
})

describe('an empty page that the totals contradict', () => {
  it('is requested again, once, and yielded as it is then', async () => {
    const full = await read((n, attempt) => (n === 2 && attempt === 1 ? page(2, '') : three(n)))
    const empty = await read((n) => (n === 2 ? page(2, '') : three(n)))

    expect([full.letters, full.again]).toEqual([['ab', 'cd', 'ef'], [2]])
    expect([empty.letters, empty.again]).toEqual([['ab', '', 'ef'], [2]])
    expect(empty.results.map(({ isContradicted }) => isContradicted)).toEqual([false, true, false])
  })

  it('has the version of the page before, requested again, where it does not exist', async () => {
    const shrunk = await read((n, attempt) =>
      n === 1 ? page(1, 'ab', { total: attempt === 1 ? 6 : 2 }) : n === 2 ? absent(2) : three(n),
    )

    expect(shrunk.again).toEqual([2, 1])
    expect(shrunk.results.map(({ page: n, change, lost, lastPage }) => [n, change, lost, lastPage])).toEqual([
      [1, 'none', 0, 3],
      [2, 'removed', 4, 1],
    ])
  })

  it('counts as removed where the page before does not exist any more either', async () => {
    const gone = await read((n, attempt) => (n === 1 && attempt === 1 ? three(1) : absent(n)))

    expect(gone.again).toEqual([2, 1])
    expect(gone.changes).toEqual(['none', 'removed'])
    expect(gone.results[1]).toMatchObject({ version: undefined, lost: 0, isContradicted: true })
  })

  it('does not count as removed where it is the first one', async () => {
    const run = await read(absent)

    expect([run.changes, run.again]).toEqual([['none'], []])
  })

  it('may be followed by several others', async () => {
    const run = await read((n) => page(n, ['ab', '', 'ef', 'gh', 'i'][n - 1] ?? '', { total: 9 }))

    expect(run.letters).toEqual(['ab', '', 'ef', 'gh', 'i'])
  })

  it('is no change where as much was seen as the total says, and the page does not exist', async () => {
    const run = await read((n) => (n === 1 ? page(1, 'ab', { total: 2, pages: 3 }) : absent(n)))

    expect([run.changes, run.again]).toEqual([['none', 'none'], []])
  })

  it('is an error where the service responds with another page', async () => {
    const run = await read((n) => (n === 3 ? page(3, '', { servedPage: 2 }) : three(n)))

    expect(run.letters).toEqual(['ab', 'cd'])
    expect(run.failure).toMatchObject({
      code: 'pagination_stalled',
      page: 3,
      callId: 'call 3',
      message: 'Pagination cannot continue: requested page 3 of 3, got page 2. Narrow the query, or raise its limit.',
    })
  })

  it('is no error where only the larger number of pages has it', async () => {
    const run = await read((n) => (n === 3 ? { ...page(3, '', { servedPage: 2 }), certainPages: 2 } : three(n)))

    expect(run.failure).toBeUndefined()
  })
})

describe('pages that never end', () => {
  it('are an error where a page has more results than fit', async () => {
    const run = await read((n) => page(n, n === 1 ? 'ab' : 'cde', { total: 6 }))

    expect(run.letters).toEqual(['ab'])
    expect(run.failure).toMatchObject({
      name: 'ResponseValidationError',
      page: 2,
      callId: 'call 2',
      issues: [{ path: 'data', expected: 'at most 2 results, as pagination.limit says', received: '3 transactions' }],
      message:
        'Pagination cannot continue: page 2 must have at most 2 results, as pagination.limit says, got 3 transactions. ' +
        'Report it, or use list.',
    })
  })

  it('are an error once ten times as many pages and 1000 more were read than there were at first', async () => {
    const run = await read((n) => page(n, `${String.fromCodePoint(300 + n)}x`, { total: 2 * n + 2 }), { first: 3 })

    expect(run.failure).toMatchObject({
      code: 'pagination_stalled',
      page: 1043,
      callId: 'call 1043',
      message:
        'Pagination does not end: there were 4 pages at its start, and page 1043 is not the last. Narrow the query, or continue from this page.',
    })
    expect(run.letters).toHaveLength(1041)
  })

  it.each([
    [1, 22],
    [2, 44],
    [3, 73],
    [5, 119],
  ])('are an error once a cycle of %i pages was noticed 21 times: on page %i', async (length, at) => {
    const run = await read((n) => page(n, `${n % length}x`, { total: 1e9 }))

    expect(run.failure).toMatchObject({
      code: 'pagination_stalled',
      page: at,
      callId: `call ${at}`,
      message: `Pagination does not end: page ${at} came before. Report it, or narrow the query.`,
    })
  })

  it('are an error once one page has come again 21 times, whichever it is', async () => {
    const run = await read((n) => page(n, `${Math.min(n, 10)}x`.slice(-2), { total: 1e9 }))

    expect(run.failure).toMatchObject({ code: 'pagination_stalled', page: 31 })
  })

  it.each<[string, (n: number) => Claims & { letters?: string }]>([
    ['the total differs', (n) => ({ total: 1000 + n })],
    ['the number of transactions differs', (n) => ({ total: 1e4, limit: 100, letters: 'a'.repeat(n) })],
  ])('are not a cycle where %s', async (_, claimsOf) => {
    const run = await read((n) => {
      const { letters = 'ab', ...claims } = claimsOf(n)
      return n > 60 ? absent(n) : page(n, letters, claims)
    })

    expect((run.failure as Error | undefined)?.message ?? '').not.toContain('came before')
  })
})
