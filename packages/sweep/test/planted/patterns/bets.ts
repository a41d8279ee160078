import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMockLedger, type MockLedger, type MockLedgerOptions } from '@guild-ledger/mock-server'

interface Transaction {
  transactionId: string
  createdAt: string
  total: number
  source: string
}
interface Answer {
  status: number
  body: { data: { platformId: string; transactions: Transaction[] }[]; summary: { totalValue: number } }
}

/** Sends a query to list-all. */
export type Ask = (query?: string) => Promise<Answer>

const transaction = (id: number, platformId: string, source: string) => ({
  transactionId: `0000000${id}-0000-4000-8000-000000000000`,
  platformId,
  name: 'item',
  source,
  amount: 1,
  quantity: 1,
  total: 5,
  createdAt: '2026-01-01T00:00:03.000Z',
})

/** Four transactions at the same time: what comes first is up to the order of ties. */
export const transactions = [
  transaction(2, 'u2', 'shop'),
  transaction(1, 'u1', 'workshop'),
  transaction(3, 'u1', 'shop'),
  transaction(4, 'u1', 'quest'),
]

export const mockOptions = { transactions: 0, rateLimit: 'off' } as const

/** A mock with these transactions. */
export const createMock = (options: MockLedgerOptions = {}): MockLedger => {
  const mock = createMockLedger({ ...mockOptions, ...options })
  mock.guild.add(transactions)
  return mock
}

/** Sends queries with a key, through `fetch`. */
export const askWith =
  (origin: string, apiKey: string, fetch = globalThis.fetch): Ask =>
  async (query = '') => {
    const response = await fetch(`${origin}/guild/ledger/transactions${query}`, { headers: { 'x-api-key': apiKey } })
    return { status: response.status, body: (await response.json()) as Answer['body'] }
  }

/** Sends queries to a mock in process. */
export const askMock = (mock: Pick<MockLedger, 'origin' | 'fetch' | 'apiKey'>, apiKey = mock.apiKey): Ask =>
  askWith(mock.origin, apiKey, mock.fetch)

const must = (holds: boolean, message: string): void => {
  if (!holds) throw new Error(message)
}

/** A test, and the values it breaks under, as somebody wrote them down who read its code. */
export interface Bet {
  name: string
  breaks: string[]
  run(ask: Ask): Promise<void>
}

const all = async (ask: Ask, query?: string) => (await ask(query)).body.data.flatMap((group) => group.transactions)

/** Eight tests that break under some value, and five that send the same queries and pass under all. */
export const bets: Bet[] = [
  {
    name: 'takes the fourth page of one transaction',
    breaks: ['pageUnit=group'],
    run: async (ask) => must((await all(ask, '?limit=1&page=4')).length === 1, 'no fourth page'),
  },
  {
    name: 'adds up the totals',
    breaks: ['totalValueOf=amount'],
    run: async (ask) => must((await ask()).body.summary.totalValue === 20, 'another total'),
  },
  {
    name: 'reads milliseconds',
    breaks: ['createdAtFormat=microseconds', 'createdAtFormat=offset', 'createdAtFormat=seconds'],
    run: async (ask) =>
      must(
        (await all(ask)).every(({ createdAt }) => createdAt.endsWith('.000Z')),
        'another form',
      ),
  },
  {
    name: 'takes the first group',
    breaks: ['groupOrder=ledger', 'groupOrder=platform-id-descending', 'tieOrder=ledger'],
    run: async (ask) => must((await ask()).body.data[0]?.platformId === 'u1', 'another group'),
  },
  {
    name: 'filters by source',
    breaks: ['sourceMatch=contains', 'sourceMatch=contains-case-insensitive', 'sourceMatch=like-contains'],
    run: async (ask) => must((await all(ask, '?from=shop')).length === 2, 'another number'),
  },
  {
    name: 'expects an error for page zero',
    breaks: ['invalidParameter=clamp', 'invalidParameter=default', 'invalidParameterStatus=422'],
    run: async (ask) => must((await ask('?page=0')).status === 400, 'no error'),
  },
  {
    name: 'expects an error where nothing matches',
    breaks: ['notFoundWhen=empty-ledger'],
    run: async (ask) => must((await ask('?from=nothing')).status === 404, 'no error'),
  },
  {
    name: 'counts all with a filter',
    breaks: ['summaryScope=guild', 'totalValueOf=amount'],
    run: async (ask) => must((await ask('?from=quest')).body.summary.totalValue === 5, 'another total'),
  },
  { name: 'may have a fourth page', breaks: [], run: async (ask) => void (await ask('?limit=1&page=4')) },
  {
    name: 'adds up by itself',
    breaks: [],
    run: async (ask) => must((await all(ask)).reduce((sum, { total }) => sum + total, 0) === 20, 'another total'),
  },
  {
    name: 'compares times',
    breaks: [],
    run: async (ask) =>
      must(
        (await all(ask)).every(({ createdAt }) => Date.parse(createdAt) === 1_767_225_603_000),
        'another time',
      ),
  },
  { name: 'may send page zero', breaks: [], run: async (ask) => void (await ask('?page=0')) },
  { name: 'may find nothing', breaks: [], run: async (ask) => void (await ask('?from=nothing')) },
]

/** Waits without end under one value. */
export const hang: Bet = {
  name: 'waits for the totals',
  breaks: ['totalValueOf=amount'],
  async run(ask) {
    while ((await ask()).body.summary.totalValue === 4) await new Promise((resolve) => setTimeout(resolve, 20))
  },
}
/** Its own time limit, in milliseconds. */
export const hangLimit = 600

/** Fails in each second run, of each pattern by itself. */
export const flaky = (pattern: string): Bet => ({
  name: 'is flaky',
  breaks: [],
  async run(ask) {
    await ask()
    const file = join(tmpdir(), `planted-flaky-${process.env.PLANTED_RUN ?? process.ppid}-${pattern}`)
    const fails = existsSync(file)
    if (fails) rmSync(file)
    else writeFileSync(file, '')
    must(!fails, 'failed at random')
  },
})

type It = (name: string, options: { timeout?: number }, run: () => Promise<void> | void) => void

/**
 * Defines all bets in one pattern. `asked` returns how to send queries to the transactions above, from a mock or a guild
 * that has some values of its own if they are given.
 */
export const defineBets = (
  it: It,
  pattern: string,
  asked: (own?: { assumptions: { pageUnit: 'transaction' } }) => Ask | Promise<Ask>,
): void => {
  for (const { name, run } of [...bets, flaky(pattern)]) it(name, {}, async () => run(await asked()))
  it('is pinned', {}, async () => bets[0]?.run(await asked({ assumptions: { pageUnit: 'transaction' } })))
  it('is unreached', {}, () => must(bets.length === 13, 'other bets'))
  it(hang.name, { timeout: hangLimit }, async () => hang.run(await asked()))
}
