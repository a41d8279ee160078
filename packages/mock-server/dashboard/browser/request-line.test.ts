import { expect, it } from 'vitest'
import { requestLine } from './request-line.ts'

const logged = { method: 'GET', endpoint: null, keyId: null, at: 0, status: 200, query: {} } as const

it.each([
  [{ path: '/guild/ledger/transactions' }, 'GET /guild/ledger/transactions'],
  [
    { path: '/guild/ledger/transactions', query: { from: 'a&b', page: ['1', '2'] } } as const,
    'GET /guild/ledger/transactions?from=a%26b&page=1&page=2',
  ],
  [{ method: 'HEAD', path: '/guild/ledger/a%2Fb/transactions' }, 'HEAD /guild/ledger/a%2Fb/transactions'],
])('the dashboard shows the logged request %j as a client would write it', (request, line) => {
  expect(requestLine({ ...logged, ...request })).toBe(line)
})
