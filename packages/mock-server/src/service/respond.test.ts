import { expect, it } from 'vitest'
import { assume } from '../assumptions/index.ts'
import { createTransactionStore } from '../store/index.ts'
import { respond } from './respond.ts'

it('names everything that is wrong with a query', () => {
  const ledger = { transactions: createTransactionStore(), assumptions: assume() }

  const result = respond(ledger, {
    method: 'GET',
    path: '/guild/ledger/transactions',
    endpoint: 'guild',
    platformId: '',
    apiKey: 'k',
    search: 'page=0&limit=0',
    query: { page: '0', limit: '0' },
  })

  expect(result).toEqual({
    status: 400,
    body: '{"success":false,"message":"Invalid query: `page` must be an integer ≥ 1, got \\"0\\"; `limit` must be an integer from 1 to 100, got \\"0\\""}',
    rejectedBy: 'parameters',
  })
})
