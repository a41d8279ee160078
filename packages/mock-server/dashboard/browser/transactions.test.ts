import { expect, it } from 'vitest'
import { createTransactions } from './transactions.ts'

it('the dashboard adds transactions with every field, each with an id of its own', () => {
  const fields = { platformId: 'ann', source: 'shop', amount: 2.5 }
  const created = createTransactions(200, Date.UTC(2026, 0, 1), fields)

  expect(created[1]).toEqual({
    ...fields,
    transactionId: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/),
    quantity: 1,
    name: 'Iron Sword',
    total: 2.5,
    createdAt: '2026-01-01T00:00:00.001Z',
  })
  expect(new Set(created.map(({ transactionId }) => transactionId)).size).toBe(200)
})
