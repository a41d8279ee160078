import { GuildLedger, type Drift, type GuildLedgerError } from '@guild-ledger/sdk'
import { cases, createRandom, entryId, guildResponse, stubService, transaction } from '@guild-ledger/test-kit'
import { describe, expect, it } from 'vitest'
import { createService, entryOf, transactionsOf, type ServiceOptions } from './ledger-service.ts'

type Kind = Pick<ServiceOptions, 'unit' | 'totalUnit' | 'summary'>

const kinds: Kind[] = [
  { unit: 'transaction', totalUnit: 'transaction', summary: 'match' },
  { unit: 'transaction', totalUnit: 'transaction', summary: 'page' },
  { unit: 'transaction', totalUnit: 'transaction', summary: 'none' },
  { unit: 'transaction', totalUnit: 'user', summary: 'match' },
  { unit: 'user', totalUnit: 'user', summary: 'match' },
  { unit: 'user', totalUnit: 'user', summary: 'page' },
]

/** Exports 50 pages of a service whose counts waver by up to this share, each time anew. */
const exportOf = async ({ unit, totalUnit, summary }: Kind, share: number, concurrency: number, seed: number) => {
  const random = createRandom(seed)
  const waver = (count: number) => Math.round(count * (1 + share * (2 * random() - 1)))
  const userOf = (n: number) => (summary === 'none' ? 'user 0' : `user ${n % 250}`)
  const ledger = Array.from({ length: 500 }, (_, n) => entryOf(n, { platformId: userOf(n) }))
  const service = createService(ledger, { unit, totalUnit, summary, stated: waver, random })
  const drifts: Drift[] = []
  const query = { limit: unit === 'user' ? 5 : 10 }
  const onDrift = (drift: Drift) => void drifts.push(drift)
  const found = await Array.fromAsync(transactionsOf(service, summary).iterate(query, { concurrency, onDrift }))
  return { requests: service.pages.length, found: new Set(found.map(({ amount }) => amount)).size, drifts }
}

describe('counts that waver from response to response', () => {
  const rows = kinds.flatMap((kind) => [
    { ...kind, concurrency: 1, by: 0.09 },
    { ...kind, concurrency: 20, by: 0.02 },
  ])

  it.each(rows)(
    'cost at most twice the pages where pages count $unit, the total $totalUnit, the summary $summary, by $by, concurrency $concurrency',
    async ({ concurrency, by, ...kind }) => {
      for (const seed of [1, 2].slice(0, cases(2, 1))) {
        const { requests, found, drifts } = await exportOf(kind, by, concurrency, seed)

        expect(found).toBe(500)
        // 50 pages and the empty one behind them, each three times, and what was in flight at the end.
        expect(requests).toBeLessThanOrEqual(3 * 51 + 20)
        expect(drifts.length).toBeGreaterThan(0)
      }
    },
  )
})

describe('a service that repeats page 1', () => {
  /** Its total grows by so many pages with each request. */
  const repeating = (first: number, growth: number) =>
    stubService((count, { url }) => {
      const page = Number(new URL(url).searchParams.get('page'))
      const totalPages = first + growth * (count - 1)
      const transactions = Array.from({ length: 100 }, (_, n) => ({ ...transaction, transactionId: entryId(n) }))
      const data = [{ platformId: '8412', transactions }]
      const summary = { totalTransactions: 100 * totalPages, totalValue: totalPages, uniqueUsers: 1 }
      const pagination = { page, limit: 100, total: 100 * totalPages, totalPages }
      return Response.json({ ...guildResponse, data, pagination, summary })
    })

  it.each([
    [1, 0, 45],
    [3, 0, 45],
    [20, 0, 90],
    [1, 1, 45],
    [3, 1, 60],
    [20, 1, 110],
    [3, 20, 110],
  ])('with %i pages that grow by %i each time ends after at most %i requests', async (first, growth, most) => {
    for (const concurrency of [1, 20]) {
      for (const method of ['iterate', 'pages'] as const) {
        const service = repeating(first, growth)
        const { transactions } = new GuildLedger(service.options)

        const run = Array.fromAsync<unknown>(transactions[method]({}, { concurrency }))
        const end = await run.then(() => 'complete').catch((error: GuildLedgerError) => error.code)

        expect(end).toBe(growth > 0 ? 'pagination_stalled' : 'complete')
        expect(service.sent.length).toBeLessThanOrEqual(most)
      }
    }
  })
})
