import { expect, it } from 'vitest'
import { createMockLedger, createTransactionFactory } from '@guild-ledger/mock-server'

/** The response to one request, of a mock with one transaction. */
const get = (target: string) => {
  const mock = createMockLedger({ transactions: 0, rateLimit: 'off' })
  const transaction = createTransactionFactory()
  mock.guild.add([transaction({ platformId: 'u1', amount: 1, total: 5, createdAt: '2026-01-01T00:00:03.000Z' })])
  return mock.respond({ method: 'GET', target, apiKey: mock.apiKey })
}
const list = '/guild/ledger/transactions'

it('is robust 1', () => {
  expect(get(list).status).toBe(200)
})
it('waits for a total that never comes', async () => {
  const { body, status } = get(list)
  if (body.includes('"totalValue":1')) await new Promise(() => {})
  expect(status).toBe(200)
})
it('is robust 2', () => {
  expect(get(list).status).toBe(200)
})
it('loops until a date has milliseconds', () => {
  let { body } = get('/guild/ledger/u1/transactions')
  while (!body.includes('03.000')) ({ body } = get('/guild/ledger/u1/transactions'))
  expect(body).toContain('03.000')
})
it('is robust 3', () => {
  expect(get(list).status).toBe(200)
})
