import { GuildLedger, type Drift, type GuildQuery, type IterateOptions, type LedgerEntry } from '@guild-ledger/sdk'
import { createRandom, stubService } from '@guild-ledger/test-kit'
import { describe, expect, it } from 'vitest'
import { createService, entryOf, groupsOf, transactionsOf, type ServiceOptions } from './ledger-service.ts'

const many = (count: number, values: (n: number) => Partial<LedgerEntry> = () => ({})) =>
  Array.from({ length: count }, (_, n) => entryOf(n, values(n)))

/** Paginates over a service; `yielded` has the transactions by the number in their identifier. */
const paginate = async (
  ledger: LedgerEntry[],
  service: Partial<ServiceOptions> = {},
  query: GuildQuery = {},
  options: IterateOptions = {},
) => {
  const { fetch, pages, ...rest } = createService(ledger, service)
  const drifts: Drift[] = []
  const entries: LedgerEntry[] = []
  const onDrift = (drift: Drift) => void drifts.push(drift)
  const list = transactionsOf({ fetch }, service.summary)
  for await (const entry of list.iterate(query as object, { onDrift, ...options })) entries.push(entry)
  const numbers = entries.map(({ transactionId }) => Number(transactionId.slice(-12)))
  return { entries, numbers, distinct: new Set(numbers).size, drifts, requests: pages.length, pages, ...rest }
}

describe('pagination over a service that is not ideal', () => {
  it('requests a page again that is empty against its own totals, and yields everything', async () => {
    const isEmptied = (request: number) => request === 4
    const { distinct, drifts, pages } = await paginate(many(600), { isEmptied }, {}, { concurrency: 1 })
    expect([distinct, drifts]).toEqual([600, []])
    expect(pages).toEqual([1, 2, 3, 4, 5, 4, 6, 7])
  })

  type Missing = [
    ...[unit: ServiceOptions['unit'], totalUnit: ServiceOptions['unit'], summary: ServiceOptions['summary']],
    ...[from: number, empty: number, page: number, lost: number],
  ]
  it.each<Missing>([
    ['transaction', 'transaction', 'match', 1, 3, 8, 5],
    ['transaction', 'transaction', 'match', 2, 8, 7, 5],
    ['transaction', 'user', 'match', 1, 3, 8, 5],
    ['user', 'transaction', 'match', 1, 3, 4, 5],
    ['user', 'transaction', 'match', 1, 4, 3, 5],
    ['user', 'transaction', 'match', 2, 4, 3, 5],
    ['user', 'transaction', 'page', 2, 4, 3, 0], // the total may count users of the pages before
    ['user', 'user', 'match', 1, 4, 3, 5],
    ['user', 'user', 'match', 2, 3, 4, 5],
    ['user', 'user', 'page', 1, 3, 4, 5],
  ])(
    'reports what is missing: a page is of %ss, the total of %ss, the summary of the %s, from page %i, page %i stays empty',
    async (...row) => {
      const [unit, totalUnit, summary, from, empty, page, lost] = row
      const { distinct, drifts } = await paginate(
        many(40, (n) => ({ platformId: `user ${Math.floor(n / 2)}` })),
        { unit, totalUnit, totalPages: 'real', summary, isEmptied: (_, requested) => requested === empty },
        { limit: 5, page: from, from: 'shop' },
      )
      expect(distinct).toBe(40 - (unit === 'user' ? 10 : 5) * from)
      expect(drifts).toEqual([{ kind: 'short', page, lost, rereadFrom: undefined, repaired: false }])
    },
  )

  it('reports a last page that stays empty where the total counts users', async () => {
    const ledger = many(40, (n) => ({ platformId: `user ${Math.floor(n / 2)}` }))
    const isEmptied: ServiceOptions['isEmptied'] = (_, page) => page === 8
    const { drifts } = await paginate(ledger, { totalUnit: 'user', totalPages: 'real', isEmptied }, { limit: 5 })
    expect(drifts).toMatchObject([{ kind: 'short', lost: 5 }])
  })

  it('yields every transaction where pages count users and the total counts transactions, in about as many requests as pages', async () => {
    const ledger = many(1200, (n) => ({ platformId: `user ${n % 120}` }))
    const service = { unit: 'user', totalUnit: 'transaction' } as const
    const { distinct, drifts, requests } = await paginate(ledger, service, { limit: 10 })
    expect([distinct, drifts]).toEqual([1200, []])
    expect(requests).toBeLessThan(14)
  })

  it.each(['empty', '404', 'last-page'] as const)(
    'yields every transaction where pages count transactions and the total counts users, and a page beyond the end is %s',
    async (beyond) => {
      const ledger = many(1000, (n) => ({ platformId: `user ${n % 100}` }))
      const { distinct, drifts, requests } = await paginate(ledger, { totalUnit: 'user', beyond })
      expect([distinct, drifts]).toEqual([1000, []])
      expect(requests).toBeLessThan(14)
    },
  )

  it('yields every transaction of a page that has all users, and more transactions than its limit', async () => {
    const ledger = many(300, (n) => ({ platformId: `user ${n % 50}` }))
    const service = { unit: 'user', totalUnit: 'transaction', totalPages: 'real' } as const
    const { distinct, drifts } = await paginate(ledger, service, { limit: 100 })
    expect([distinct, drifts]).toEqual([300, []])
  })

  it('yields every transaction where the total counts users and no summary says so', async () => {
    const ledger = many(1000, (n) => ({ platformId: `user ${n % 100}` }))
    const { distinct, drifts } = await paginate(ledger, { totalUnit: 'user', summary: 'page' })
    expect([distinct, drifts]).toEqual([1000, []])
  })

  it.each<Partial<ServiceOptions>>([
    { unit: 'user', totalUnit: 'transaction', summary: 'page' },
    { totalError: () => 500, totalPages: 'real' },
  ])('yields every transaction where the total is too high, and the last page is repeated: %j', async (service) => {
    const ledger = many(1000, (n) => ({ platformId: `user ${n % 100}` }))
    const { distinct, requests } = await paginate(ledger, { ...service, beyond: 'last-page' }, { limit: 20 })
    expect(distinct).toBe(1000)
    expect(requests).toBeLessThan(150)
  })

  it.each(['match', 'none'] as const)(
    'yields every transaction where the total is a count of earlier, and the summary: %s',
    async (summary) => {
      const ledger = many(1038, () => ({ platformId: 'user 0' }))
      const { distinct } = await paginate(ledger, { totalError: () => -38, summary })
      expect(distinct).toBe(1038)
    },
  )

  it.each<[ServiceOptions['totalUnit'], string | undefined]>([
    ['transaction', undefined],
    ['user', 'shop'],
  ])('reports how many are missing where ties come in another order each time, with a total of %ss', async (...row) => {
    const [totalUnit, from] = row
    const ledger = many(2000, () => ({ amount: 1 }))
    const service = { totalUnit, unstableTies: true, random: createRandom(1) }
    const { distinct, drifts } = await paginate(ledger, service, { sortBy: 'amount', from })
    expect(distinct).toBeLessThan(2000)
    expect(drifts).toEqual([{ kind: 'short', page: 20, lost: 2000 - distinct, rereadFrom: undefined, repaired: false }])
  })

  it('reports a page that stays empty before others with results where the total is too low', async () => {
    const service = {
      totalError: () => -15,
      isEmptied: (_: number, page: number) => page === 3,
      summary: 'page',
    } as const
    const { distinct, drifts } = await paginate(many(60), service, { limit: 5 })
    expect([distinct, drifts]).toMatchObject([55, [{ kind: 'short' }]])
  })

  it('reads pages again where one read ahead was older than the one before, and no count showed it', async () => {
    const ledger = many(9, (n) => ({ platformId: `user ${n === 3 ? 2 : n}` }))
    const service = createService(ledger, { totalUnit: 'user', summary: 'page' })
    const third = Promise.withResolvers<void>()
    const fetch = async (url: string) => {
      const page = new URL(url).searchParams.get('page')
      if (page === '2' && ledger.length === 9) {
        await third.promise
        ledger.push(entryOf(9, { platformId: 'user 0' }))
      }
      const response = await service.fetch(url)
      if (page === '3') third.resolve()
      return response
    }
    const entries = transactionsOf({ fetch }).iterate({ limit: 2 }, { concurrency: 2 })
    const found = (await Array.fromAsync(entries)).map(({ amount }) => amount)
    expect(found.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('takes a total for one of users once more transactions were met, though pages before the last stayed empty', async () => {
    const ledger = many(48, (n) => ({ platformId: `user ${Math.floor(n / 4)}` }))
    const isEmptied = (request: number) => request > 1 && request < 7
    const service = { unit: 'user', totalUnit: 'user', summary: 'page', isEmptied } as const
    const { distinct, drifts } = await paginate(ledger, service, { limit: 2 }, { concurrency: 1 })
    expect([distinct, drifts]).toEqual([48, []])
  })

  it('yields the transactions of a user who moves to an earlier page in each of two passes', async () => {
    const ledger = many(16, (n) => ({ platformId: `user ${n % 8}`, amount: 80 - 10 * (n % 8) }))
    const moves = [0, 55, 0, 0, 0, 95]
    const change = (entries: LedgerEntry[], request: number) => {
      const amount = moves[request - 1]
      if (amount) entries.push(entryOf(100 + request, { platformId: 'user 7', amount }))
    }
    const service = { unit: 'user', totalUnit: 'user', summary: 'page', change } as const
    const { distinct, drifts } = await paginate(ledger, service, { limit: 2, sortBy: 'amount' }, { concurrency: 1 })
    expect([distinct, drifts]).toEqual([18, []])
  })

  it('reports everything that is missing where so much is removed that pages are not read again any more', async () => {
    const removed = [0, 3, 0, 0, 0, 0, 3, 1]
    const change = (ledger: LedgerEntry[], request: number) => void ledger.splice(0, removed[request - 1] ?? 0)
    const { distinct, drifts } = await paginate(many(7), { summary: 'page', change }, { limit: 1 }, { concurrency: 2 })
    expect(drifts.map(({ lost, repaired }) => `${lost} ${repaired}`)).toEqual(['3 true', '0 true', '1 false'])
    expect(distinct).toBe(7 - 3 - 1)
  })

  it('yields transactions of two users that have the same transactionId', async () => {
    const ledger = many(300, (n) => ({ transactionId: entryOf(n % 150).transactionId, platformId: `user ${n % 300}` }))
    const { entries, drifts } = await paginate(ledger)
    expect(entries).toHaveLength(300)
    expect(drifts).toEqual([])
  })

  it('reports a transaction that is yielded again because it was edited', async () => {
    const change = (ledger: LedgerEntry[], request: number) => {
      if (request === 2) Object.assign(ledger.find(({ amount }) => amount === 39) ?? {}, { amount: -1 })
    }
    const query = { sortBy: 'amount', limit: 10 } as const
    const { drifts, numbers } = await paginate(many(40), { change }, query, { concurrency: 1 })
    expect(numbers.filter((n) => n === 39)).toHaveLength(1)
    expect(drifts).toContainEqual(expect.objectContaining({ kind: 'short' }))
  })

  it.each(['asc', 'desc'] as const)(
    'reads no page again without need where the ledger keeps its last 600 transactions, in %sending order',
    async (sortOrder) => {
      let n = 600
      const change = (ledger: LedgerEntry[]) => void ledger.splice(0, 1, ...ledger.splice(1), entryOf(n++))
      const query = { sortOrder, limit: 10 }
      const { numbers, distinct, requests } = await paginate(many(600), { change }, query, { concurrency: 1 })
      expect(numbers).toHaveLength(distinct)
      expect(requests).toBeLessThan(sortOrder === 'desc' ? 62 : 125)
    },
  )

  it.each<[ServiceOptions['unit'], number, object, number[]]>([
    ['transaction', 1, { page: 3, rereadFrom: 2, repaired: true }, [1, 2, 3, 4, 2, 5, 6, 7, 8]],
    ['transaction', 2, { page: 4, rereadFrom: 3, repaired: true }, [2, 3, 4, 5, 3, 6, 7, 8]],
    ['user', 1, { page: 3, rereadFrom: 1, repaired: true }, [1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4]],
    ['user', 2, { page: 4, rereadFrom: undefined, repaired: false }, [2, 3, 4, 5]],
  ])('reports which pages it reads again where pages count %ss, from page %i', async (unit, page, drift, requested) => {
    const ledger = many(40, (n) => ({ platformId: `user ${Math.floor(n / 2)}` }))
    const change = (entries: LedgerEntry[], request: number) => {
      if (request === 2) entries.splice(38, unit === 'user' ? 2 : 1)
    }
    const service = { unit, totalUnit: unit, change }
    const { drifts, pages } = await paginate(ledger, service, { limit: 5, page }, { concurrency: 1 })
    expect(drifts).toEqual([{ kind: 'removed', lost: 1, ...drift }])
    expect(pages).toEqual(requested)
  })

  it.each([0, 20])(
    'yields in order what was found on pages that were read again, while %i were added',
    async (added) => {
      const change = (ledger: LedgerEntry[], request: number) => {
        if (request === 4) ledger.splice(0, 12, ...many(60 + added).slice(60))
      }
      const query = { sortOrder: 'asc', limit: 5 } as const
      const { numbers } = await paginate(many(60), { change }, query, { concurrency: 1 })
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
      expect(numbers).toHaveLength(60 + added)
    },
  )
})

describe('a page with more results than its limit', () => {
  /** Lists 100 results; the pages are of these transactions, and say that their limit is 10. */
  const overfull = (entriesOf: (page: number) => LedgerEntry[], uniqueUsers: number) =>
    new GuildLedger(
      stubService((_, { url }) => {
        const page = Number(new URL(url).searchParams.get('page') ?? 1)
        const pagination = { page, limit: 10, total: 100, totalPages: 10 }
        const summary = { totalTransactions: 1000, totalValue: 1, uniqueUsers }
        return Response.json({ success: true, data: groupsOf(entriesOf(page)), pagination, summary })
      }).options,
    ).transactions
  const elevenUsers = overfull(() => many(22, (n) => ({ platformId: `user ${n % 11}` })), 11)

  it.each(['iterate', 'pages'] as const)('ends %s with an error where it has more users', async (method) => {
    await expect(Array.fromAsync<unknown>(elevenUsers[method]({ limit: 10 }))).rejects.toMatchObject({
      code: 'invalid_response',
      page: 1,
      issues: [{ path: 'data', expected: 'at most 10 results, as pagination.limit says', received: '22 transactions' }],
      message:
        'Pagination cannot continue: page 1 must have at most 10 results, as pagination.limit says, got 22 transactions. ' +
        'Report it, or use list.',
    })
  })

  it('ends iterate with an error where pages count transactions and one has more', async () => {
    const list = overfull(
      (page) => many(page === 1 ? 10 : 11, (n) => ({ ...entryOf(page * 100 + n), platformId: `user ${n % 3}` })),
      3,
    )
    const error = { code: 'invalid_response', page: 2 }
    await expect(Array.fromAsync(list.iterate({ limit: 10 }))).rejects.toMatchObject(error)
  })

  it('is no error in list', async () => {
    expect((await elevenUsers.list({ limit: 10 })).data).toHaveLength(11)
  })
})

describe('requests of a paginator', () => {
  it('are one where the consumer stops at the first transaction', async () => {
    const service = createService(many(5000))
    for await (const _ of transactionsOf(service).iterate()) break
    expect(service.pages).toEqual([1])
  })

  it.each([
    [1, [1]],
    [100, [1]],
    [101, [1, 2]],
    [250, [1, 2, 3]],
  ])('cover the pages of maxItems: %i and no more', async (maxItems, expected) => {
    const { numbers, pages } = await paginate(many(5000), {}, {}, { maxItems })
    expect(numbers).toHaveLength(maxItems)
    expect(pages).toEqual(expected)
  })

  it.each([
    [599, 6],
    [600, 7],
  ])('of %i transactions are %i: one more than there are pages where the last one is full', async (count, expected) => {
    const { requests } = await paginate(many(count))
    expect(requests).toBe(expected)
  })
})
