import { createTransactionFactory } from '@guild-ledger/mock-server'
import { expect, it } from 'vitest'
import { findPurchases, lastPurchases } from '../src/list-and-filter.ts'
import { assumptionSets, createIsolatedMock } from './support/isolated-mock.ts'

it('lastPurchases lists the last purchases of a user, newest first, with one request', async () => {
  const transaction = createTransactionFactory()
  const { guild, ledger } = createIsolatedMock({ transactions: 0 })
  guild.add(['first', 'second', 'third'].map((name) => transaction({ platformId: '8412', name })))
  guild.add([transaction({ platformId: '77' })])

  const found = await lastPurchases(ledger, '8412', 2)

  expect(found.map(({ name }) => name)).toEqual(['third', 'second'])
  guild.expectRequests(1, { platformId: '8412', query: { limit: 2, sortBy: 'createdAt', sortOrder: 'desc' } })
})

it.each(assumptionSets)('findPurchases finds exactly the matching purchases, with %s', async (_name, assumptions) => {
  const transaction = createTransactionFactory()
  const { guild, ledger } = createIsolatedMock({ transactions: 0, assumptions })
  guild.add([
    transaction({ name: 'too early', createdAt: '2025-12-31T23:59:59.000Z' }),
    transaction({ name: 'first', createdAt: '2026-01-01T00:00:00.000Z' }),
    transaction({ name: 'of another user', platformId: '77', createdAt: '2026-01-15T00:00:00.000Z' }),
    transaction({ name: 'from elsewhere', source: 'workshop', createdAt: '2026-01-15T00:00:00.000Z' }),
    transaction({ name: 'too cheap', amount: 1, createdAt: '2026-01-15T00:00:00.000Z' }),
    transaction({ name: 'last', createdAt: '2026-01-31T23:59:59.000Z' }),
    transaction({ name: 'too late', createdAt: '2026-02-01T00:00:00.000Z' }),
  ])
  const january = { since: new Date('2026-01-01T00:00:00Z'), before: new Date('2026-02-01T00:00:00Z') }

  const found = await findPurchases(ledger, { ...january, source: 'shop', minAmount: 5 })

  expect(found.map(({ name }) => name)).toEqual(['last', 'of another user', 'first'])
})
