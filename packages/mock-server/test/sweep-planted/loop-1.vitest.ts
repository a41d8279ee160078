import { expect, it } from 'vitest'
import { createSmallMock } from './three-transactions.ts'

it('loops until a date has milliseconds', () => {
  const mock = createSmallMock()
  const { body } = mock.respond({ method: 'GET', target: '/guild/ledger/transactions', apiKey: mock.apiKey })
  while (!body.includes('03.000'));
  expect(body).toContain('03.000')
})
