import { createMockLedger, createTransactionFactory, type MockLedger } from '@guild-ledger/mock-server'

/** A mock with three transactions of one user and one of another. */
export const createSmallMock = (): MockLedger => {
  const mock = createMockLedger({ transactions: 0, rateLimit: 'off' })
  const transaction = createTransactionFactory()
  mock.guild.add(
    ['u1', 'u1', 'u1', 'u2'].map((platformId) =>
      transaction({ platformId, amount: 1, total: 5, createdAt: '2026-01-01T00:00:03.000Z' }),
    ),
  )
  return mock
}
