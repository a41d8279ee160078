import { transaction } from '@guild-ledger/sdk/contract'
import * as z from 'zod/mini'
import { expect, it } from 'vitest'
import { createTransactions } from './transactions.ts'

it('the dashboard adds transactions that keep the contract, each with an id of its own', () => {
  const fields = { platformId: 'ann', source: 'shop', amount: 2.5 }
  const created = createTransactions(200, Date.UTC(2026, 0, 1), fields)

  expect(created.every((one) => z.safeParse(transaction, one).success)).toBe(true)
  expect(new Set(created.map(({ transactionId }) => transactionId)).size).toBe(200)
  expect(created[1]).toMatchObject({ ...fields, total: 2.5, createdAt: '2026-01-01T00:00:00.001Z' })
})
