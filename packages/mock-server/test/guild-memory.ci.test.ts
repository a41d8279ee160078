import { createMockLedger, type MockLedger } from '@guild-ledger/mock-server'
import { listAll, usedBytes } from '@guild-ledger/test-kit'
import { describe, expect, it } from 'vitest'

const used = () => usedBytes() / 2 ** 20
/** How many MiB more are in use after some work than before, without what its first run leaves behind. */
const growthOf = (work: () => void): number => {
  work()
  const before = used()
  work()
  return used() - before
}
const times = (count: number, work: (i: number) => void) => () => {
  for (let i = 0; i < count; i++) work(i)
}

const sendAll = (mock: MockLedger, apiKey = mock.apiKey) => {
  for (const query of ['', '?sortBy=amount', '?from=shop&sortOrder=asc', '?minAmount=5'])
    expect(mock.respond({ method: 'GET', target: listAll + query, apiKey }).status).toBe(200)
}
/** Created once: adding transactions is faster than generating them, and each guild copies them. */
const transactions = createMockLedger({ transactions: 4000 }).guild.transactions

const ofHundredGuilds = (count: number) => {
  const mock = createMockLedger({ transactions: 0, rateLimit: 'off' })
  for (let i = 1; i < 100; i++) mock.createGuild()
  for (const guild of mock.guilds) {
    guild.add(transactions.slice(0, count))
    sendAll(mock, guild.apiKey)
  }
  return mock
}

// A guild of 4,000 transactions and its indexes takes about 1 MiB.
describe('memory is freed', { timeout: 240_000 }, () => {
  it('of mocks that are out of use', () => {
    const work = times(12, () => {
      const mock = createMockLedger({ transactions: 0 })
      mock.guild.add(transactions)
      sendAll(mock)
    })

    expect(growthOf(work)).toBeLessThan(4)
  })

  it('of guilds that a reset removes, with their keys and logs', () => {
    const mock = createMockLedger({ transactions: 0 })
    const work = times(12, () => {
      const guild = mock.createGuild()
      guild.add(transactions)
      sendAll(mock, guild.apiKey)
      mock.reset()
    })

    expect(growthOf(work)).toBeLessThan(4)
    expect(mock.guilds).toHaveLength(1)
  })

  it('of snapshots that are out of use', () => {
    const mock = ofHundredGuilds(20)

    expect(growthOf(times(300, () => void mock.snapshot()))).toBeLessThan(4)
  })
})

it(
  'a hundred snapshots share the requests of the logs, also where requests come between them',
  { timeout: 240_000 },
  () => {
    const mock = createMockLedger({ transactions: 10, rateLimit: 'off' })
    for (let i = 1; i < 10; i++) mock.createGuild({ transactions: 10 })
    const send = (apiKey: string) => void mock.respond({ method: 'GET', target: listAll, apiKey })
    for (const { apiKey } of mock.guilds) for (let i = 0; i < 2000; i++) send(apiKey)
    const snapshots: unknown[] = []
    const take = times(100, () => {
      snapshots.push(mock.snapshot())
      send(mock.apiKey)
    })

    // The lists of 30,000 requests take a quarter of a MiB for each; a copy of the requests would take some MiB.
    expect(growthOf(take)).toBeLessThan(40)
    expect(snapshots).toHaveLength(200)
  },
)

it(
  'a snapshot of a hundred guilds copies none of their transactions, and a restore builds no index again',
  { timeout: 240_000 },
  () => {
    const mock = ofHundredGuilds(400)
    const snapshots: unknown[] = []
    const kept = growthOf(times(10, () => void snapshots.push(mock.snapshot())))
    const before = used()

    mock.restore(mock.snapshot())
    for (const { apiKey } of mock.guilds) sendAll(mock, apiKey)

    // Transactions and indexes of one guild take 0.1 MiB: ten copies of a hundred guilds would be 100.
    expect(kept).toBeLessThan(10)
    expect(used() - before).toBeLessThan(3)
    expect(snapshots).toHaveLength(20)
  },
)
