import { createMockLedger } from '@guild-ledger/mock-server'
import { expect, it } from 'vitest'
import { randomService } from './random-service.ts'
import { inferFrom, respondFrom } from './run-inference.ts'

/**
 * What rests on the order in which transactions entered the ledger, or on a moment in time, cannot be found by trying
 * requests: the probe needs more than a difference.
 */
const notByDifference = new Set(['tieOrder', 'groupOrder', 'startDateBound', 'endDateBound'])

/** Many requests that a person would try. */
const triedIn = (transactions: readonly { platformId: string; source: string }[]): string[] => {
  const list = '/guild/ledger/transactions'
  const users = [...new Set(transactions.map(({ platformId }) => platformId))].slice(0, 6)
  const sources = [...new Set(transactions.map(({ source }) => source))]
  const sorts = ['createdAt', 'amount', 'quantity', 'total', 'name'].flatMap((by) => [
    `sortBy=${by}&sortOrder=asc`,
    `sortBy=${by}&sortOrder=desc`,
  ])
  return [
    ...[1, 2, 5, 20, 100].map((limit) => `${list}?limit=${limit}`),
    ...sorts.map((sort) => `${list}?${sort}&limit=100`),
    ...sources.flatMap((source) =>
      [source, source.toUpperCase(), source.slice(1), source.slice(0, -1)]
        .filter(Boolean)
        .map((from) => `${list}?from=${from}`),
    ),
    ...users.flatMap((user) => [
      `/guild/ledger/${user}/transactions`,
      `/guild/ledger/${user}/transactions?limit=100`,
      `/guild/ledger/${user}/transactions?startDate=2026-01-01T00:00:00Z`,
    ]),
    ...[
      'limit=101',
      'limit=0',
      'limit=abc',
      'page=0',
      'sortBy=bogus',
      'startDate=bogus',
      'x=1',
      'limit=1&limit=2',
      'from=none-such',
      'minAmount=5&maxAmount=1',
      'page=2&limit=100',
    ].map((search) => `${list}?${search}`),
  ]
}

/** Where there are few transactions, or many have the same time, the order in which they entered the ledger could explain any other order. */
const hasManyTimes = (transactions: readonly { createdAt: string; platformId: string }[]): boolean =>
  transactions.length >= 2 * new Set(transactions.map(({ platformId }) => platformId)).size &&
  new Set(transactions.map(({ createdAt }) => createdAt.slice(0, 19))).size >= transactions.length * 0.9

const seeds = Array.from({ length: process.env.CI ? 80 : 5 }, (_, i) => 700 + i)

it('decides within 60 requests whatever a request can tell', async () => {
  const missed: string[] = []
  for (const seed of seeds) {
    const { mock, assumptions, transactions } = randomService(seed, 150)
    if (!hasManyTimes(transactions)) continue
    const { verdicts } = await inferFrom(respondFrom(mock), 60 + Math.ceil(transactions.length / 100))
    const tried = triedIn(transactions)
    for (const { key, verdict, candidates } of verdicts) {
      if (verdict === 'decided' || notByDifference.has(key)) continue
      for (const value of candidates) {
        if (value === assumptions[key] || value === 'finite') continue
        const other = createMockLedger({
          transactions: 0,
          rateLimit: 'off',
          assumptions: { ...assumptions, [key]: value },
        })
        other.guild.add(transactions)
        const target = tried.find((one) => respondFrom(mock)(one).body !== respondFrom(other)(one).body)
        if (target !== undefined)
          missed.push(
            `seed ${seed}: ${key} is ${verdict}, ${target} tells ${String(assumptions[key])} from ${String(value)}`,
          )
      }
    }
  }

  expect(missed).toEqual([])
}, 120_000)
