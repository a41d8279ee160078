/** A transaction and the response bodies around it, as the spec describes them. Spec: Resources and their fields. */
export const transaction = {
  transactionId: '0b9d1c1e-6f6a-4d3e-9c55-0a1f5f0c8a11',
  amount: 12.5,
  quantity: 2,
  name: 'Iron Sword',
  source: 'shop',
  total: 25,
  createdAt: '2026-01-31T10:00:00.000Z',
}

/** The identifier of the n-th of several transactions. */
export const entryId = (n: number): string => `0b9d1c1e-6f6a-4d3e-9c55-${String(n).padStart(12, '0')}`

/** The n-th of several transactions, with its user: each costs more and is a second later than the one before. */
export const entry = (n: number, change: Partial<typeof transaction & { readonly platformId: string }> = {}) => ({
  ...transaction,
  platformId: 'ann',
  transactionId: entryId(n),
  amount: n,
  quantity: 1,
  total: n,
  createdAt: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString(),
  ...change,
})

const pagination = { page: 1, limit: 20, total: 1, totalPages: 1 }

/** Spec: Endpoints, 1. */
export const guildResponse = {
  success: true,
  data: [{ platformId: '8412', transactions: [transaction] }],
  pagination,
  summary: { totalTransactions: 1, totalValue: 25, uniqueUsers: 1 },
}

/** Spec: Endpoints, 2. */
export const userResponse = { success: true, data: { platformId: '8412', transactions: [transaction] }, pagination }

/** Spec: Resources, Error body. */
export const errorBody = (message: string) => ({ success: false, message })
