import { setImmediate } from 'node:timers/promises'
import { GuildLedger, type Drift, type GuildQuery, type PaginationOptions } from '@guild-ledger/sdk'
import { entryId, errorBody, failureOf, stubService, transaction } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'

const notFound = { status: 404, body: errorBody('No transactions found for this guild') }

type Totals = Partial<Record<'page' | 'total' | 'totalPages', number>>

/** A page of transactions with these numbers, and what it says about itself. */
const page = (requested: number, numbers: readonly number[], totals: Totals = {}) => {
  const { total = 6, totalPages = 3, page: shown = requested } = totals
  return {
    success: true,
    data: [{ platformId: 'ann', transactions: numbers.map((n) => ({ ...transaction, transactionId: entryId(n) })) }],
    pagination: { page: shown, limit: 2, total, totalPages },
    summary: { totalTransactions: total, totalValue: 1, uniqueUsers: 1 },
  }
}
const emptyPage = (n: number, totals?: Totals) => ({ ...page(n, [], totals), data: [] })
const two = (n: number) => [2 * n - 1, 2 * n]
/** One of three pages with two transactions each, numbered from 1 to 6. */
const six = (n: number) => (n <= 3 ? page(n, two(n)) : notFound)
const firstOfNine = page(1, [1, 2], { totalPages: 9 })

type PageResponse = object | { status: number; body: object }

/** A client of a service that responds with what `respond` makes of the number of the page. */
const clientOf = (respond: (page: number) => PageResponse | Promise<PageResponse>) => {
  let inFlight = 0
  const service = stubService(async (_, { url, init }) => {
    inFlight++
    try {
      const given = await Promise.race([
        respond(Number(new URL(url).searchParams.get('page'))),
        new Promise<never>((_resolve, reject) => {
          init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))
        }),
      ])
      const { status, body } = 'status' in given ? given : { status: 200, body: given }
      return Response.json(body, { status })
    } finally {
      inFlight--
    }
  })
  const searches = () => service.sent.map(({ url }) => new URL(url).searchParams)
  return {
    ledger: new GuildLedger(service.options),
    searches,
    pages: () => searches().map((search) => Number(search.get('page'))),
    inFlight: () => inFlight,
  }
}

const numbersOf = async (ledger: GuildLedger, query?: GuildQuery, options?: PaginationOptions) =>
  (await Array.fromAsync(ledger.transactions.iterate(query, options))).map(({ transactionId }) =>
    Number(transactionId.slice(-12)),
  )
/** Lets everything happen that needs no time. */
const turns = async () => {
  for (let i = 0; i < 20; i++) await setImmediate()
}

it('yields every transaction with the user it belongs to', async () => {
  const entries = await Array.fromAsync(clientOf(six).ledger.transactions.iterate())

  expect(entries).toHaveLength(6)
  expect(entries[0]).toEqual({ ...transaction, transactionId: entryId(1), platformId: 'ann' })
})

it('yields the pages as the service responded with them', async () => {
  const pages = await Array.fromAsync(clientOf(six).ledger.transactions.pages())

  expect(pages).toEqual([six(1), six(2), six(3)])
  expect(pages[0]?.response.status).toBe(200)
})

it('requests 100 results a page by default, with the query of the caller', async () => {
  const { ledger, searches } = clientOf(six)

  await numbersOf(ledger, { from: 'shop', sortBy: 'amount' })

  expect(searches().map(String)).toEqual([
    'from=shop&sortBy=amount&page=1&limit=100',
    'from=shop&sortBy=amount&page=2&limit=100',
    'from=shop&sortBy=amount&page=3&limit=100',
    'from=shop&sortBy=amount&page=4&limit=100', // page 3 is full
  ])
})

it('keeps the query a paginator was made with when the caller changes the object', async () => {
  const { ledger, searches } = clientOf(six)
  const query = { from: 'shop' }
  const paginator = ledger.transactions.pages(query)
  query.from = 'gift'

  await Array.fromAsync(paginator)

  expect(searches().map((search) => search.get('from'))).toEqual(['shop', 'shop', 'shop', 'shop'])
})

it('starts pagination at the page of the query', async () => {
  const { ledger, pages } = clientOf(six)

  expect(await numbersOf(ledger, { page: 2 })).toEqual([3, 4, 5, 6])
  expect(pages()).toEqual([2, 3, 4])
})

it('requests later pages once a second transaction is requested, as many as concurrency allows', async () => {
  const { ledger, pages } = clientOf((n) => page(n, two(n), { total: 100, totalPages: 50 }))
  const paginator = ledger.transactions.iterate({}, { concurrency: 3 })

  await paginator.next()
  await paginator.next()
  await turns()

  expect(pages()).toEqual([1, 2, 3, 4, 5, 6])
  await paginator.return?.()
})

it('leaves no request in flight when the consumer stops', async () => {
  const { ledger, inFlight, pages } = clientOf((n) => (n === 1 ? six(1) : new Promise<never>(() => {})))

  let count = 0
  for await (const _ of ledger.transactions.iterate()) if (++count === 2) break
  await turns()

  expect(pages().length).toBeGreaterThan(1)
  expect(inFlight()).toBe(0)
})

it('sets the number of the page that failed, from which another paginator continues', async () => {
  let isBroken = true
  const { ledger } = clientOf((n) =>
    n === 2 && isBroken ? { status: 500, body: errorBody('Failed to fetch guild transactions') } : six(n),
  )
  const seen: string[] = []

  const failure = await failureOf(async () => {
    for await (const { transactionId } of ledger.transactions.iterate()) seen.push(transactionId)
  })

  expect(failure).toMatchObject({ code: 'guild_transactions_failed', page: 2 })
  expect(seen).toEqual([entryId(1), entryId(2)])
  isBroken = false
  expect(await numbersOf(ledger, { page: 2 })).toEqual([3, 4, 5, 6])
})

it.each([
  ['concurrency', 0, '`concurrency` must be an integer from 1 to 100, got 0'],
  ['concurrency', 1.5, '`concurrency` must be an integer from 1 to 100, got 1.5'],
  ['onEmpty', 'stop', '`onEmpty` must be one of end, throw, got "stop"'],
  ['onDrift', true, '`onDrift` must be a function, got true'],
])('rejects the pagination option %s: %j before sending', (name, value, message) => {
  const { ledger, pages } = clientOf(six)
  const options = { [name]: value } as PaginationOptions

  expect(() => ledger.transactions.iterate({}, options)).toThrow(message)
  expect(() => ledger.transactions.pages({}, options)).toThrow(message)
  expect(pages()).toEqual([])
})

it.each<[string, (page: number) => PageResponse]>([
  ['the documented 404', () => notFound],
  ['an empty page and no pages', (n) => emptyPage(n, { total: 0, totalPages: 0 })],
  ['an empty page and one page', (n) => emptyPage(n, { total: 0, totalPages: 1 })],
  ['a user without transactions', (n) => page(n, [], { total: 0, totalPages: 1 })],
])('ends pagination at once without a result if the service responds with %s', async (_, respond) => {
  const { ledger, pages } = clientOf(respond)

  expect(await numbersOf(ledger)).toEqual([])
  expect(await Array.fromAsync(ledger.transactions.pages())).toEqual([])
  expect(pages()).toEqual([1, 1])
})

it("throws a PaginationError for an empty page with onEmpty 'throw'", async () => {
  const { ledger } = clientOf((n) => emptyPage(n, { total: 0, totalPages: 0 }))

  await expect(numbersOf(ledger, {}, { onEmpty: 'throw' })).rejects.toMatchObject({
    name: 'PaginationError',
    code: 'no_results',
    page: 1,
    message:
      "Nothing was found: the service responded with an empty page, and `onEmpty` is 'throw'. Widen the filters, or use onEmpty: 'end'.",
  })
})

it("is no error with onEmpty 'throw' that a later page is empty", async () => {
  const gap = clientOf((n) => (n === 2 ? emptyPage(2) : six(n)))
  const options = { onEmpty: 'throw', concurrency: 1 } as const

  expect(await numbersOf(clientOf(six).ledger, {}, options)).toEqual([1, 2, 3, 4, 5, 6])
  expect(await numbersOf(gap.ledger, {}, options)).toEqual([1, 2, 5, 6])
})

it.each<[string, number[], (page: number) => PageResponse]>([
  ['says there are no pages', [1, 2, 3], (n) => (n < 4 ? page(n, [n], { total: 0, totalPages: 0 }) : emptyPage(n))],
  [
    'says there are too few pages',
    [1, 2, 3, 4, 5, 6],
    (n) => (n <= 3 ? page(n, two(n), { totalPages: 1 }) : emptyPage(n)),
  ],
  ['says there are too many pages, which are empty', [1, 2], (n) => (n === 1 ? firstOfNine : emptyPage(n))],
  ['says there are too many pages, which get the documented 404', [1, 2], (n) => (n === 1 ? firstOfNine : notFound)],
  ['has a short page in the middle', [1, 2, 3, 5, 6], (n) => (n === 2 ? page(2, [3]) : six(n))],
  [
    'repeats the last page instead of those beyond it',
    [1, 2, 3, 4],
    (n) =>
      page(n, n === 1 ? [1, 2] : [3, 4], { page: Math.min(n, 2), total: n === 1 ? 6 : 4, totalPages: n === 1 ? 3 : 2 }),
  ],
])('yields everything and ends for a service that %s', async (_, expected, respond) => {
  expect(await numbersOf(clientOf(respond).ledger)).toEqual(expected)
})

it('requests a page again that was rejected before the ledger had grown to it', async () => {
  let rejected = 0
  const { ledger } = clientOf((n) => {
    if (n === 3 && rejected++ === 0) return { status: 400, body: errorBody('There is no such page') }
    return page(n, n === 3 ? [5] : two(n), { total: n === 1 ? 4 : 5, totalPages: n === 1 ? 2 : 3 })
  })

  expect(await numbersOf(ledger)).toEqual([1, 2, 3, 4, 5])
})

it('reports nothing where all transactions were met, but the service says there are more pages', async () => {
  const drifts: Drift[] = []
  const more = { totalPages: 9 }
  const { ledger } = clientOf((n) => (n <= 3 ? page(n, two(n), more) : emptyPage(n, more)))

  expect(await numbersOf(ledger, {}, { onDrift: (drift) => drifts.push(drift) })).toEqual([1, 2, 3, 4, 5, 6])
  expect(drifts).toEqual([])
})

it.each([1, 2, 3])('fails if the same %i pages repeat', async (cycle) => {
  const { ledger, pages } = clientOf((n) => page(n, [n % cycle], { total: 1e9, totalPages: 1e9 }))

  await expect(Array.fromAsync(ledger.transactions.pages())).rejects.toMatchObject({ code: 'pagination_stalled' })
  expect(pages().length).toBeLessThan(200)
})

/** The first response shows six transactions, all later ones the four that are left. */
const shrinking = () => {
  let count = 0
  const left: Record<number, number[]> = { 1: [2, 3], 2: [4, 6] }
  return clientOf((n) => {
    count++
    return count === 1 ? six(1) : page(n, left[n] ?? [], { total: 4, totalPages: 2 })
  })
}

it('reports transactions that vanish, and yields those that moved to an earlier page', async () => {
  const drifts: Drift[] = []

  expect(await numbersOf(shrinking().ledger, {}, { onDrift: (drift) => drifts.push(drift) })).toEqual([1, 2, 3, 4, 6])
  expect(drifts).toEqual([{ kind: 'removed', page: 2, lost: 2, rereadFrom: 1, repaired: true }])
})

it('reports transactions that vanish to a paginator of pages, which does not read pages again', async () => {
  const drifts: Drift[] = []

  const pages = await Array.fromAsync(
    shrinking().ledger.transactions.pages({}, { onDrift: (drift) => drifts.push(drift) }),
  )

  expect(pages.map(({ pagination }) => pagination.page)).toEqual([1, 2])
  expect(drifts).toEqual([{ kind: 'removed', page: 2, lost: 2, rereadFrom: undefined, repaired: false }])
})

it('reports nothing to a paginator of pages where there is more than before', async () => {
  const drifts: Drift[] = []
  const { ledger } = clientOf((n) => (n === 1 ? six(1) : n === 4 ? page(4, [7], grown) : page(n, two(n), grown)))
  const grown = { total: 7, totalPages: 4 }

  const paginator = ledger.transactions.pages({}, { concurrency: 1, onDrift: (drift) => void drifts.push(drift) })

  expect(await Array.fromAsync(paginator)).toHaveLength(4)
  expect(drifts).toEqual([])
})

it('yields every page once to a paginator of pages where the service counts too few', async () => {
  const totals = { total: 4, totalPages: 2 }
  const { ledger } = clientOf((n) => (n <= 5 ? page(n, two(n), totals) : emptyPage(n, totals)))

  const pages = await Array.fromAsync(ledger.transactions.pages())

  expect(pages.map(({ pagination }) => pagination.page)).toEqual([1, 2, 3, 4, 5])
})

it('reads at most twice as many pages again as there are, where each page changes all the time', async () => {
  let count = 0
  const { ledger, pages } = clientOf((n) => {
    count++
    return page(n, n > 50 ? [] : [2 * count, 2 * count + 1], { total: 100 - (count % 2), totalPages: 50 })
  })
  const drifts: Drift[] = []

  await numbersOf(ledger, {}, { concurrency: 1, onDrift: (drift) => drifts.push(drift) })

  expect(pages().length).toBeGreaterThan(100)
  expect(pages().length).toBeLessThanOrEqual(51 + 2 * 50)
  expect(drifts[0]).toMatchObject({ rereadFrom: 1, repaired: true })
  expect(drifts.at(-1)).toMatchObject({ repaired: false })
})

it('gives up repairing where pages count users and transactions keep vanishing', async () => {
  let count = 0
  const user = (n: number, numbers: readonly number[]) => ({
    platformId: `user ${n}`,
    transactions: numbers.map((one) => ({ ...transaction, transactionId: entryId(one) })),
  })
  const { ledger } = clientOf((n) => {
    count++
    const data = n > 3 ? [] : [user(2 * n, [2 * n, 100 + n]), user(2 * n + 1, [2 * n + 1])]
    return { ...page(n, [], { total: 600 - count, totalPages: 30 }), data }
  })
  const drifts: Drift[] = []

  const numbers = await numbersOf(ledger, {}, { concurrency: 1, onDrift: (drift) => drifts.push(drift) })

  expect(numbers).toEqual([2, 101, 3, 4, 102, 5, 6, 103, 7])
  expect(drifts.at(-1)).toMatchObject({ kind: 'removed', rereadFrom: 1, repaired: false })
  expect(count).toBeLessThan(100)
})

it.each([
  ['and another transaction is added', 'ann', [2, 3], [4, 5]],
  ['and the total counts users', 'ben', [2, 2], [4, 4]],
])('reports no loss where the guild happens to have as many users as match, %s', async (_, last, totals, all) => {
  let count = 0
  const drifts: Drift[] = []
  const { ledger } = clientOf((n) => {
    const [total = 0, totalTransactions = 0] = [totals, all].map((each) => each[Math.min(count, 1)])
    count++
    const transactions = [{ ...transaction, transactionId: entryId(n) }]
    return {
      success: true,
      data: n > 3 ? [] : [{ platformId: n === 3 ? last : 'ann', transactions }],
      pagination: { page: n, limit: 1, total, totalPages: total },
      summary: { totalTransactions, totalValue: 0, uniqueUsers: 2 },
    }
  })

  const options = { concurrency: 1, onDrift: (drift: Drift) => void drifts.push(drift) }
  expect(await numbersOf(ledger, { limit: 1, from: 'shop' }, options)).toEqual([1, 2, 3])
  expect(drifts).toEqual([])
})
