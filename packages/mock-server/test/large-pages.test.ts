import { createMockLedger } from '@guild-ledger/mock-server'
import { GuildLedger, type Drift, type LedgerEntry } from '@guild-ledger/sdk'
import { entry as entryOf } from '@guild-ledger/test-kit'
import { describe, expect, it } from 'vitest'

const start = Date.UTC(2026, 0, 31, 10)

/** A ledger whose pages count users; the user with this number has so many transactions. */
const setUp = (users: number, transactionsOf: (user: number) => number, maxResponseBytes?: number) => {
  const mock = createMockLedger({ transactions: 0, rateLimit: 'off', assumptions: { pageUnit: 'group' } })
  const transactions = Array.from({ length: users }, (_, user) =>
    Array.from({ length: transactionsOf(user) }, (__, n) =>
      entryOf(user * 1e6 + n, { platformId: `user ${user}`, createdAt: new Date(start - 3_600_000 + n).toISOString() }),
    ),
  ).flat()
  mock.guild.add(transactions)
  const { apiKey, origin: baseUrl, fetch } = mock
  const ledger = new GuildLedger({ apiKey, baseUrl, fetch, maxResponseBytes, throttle: false, logLevel: 'off' })
  const limits = () => mock.guild.requests.map(({ query }) => Number(query.limit))
  return { guild: mock.guild, ledger, transactions, limits }
}
const idOf = ({ platformId, transactionId }: LedgerEntry) => `${platformId} ${transactionId}`

it('reads a page of one user with 5,000 transactions, if no other size is set', async () => {
  const { ledger } = setUp(1, () => 5000)
  const { transactions } = ledger

  expect((await transactions.list()).data[0]?.transactions).toHaveLength(5000)
  expect(await Array.fromAsync(transactions.iterate())).toHaveLength(5000)
  expect(await Array.fromAsync(transactions.watch({}, { since: new Date(0), follow: false }))).toHaveLength(5000)
})

describe('where a page is too large', () => {
  it.each([
    ['at once', () => 8, [100, 50]],
    ['later, and larger still', (user: number) => (user < 150 ? 1 : user < 250 ? 8 : 200), [100, 50, 25, 5, 1]],
  ])('iterate asks for smaller pages and yields every transaction once: %s', async (_, transactionsOf, sizes) => {
    const { ledger, transactions, limits } = setUp(260, transactionsOf, 100_000)
    const drifts: Drift[] = []
    const seen: string[] = []

    const onDrift = (drift: Drift) => void drifts.push(drift)
    for await (const entry of ledger.transactions.iterate({}, { onDrift })) seen.push(idOf(entry))

    expect(seen.toSorted()).toEqual(transactions.map(idOf).toSorted())
    expect(drifts).toEqual([])
    expect([...new Set(limits())]).toEqual(sizes)
  })

  it('pages go on with smaller pages at the right place', async () => {
    const { ledger, transactions } = setUp(260, (user) => (user < 150 ? 1 : 8), 100_000)
    const users: string[] = []

    for await (const { data } of ledger.transactions.pages({ sortBy: 'createdAt' }))
      users.push(...data.map(({ platformId }) => platformId))

    expect(users.toSorted()).toEqual([...new Set(transactions.map(({ platformId }) => platformId))].toSorted())
  })

  it('an error has the page number of the size that was asked for', async () => {
    const { guild, ledger } = setUp(260, () => 8, 100_000)
    guild.fault({ kind: 'status', status: 403, query: { page: '4', limit: '50' } })

    const failure = Array.fromAsync(ledger.transactions.iterate({}, { concurrency: 1 }))

    await expect(failure).rejects.toMatchObject({ code: 'forbidden', page: 2 })
  })

  it('a watch asks for smaller pages, and keeps to them', async () => {
    const { ledger, transactions, limits } = setUp(120, () => 8, 100_000)
    const seen: string[] = []

    const watch = ledger.transactions.watch({}, { since: new Date(start - 86_400_000), intervalMs: 1 })
    for await (const entry of watch) if (seen.push(idOf(entry)) === transactions.length) break
    const first = limits().length
    const again = ledger.transactions.watch({}, { since: new Date(start - 86_400_000), intervalMs: 1, follow: false })
    for await (const _ of again);

    expect(seen.toSorted()).toEqual(transactions.map(idOf).toSorted())
    const large = limits().filter((limit, i) => limit === 100 && i < first)
    expect(large).toHaveLength(1)
  })

  it('a watch ends at once where even a page of one is too large', async () => {
    const { ledger, limits } = setUp(2, () => 100, 5000)

    const watch = ledger.transactions.watch({}, { since: new Date(start - 86_400_000) })

    await expect(watch.next()).rejects.toMatchObject({ code: 'invalid_response' })
    expect(limits().at(-1)).toBe(1)
  })
})
