import { setImmediate } from 'node:timers/promises'
import { GuildLedger, type Drift, type GuildQuery, type WalkOptions } from '@guild-ledger/sdk'
import { describe, expect, it } from 'vitest'
import { refusal, row } from './replies.ts'

const nothing = refusal('No transactions found for this guild')
const idOf = (n: number) => `0b9d1c1e-6f6a-4d3e-9c55-${String(n).padStart(12, '0')}`

interface Told {
  readonly page?: number
  readonly total?: number
  readonly totalPages?: number
}

/** A page with rows numbered by `numbers`, and what it says about itself. */
const page = (
  asked: number,
  numbers: readonly number[],
  { total = 6, totalPages = 3, page: shown = asked }: Told = {},
) => ({
  success: true,
  data: [{ platformId: 'ann', transactions: numbers.map((n) => ({ ...row, transactionId: idOf(n) })) }],
  pagination: { page: shown, limit: 2, total, totalPages },
  summary: { totalTransactions: total, totalValue: 1, uniqueUsers: 1 },
})

type Answer = object | { status: number; body: object }

/** A client of a service that answers with what `answer` makes of the number of the page. */
const clientOf = (answer: (page: number) => Answer | Promise<Answer>) => {
  const asked: URLSearchParams[] = []
  let underWay = 0
  const ledger = new GuildLedger({
    apiKey: 'k3y-of-the-guild',
    baseUrl: 'https://ledger.example',
    throttle: false,
    retry: false,
    fetch: async (url, { signal }) => {
      const query = new URL(url).searchParams
      asked.push(query)
      underWay += 1
      try {
        const given = await Promise.race([
          answer(Number(query.get('page'))),
          new Promise<never>((_, reject) => {
            signal?.addEventListener('abort', () => reject(signal.reason as Error))
          }),
        ])
        const { status, body } = 'status' in given ? given : { status: 200, body: given }
        return Response.json(body, { status })
      } finally {
        underWay -= 1
      }
    },
  })
  return { ledger, asked, pages: () => asked.map((query) => Number(query.get('page'))), underWay: () => underWay }
}

const numbersOf = async (ledger: GuildLedger, query?: GuildQuery, options?: WalkOptions) =>
  (await Array.fromAsync(ledger.transactions.iterate(query, options))).map(({ transactionId }) =>
    Number(transactionId.slice(-12)),
  )
/** Lets everything happen that needs no time. */
const turns = async () => {
  for (let i = 0; i < 20; i += 1) await setImmediate()
}
const six = (n: number) => page(n, [2 * n - 1, 2 * n])

describe('a walk', () => {
  it('yields every transaction with the user it belongs to', async () => {
    const { ledger } = clientOf(six)
    const entries = await Array.fromAsync(ledger.transactions.iterate())
    expect(entries).toHaveLength(6)
    expect(entries[0]).toEqual({ ...row, transactionId: idOf(1), platformId: 'ann' })
  })

  it('yields the pages as the service gave them', async () => {
    const { ledger } = clientOf(six)
    const pages = await Array.fromAsync(ledger.transactions.pages())
    expect(pages).toEqual([six(1), six(2), six(3)])
    expect(pages[0]?.response.status).toBe(200)
  })

  it('asks for 100 results a page unless told otherwise, and passes the query on', async () => {
    const { ledger, asked } = clientOf(six)
    await numbersOf(ledger, { from: 'shop', sortBy: 'amount' })
    expect(asked.map(String)).toEqual([
      'from=shop&sortBy=amount&page=1&limit=100',
      'from=shop&sortBy=amount&page=2&limit=100',
      'from=shop&sortBy=amount&page=3&limit=100',
    ])
  })

  it('begins at the page it is told to', async () => {
    const { ledger, pages } = clientOf(six)
    expect(await numbersOf(ledger, { page: 2 })).toEqual([3, 4, 5, 6])
    expect(pages()).toEqual([2, 3])
  })

  it('has later pages on their way while the first is consumed, as many as it may', async () => {
    const { ledger, pages } = clientOf((n) => page(n, [2 * n - 1, 2 * n], { total: 100, totalPages: 50 }))
    const walk = ledger.transactions.iterate({}, { concurrency: 3 })
    await walk.next()
    await turns()
    expect(pages()).toEqual([1, 2, 3, 4, 5, 6])
    await walk.return?.()
  })

  it('leaves nothing under way when it is left', async () => {
    const { ledger, underWay, asked } = clientOf((n) => (n === 1 ? six(1) : new Promise<never>(() => {})))
    for await (const _ of ledger.transactions.iterate()) break
    await turns()
    expect(asked.length).toBeGreaterThan(1)
    expect(underWay()).toBe(0)
  })

  it('carries the number of the page that failed, from which another walk goes on', async () => {
    let broken = true
    const { ledger } = clientOf((n) =>
      n === 2 && broken ? { status: 500, body: refusal('Failed to fetch guild transactions') } : six(n),
    )
    const seen: string[] = []
    const failure = await (async () => {
      for await (const { transactionId } of ledger.transactions.iterate()) seen.push(transactionId)
    })().catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'guild_transactions_failed', page: 2 })
    broken = false
    expect(seen).toEqual([idOf(1), idOf(2)])
    expect(await numbersOf(ledger, { page: 2 })).toEqual([3, 4, 5, 6])
  })

  it.each([
    ['concurrency', 0, 'concurrency must be a whole number from 1 to 100; got 0'],
    ['concurrency', 1.5, 'concurrency must be a whole number from 1 to 100; got 1.5'],
    ['onEmpty', 'stop', 'onEmpty must be one of end, throw; got "stop"'],
    ['onDrift', true, 'onDrift must be a function; got true'],
  ])('refuses the option %s: %j before anything is asked', (name, value, message) => {
    const { ledger, asked } = clientOf(six)
    const options = { [name]: value } as WalkOptions
    expect(() => ledger.transactions.iterate({}, options)).toThrow(message)
    expect(() => ledger.transactions.pages({}, options)).toThrow(message)
    expect(asked).toEqual([])
  })

  it.each([
    ['page', 0, 'page must be a whole number of at least 1; got 0'],
    ['limit', 101, 'limit must be a whole number from 1 to 100; got 101'],
  ])('refuses the parameter %s: %j before anything is asked', (name, value, message) => {
    const { ledger, asked } = clientOf(six)
    expect(() => ledger.transactions.iterate({ [name]: value })).toThrow(message)
    expect(asked).toEqual([])
  })
})

describe('the end of a walk', () => {
  const emptyPage = (n: number, told?: Told) => ({ ...page(n, [], told), data: [] })

  it.each<[string, (page: number) => Answer]>([
    ['a refusal', () => ({ status: 404, body: nothing })],
    ['an empty page and no pages', (n) => emptyPage(n, { total: 0, totalPages: 0 })],
    ['an empty page and one page', (n) => emptyPage(n, { total: 0, totalPages: 1 })],
    ['a user without transactions', (n) => page(n, [], { total: 0, totalPages: 1 })],
  ])('comes at once where nothing is found: %s', async (_, answer) => {
    const { ledger, pages } = clientOf(answer)
    expect(await numbersOf(ledger)).toEqual([])
    expect(await Array.fromAsync(ledger.transactions.pages())).toEqual([])
    expect(pages()).toEqual([1, 1])
  })

  it("is the service's own error where nothing is found and that is an error", async () => {
    const { ledger } = clientOf(() => ({ status: 404, body: nothing }))
    await expect(numbersOf(ledger, {}, { onEmpty: 'throw' })).rejects.toMatchObject({ code: 'no_guild_transactions' })
  })

  it('is an error too where the service answers with an empty page instead', async () => {
    const { ledger } = clientOf((n) => emptyPage(n, { total: 0, totalPages: 0 }))
    await expect(numbersOf(ledger, {}, { onEmpty: 'throw' })).rejects.toMatchObject({ code: 'walk_empty' })
  })

  it.each<[string, number[], (page: number) => Answer]>([
    ['no pages', [1, 2, 3], (n) => (n < 4 ? page(n, [n], { total: 0, totalPages: 0 }) : emptyPage(n))],
    ['too few pages', [1, 2, 3, 4, 5, 6], (n) => page(n, [2 * n - 1, 2 * n], { totalPages: 1 })],
    ['too many pages, then empty ones', [1, 2], (n) => (n === 1 ? page(1, [1, 2], { totalPages: 9 }) : emptyPage(n))],
    [
      'too many pages, then refusals',
      [1, 2],
      (n) => (n === 1 ? page(1, [1, 2], { totalPages: 9 }) : { status: 404, body: nothing }),
    ],
    ['a short page in the middle', [1, 2, 3, 5, 6], (n) => (n === 2 ? page(2, [3]) : six(n))],
    [
      'the last page instead of those beyond it',
      [1, 2, 3, 4],
      (n) =>
        page(n, n === 1 ? [1, 2] : [3, 4], {
          page: Math.min(n, 2),
          total: n === 1 ? 6 : 4,
          totalPages: n === 1 ? 3 : 2,
        }),
    ],
  ])('comes for a service that tells of %s', async (_, expected, answer) => {
    const { ledger } = clientOf(answer)
    expect(await numbersOf(ledger)).toEqual(expected)
  })

  it('is an error when the service gives another page than the one asked for, and says there are more', async () => {
    const { ledger } = clientOf((n) => page(n, [2 * n - 1, 2 * n], { page: Math.min(n, 2) }))
    await expect(numbersOf(ledger)).rejects.toMatchObject({
      code: 'walk_stuck',
      page: 3,
      message:
        'The walk cannot go on: asked for page 3 of 3, the service gave page 2. Narrow the query, or raise its limit.',
    })
  })

  it.each([1, 2, 3])('is an error when the same %i pages come again and again', async (circle) => {
    const { ledger, asked } = clientOf((n) => page(n, [n % circle], { total: 1e9, totalPages: 1e9 }))
    await expect(Array.fromAsync(ledger.transactions.pages())).rejects.toMatchObject({ code: 'walk_stuck' })
    expect(asked.length).toBeLessThan(200)
  })

  it('is an error when there are more and more pages', { timeout: 20_000 }, async () => {
    const { ledger, asked } = clientOf((n) => page(n, [2 * n - 1, 2 * n], { total: 2 * n + 2, totalPages: n + 1 }))
    await expect(numbersOf(ledger)).rejects.toMatchObject({
      code: 'walk_stuck',
      page: 1021,
      message:
        'The walk does not come to an end: there were 2 pages when it began, and page 1021 is not the last. Narrow the query, or go on from this page.',
    })
    expect(asked.length).toBeLessThan(1100)
  })
})

describe('what vanishes during a walk', () => {
  /** The first reply shows six rows, all later ones the four that are left. */
  const shrinking = () => {
    let count = 0
    return clientOf((n) => {
      count += 1
      if (count === 1) return six(1)
      return page(
        n,
        [
          [2, 3],
          [4, 6],
        ][n - 1] ?? [],
        { total: 4, totalPages: 2 },
      )
    })
  }

  it('is told, and what slipped past is yielded all the same', async () => {
    const drifts: unknown[] = []
    const { ledger } = shrinking()
    expect(await numbersOf(ledger, {}, { onDrift: (drift) => drifts.push(drift) })).toEqual([1, 2, 3, 4, 6])
    expect(drifts).toEqual([{ kind: 'removed', page: 2, lost: 2, rereadFrom: 1, repaired: true }])
  })

  it('is told where pages are walked over, which are not read again', async () => {
    const drifts: unknown[] = []
    const { ledger } = shrinking()
    const pages = await Array.fromAsync(ledger.transactions.pages({}, { onDrift: (drift) => drifts.push(drift) }))
    expect(pages.map(({ pagination }) => pagination.page)).toEqual([1, 2])
    expect(drifts).toEqual([{ kind: 'removed', page: 2, lost: 2, rereadFrom: undefined, repaired: false }])
  })

  it('ends the walk with a word about it where pages count users and things go on vanishing', async () => {
    let count = 0
    const user = (n: number, rows: readonly number[]) => ({
      platformId: `user ${n}`,
      transactions: rows.map((one) => ({ ...row, transactionId: idOf(one) })),
    })
    const { ledger } = clientOf((n) => {
      count += 1
      const told = page(n, [], { total: 600 - count, totalPages: 30 })
      return n > 3
        ? { ...told, data: [] }
        : { ...told, data: [user(2 * n, [2 * n, 100 + n]), user(2 * n + 1, [2 * n + 1])] }
    })
    const drifts: Drift[] = []
    const numbers = await numbersOf(ledger, {}, { concurrency: 1, onDrift: (drift) => drifts.push(drift) })
    expect(numbers).toEqual([2, 101, 3, 4, 102, 5, 6, 103, 7])
    expect(drifts.at(-1)).toMatchObject({ kind: 'removed', rereadFrom: 1, repaired: false })
    expect(count).toBeLessThan(100)
  })
})
