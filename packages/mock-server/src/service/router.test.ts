import { describe, expect, it } from 'vitest'
import type { OperationResult } from '../http.ts'
import { createRouter } from './router.ts'

const list = '/guild/ledger/transactions'
const handled = (result: OperationResult) => ({ result, unreceived: () => {} })
/** Responds with the request that was routed to it; the path /stub has a stub. */
const { respond } = createRouter({
  handle: (request) => handled({ status: 200, body: JSON.stringify(request) }),
  stubAt: (path) => (path === '/stub' ? { status: 200, body: 'stubbed' } : undefined),
  handleStub: (_request, stub) => handled(stub),
  reject: (_request, _endpoint, rejection) => handled(rejection),
})
const get = (target: string, method = 'GET') => respond({ method, target, apiKey: 'secret', address: '10.0.0.1' })
const routed = (target: string) => JSON.parse(get(target).body) as unknown

describe('paths', () => {
  it('routes list-all with its parsed query', () => {
    expect(routed(`${list}?page=2&from=a%20b#top`)).toEqual({
      method: 'GET',
      path: list,
      endpoint: 'guild',
      platformId: '',
      apiKey: 'secret',
      address: '10.0.0.1',
      search: 'page=2&from=a%20b',
      query: { page: '2', from: 'a b' },
    })
  })

  it('adds the content type to a result', () => {
    expect(get(list)).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } })
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

it('tells the service which responses did not reach their client, as far as a client can have given up', () => {
  const unreceived: unknown[] = []
  const responding = (result: Partial<OperationResult>) => {
    const response = { status: 200, body: '', ...result }
    const reject = () => ({ result: response, unreceived: () => unreceived.push(result) })
    const router = createRouter({ handle: reject, stubAt: () => undefined, handleStub: reject, reject })
    router.unreceived(router.respond({ method: 'GET', target: list, apiKey: 'secret' }))
  }

  responding({})
  responding({ latencyMs: 0 })
  responding({ connectionFault: { kind: 'hang' } })

  expect(unreceived).toEqual([{ latencyMs: 0 }, { connectionFault: { kind: 'hang' } }])
})

it('routes a path with a stub, for GET and HEAD', () => {
  expect(get('/stub?x=1')).toMatchObject({ status: 200, body: 'stubbed' })
  expect(get('/stub', 'HEAD').status).toBe(200)
  expect(get('/stub', 'POST').status).toBe(405)
})

describe('methods', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('responds to %s with 405', (method) => {
    const { status, headers, body } = get(list, method)

    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD'])
    expect(JSON.parse(body)).toEqual({ success: false, message: 'Method not allowed: use GET' })
  })

  it('responds to HEAD like to GET', () => {
    const { status, headers, body } = get(list, 'HEAD')

    expect([status, headers['content-type']]).toEqual([200, 'application/json'])
    expect(JSON.parse(body)).toMatchObject({ method: 'HEAD', endpoint: 'guild' })
  })
})

it.each(['/guild/ledger/%E0%A4%A/transactions', '/guild/ledger/%/transactions', `${list}?from=%zz`])(
  'responds to the invalid encoding of %s with 400',
  (target) => {
    const { status, body } = get(target)

    expect(status).toBe(400)
    expect(JSON.parse(body)).toEqual({ success: false, message: expect.stringContaining('percent-encoding') })
  },
)
