import { expect, it } from 'vitest'
import { lazyMock } from './lazy-mock.ts'

it('creates the mock of both files, and depends on less than the tests of the other file', () => {
  const { respond, apiKey } = lazyMock()
  expect(respond({ method: 'GET', target: '/guild/ledger/u1/transactions', apiKey }).status).toBe(200)
})
