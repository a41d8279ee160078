import { createMockLedger, createTransactionFactory, type MockLedger } from '@guild-ledger/mock-server'
import { expect, it } from 'vitest'

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

interface Body {
  data: { transactions: { createdAt: string }[] }[]
  summary: { totalValue: number }
}

/** Tests that depend on one assumption each, and one that depends on none. */
export const defineTests = (suffix: string, mockOf: () => MockLedger): void => {
  const list = (query = ''): Body => {
    const mock = mockOf()
    const { body } = mock.respond({ method: 'GET', target: `/guild/ledger/transactions${query}`, apiKey: mock.apiKey })
    return JSON.parse(body) as Body
  }
  it(`counts three transactions of a page, ${suffix}`, () => {
    expect(list('?limit=1&page=4').data).toHaveLength(1)
  })
  it(`adds up the totals, ${suffix}`, () => {
    expect(list().summary.totalValue).toBe(20)
  })
  it(`reads milliseconds, ${suffix}`, () => {
    expect(list().data[0]?.transactions[0]?.createdAt).toBe('2026-01-01T00:00:03.000Z')
  })
  it(`is robust, ${suffix}`, () => {
    expect(list().data).not.toHaveLength(0)
  })
}
