import { createMockLedger } from '@guild-ledger/mock-server'
import { expect, it } from 'vitest'

it('adds up the totals', () => {
  const mock = createMockLedger({ transactions: 3 })
  const { body } = mock.respond({
    method: 'GET',
    target: '/guild/ledger/transactions',
    apiKey: mock.apiKey,
  })
  const { data, summary } = JSON.parse(body) as {
    data: { transactions: { total: number }[] }[]
    summary: { totalValue: number }
  }
  const totals = data.flatMap(({ transactions }) =>
    transactions.map(({ total }) => total),
  )
  expect(summary.totalValue).toBeCloseTo(
    totals.reduce((sum, total) => sum + total, 0),
  )
})
