import { listAll } from '@guild-ledger/test-kit'
import { describe, expect, it } from 'vitest'
import type { OperationResult } from '../http.ts'
import { createRouter } from './router.ts'

const handled = (result: OperationResult) => ({ result, unreceived: () => {} })
/** Responds with the request that was routed to it. */
const { respond } = createRouter({
  handle: (request) => handled({ status: 200, body: JSON.stringify(request) }),
  stubAt: () => undefined,
  handleStub: (_request, stub) => handled(stub),
  reject: (_request, rejection) => handled(rejection),
})
const get = (target: string, method = 'GET') => respond({ method, target, apiKey: 'secret', address: '10.0.0.1' })
const routed = (target: string) => JSON.parse(get(target).body) as unknown

describe('paths', () => {
  it('routes list-all with its parsed query', () => {
    expect(routed(`${listAll}?page=2&from=a%20b#top`)).toEqual({
      method: 'GET',
      path: listAll,
      endpoint: 'guild',
      apiKey: 'secret',
      address: '10.0.0.1',
      query: { page: '2', from: 'a b' },
    })
  })

  it('adds the content type to a result', () => {
    expect(get(listAll)).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } })
  })

  it.each([
    ['8412', '8412'],
    ['a%2Fb', 'a/b'],
    ['%E2%82%AC%20', '€ '],
    ['transactions', 'transactions'],
    ['%252e', '%2e'],
    ['..a', '..a'],
    ['a..', 'a..'],
    ['...', '...'],
  ])('decodes the user %s', (segment, platformId) => {
    expect(routed(`/guild/ledger/${segment}/transactions`)).toMatchObject({ endpoint: 'user', platformId })
  })

  it.each([
    '/',
    '',
    '/guild/discharges',
    '/guild/ledger/transactions/',
    '/Guild/ledger/transactions',
    '/guild/ledger//transactions',
    '/guild/ledger/./transactions',
    '/guild/ledger/..%2f/x/transactions',
    '/guild/ledger/%2E./transactions',
    '*',
    '//guild/ledger/transactions',
  ])('responds to %j with 404', (target) => {
    const { status, body } = get(target)

    expect(status).toBe(404)
    expect(JSON.parse(body)).toEqual({ success: false, message: 'No such path' })
  })
})

describe('methods', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('responds to %s with 405', (method) => {
    const { status, headers, body } = get(listAll, method)

    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD'])
    expect(JSON.parse(body)).toEqual({ success: false, message: 'Method not allowed: use GET' })
  })
})

it.each(['/guild/ledger/%E0%A4%A/transactions', '/guild/ledger/%/transactions', `${listAll}?from=%zz`])(
  'the router responds to the invalid encoding of %s with 400',
  (target) => {
    const { status, body } = get(target)

    expect(status).toBe(400)
    expect(JSON.parse(body)).toEqual({ success: false, message: expect.stringContaining('percent-encoding') })
  },
)
