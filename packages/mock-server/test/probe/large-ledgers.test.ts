import { createMockLedger, type MockLedger } from '@guild-ledger/mock-server'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { describe, expect, it } from 'vitest'
import { createDice, randomAssumptions, randomTransactions } from './random-service.ts'
import { inferFrom, respondFrom, truthOf, wrongIn, type Inferred } from './run-inference.ts'

const largeCount = process.env.CI ? 20_000 : 6000
const seeds = Array.from({ length: process.env.CI ? 100 : 3 }, (_, seed) => seed)
const maxTransactions = 100

/** A service with random assumptions and more transactions than the probe may read. */
const largeService = (seed: number): { mock: MockLedger; transactions: LedgerEntry[] } => {
  const dice = createDice(700_000 + seed)
  let transactions = randomTransactions(dice, 600)
  while (transactions.length <= maxTransactions) transactions = randomTransactions(dice, 600)
  const mock = createMockLedger({
    transactions: 0,
    rateLimit: 'off',
    assumptions: randomAssumptions(dice),
    keepRequests: 0,
  })
  return { mock, transactions }
}

const problemsIn = ({ verdicts }: Inferred, mock: MockLedger): string[] => [
  ...wrongIn(verdicts, truthOf(mock.assumptions)),
  ...verdicts.flatMap(({ key, verdict }) => (verdict === 'outside' ? [`${key} is outside`] : [])),
]

describe('about a ledger that is too large', () => {
  it('decides nothing wrongly, and takes no value for impossible', async () => {
    const problems: string[] = []
    let windows = 0
    for (const seed of seeds) {
      const { mock, transactions } = largeService(seed)
      mock.guild.add(transactions)
      const inferred = await inferFrom(respondFrom(mock), 400, maxTransactions)
      problems.push(...problemsIn(inferred, mock).map((one) => `seed ${seed}: ${one}`))
      if (inferred.inference.tracker.copy.window) windows++
    }

    expect(problems).toEqual([])
    expect(windows).toBeGreaterThan(seeds.length / 2)
  }, 240_000)

  it('decides nothing wrongly while the ledger grows', async () => {
    const problems: string[] = []
    for (const seed of seeds.slice(0, Math.ceil(seeds.length / 4))) {
      const { mock, transactions } = largeService(seed)
      const inOrder = transactions.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
      const later = inOrder.splice(Math.floor(inOrder.length * 0.8))
      mock.guild.add(inOrder)
      let count = 0
      const inferred = await inferFrom(
        (target) => {
          const next = ++count % 4 === 0 ? later.shift() : undefined
          if (next) mock.guild.add([next])
          return respondFrom(mock)(target)
        },
        400,
        maxTransactions,
      )
      problems.push(...problemsIn(inferred, mock).map((one) => `seed ${seed}: ${one}`))
    }

    expect(problems).toEqual([])
  }, 240_000)

  it.each([
    ['transactions', { pageUnit: 'transaction', summaryScope: 'match' }],
    ['users', { pageUnit: 'group', summaryScope: 'page' }],
    ['users, and whose totals do not', { pageUnit: 'group', totalUnit: 'other', summaryScope: 'match' }],
  ] as const)(
    'decides with a large ledger what it would with a small one, for pages that count %s',
    async (_, values) => {
      const mock = createMockLedger({ transactions: largeCount, users: 60, rateLimit: 'off', assumptions: values })

      const { verdicts, targets, inference } = await inferFrom(respondFrom(mock), 60, 5000)

      expect(wrongIn(verdicts, truthOf(mock.assumptions))).toEqual([])
      expect(verdicts.filter(({ verdict }) => verdict !== 'decided').map(({ key }) => key)).toEqual(['emptyTotalPages'])
      expect(targets.length).toBeLessThanOrEqual(60)
      expect(inference.tracker.copy.items.length).toBeGreaterThanOrEqual(500)
      expect(inference.tracker.copy.items.length).toBeLessThanOrEqual(2000)
    },
  )

  it('decides nothing if no time separates a part of it', async () => {
    const { mock, transactions } = largeService(1)
    mock.guild.add(transactions.map((entry) => ({ ...entry, createdAt: '2026-01-01T00:00:00.000Z' })))

    const { verdicts, targets } = await inferFrom(respondFrom(mock), 400, maxTransactions)

    expect(verdicts.filter(({ verdict }) => verdict === 'decided')).toEqual([])
    expect(targets.length).toBeLessThanOrEqual(10)
  })
})
