import { expect, it } from 'vitest'
import { requestLine } from './request-line.ts'

const logged = { method: 'GET', keyId: null, at: 0, status: 200 } as const

it.each([
  [{ endpoint: 'guild', query: {} } as const, 'GET /guild/ledger/transactions'],
  [
    { endpoint: 'guild', query: { from: 'a&b', page: ['1', '2'] } } as const,
    'GET /guild/ledger/transactions?from=a%26b&page=1&page=2',
  ],
  [
    { method: 'HEAD', endpoint: 'user', platformId: 'a/b', query: {} } as const,
    'HEAD /guild/ledger/a%2Fb/transactions',
  ],
])('the dashboard shows the logged request %j as a client would write it', (request, line) => {
  expect(requestLine({ ...logged, ...request })).toBe(line)
})
