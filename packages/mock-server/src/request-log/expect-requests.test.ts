import { describe, expect, it } from 'vitest'
import { expectRequests, expectRequestsInOrder, type RequestCount } from './expect-requests.ts'
import type { LoggedRequest } from './request-log.ts'
import type { RequestMatcher } from './format-requests.ts'

const midnight = Date.UTC(2026, 0, 1)
const path = '/guild/ledger/transactions'
const logged = (change: Partial<LoggedRequest> = {}): LoggedRequest => ({
  method: 'GET',
  path,
  endpoint: 'guild',
  query: {},
  keyId: 'key-1',
  at: midnight,
  status: 200,
  ...change,
})
const of = (requests: readonly LoggedRequest[]) => ({ requests, keyIds: ['key-1', 'key-2'] })

const requests = [
  logged({ query: { from: 'shop', page: '1' } }),
  logged({ query: { from: 'shop', page: '2' }, at: midnight + 61_005, status: 429, message: 'Too Many' }),
  logged({ endpoint: 'user', platformId: '8412', keyId: null, status: 401, message: 'Unauthorized' }),
  logged({ query: { page: '9' }, status: null, faults: ['reset'] }),
]

describe('expectRequests', () => {
  it.each<[RequestCount, RequestMatcher]>([
    [4, {}],
    [1, { status: 429 }],
    [1, { status: 200 }],
    [1, { status: null }],
    [{ atLeast: 2 }, { query: { from: 'shop' } }],
    [{ atLeast: 1, atMost: 3 }, { query: { from: 'shop' } }],
  ])('passes when %j requests match %j', (count, matcher) => {
    expect(() => expectRequests(of(requests), count, matcher)).not.toThrow()
  })

  it('lists the requests when the count differs, newest first, and then the others', () => {
    expect(() => expectRequests(of(requests), 3, { endpoint: 'guild', query: { from: 'shop' } })).toThrow(
      new Error(
        [
          'expected 3 requests to guild with from=shop, got 2, newest first:',
          '  00:01:01.005Z guild?from=shop&page=2 (key-1) → 429 Too Many',
          '  00:00:00.000Z guild?from=shop&page=1 (key-1) → 200',
          '2 requests of another kind, nearest first:',
          '  00:00:00.000Z guild?page=9 (key-1) → no response (faults: reset)',
          '  00:00:00.000Z user 8412 (unknown key) → 401 Unauthorized',
        ].join('\n'),
      ),
    )
  })

  it('names requests to a wrong path and with a wrong key, nearest first', () => {
    const lost = [
      logged({ path: '/', endpoint: null, status: 404, message: 'No such path' }),
      logged({ path: '/guild/ledger/transaction', endpoint: null, status: 404, message: 'No such path' }),
    ]
    const withoutGuild = () => [logged({ keyId: null, status: 401, message: 'Unauthorized - invalid API key' })]

    expect(() => expectRequests({ ...of(lost), withoutGuild }, 1, { endpoint: 'guild', status: 200 })).toThrow(
      new Error(
        [
          'expected 1 request to guild with status 200, got 0',
          '3 requests of another kind, nearest first:',
          '  00:00:00.000Z guild (unknown key) → 401 Unauthorized - invalid API key',
          '  00:00:00.000Z GET /guild/ledger/transaction (key-1) → 404 No such path',
          '  00:00:00.000Z GET / (key-1) → 404 No such path',
        ].join('\n'),
      ),
    )
  })

  it('counts requests to another path only where the matcher names it', () => {
    const stubbed = [logged({ path: '/guild/discharges', endpoint: null }), logged({ path: '/typo', endpoint: null })]

    expect(() => expectRequests(of(stubbed), 0)).not.toThrow()
    expect(() => expectRequests(of(stubbed), 1, { path: '/guild/discharges' })).not.toThrow()
    expect(() => expectRequests(of(stubbed), 2, { path: '/guild/discharges' })).toThrow(
      'expected 2 requests to /guild/discharges, got 1:\n  00:00:00.000Z GET /guild/discharges (key-1) → 200\n1 request of another kind:\n  00:00:00.000Z GET /typo (key-1) → 200',
    )
  })

  it('says that there were no other requests', () => {
    expect(() => expectRequests(of([]), 1, { platformId: '1', keyId: 'key-2', status: 200 })).toThrow(
      new Error('expected 1 request for user 1 by key-2 with status 200, got 0\nno other requests'),
    )
  })

  it.each<[RequestCount, RequestMatcher, string]>([
    [1, { endpoint: 'guild', platformId: '1' }, 'expected 1 request to guild for user 1, got 0'],
    [1, { endpoint: 'user', platformId: '1' }, 'expected 1 request to user 1, got 0'],
    [1, { endpoint: 'user' }, 'expected 1 request to user, got 0'],
    [{ atLeast: 2 }, { status: null }, 'expected at least 2 requests with no response, got 0'],
    [{ atLeast: 1, atMost: 3 }, {}, 'expected 1 to 3 requests, got 0'],
  ])('describes the count %j and the matcher %j', (count, matcher, message) => {
    expect(() => expectRequests(of([]), count, matcher)).toThrow(message)
  })

  it('describes a range with an upper end only', () => {
    expect(() => expectRequests(of(requests), { atMost: 1 })).toThrow(
      'expected at most 1 request, got 4, newest first:',
    )
  })

  it('writes values so that they cannot be taken for anything else', () => {
    const odd = [
      logged({ query: { from: 'a&page=2' } }),
      logged({ endpoint: 'user', platformId: '\u001B[31m\n\u202Ered', message: 'no\u001B[2J', status: 500 }),
      logged({ method: 'POST\u0007', path: '/\u001B\u00E9', endpoint: null }),
    ]

    expect(() => expectRequests(of(odd), 9)).toThrow(
      new Error(
        [
          'expected 9 requests, got 2, newest first:',
          '  00:00:00.000Z user %1B%5B31m%0A%E2%80%AEred (key-1) → 500 no\\u{1b}[2J',
          '  00:00:00.000Z guild?from=a%26page%3D2 (key-1) → 200',
          '1 request of another kind:',
          '  00:00:00.000Z POST\\u{7} /%1B%C3%A9 (key-1) → 200',
        ].join('\n'),
      ),
    )
  })

  it('lists no more than 20 requests, the newest', () => {
    const many = Array.from({ length: 500 }, (_, i) => logged({ at: midnight + i }))

    expect(() => expectRequests(of(many), 1)).toThrow(/00:00:00\.499Z[^]*00:00:00\.480Z[^]*… and 480 more/)
  })

  it.each<[unknown, string]>([
    [-1, '`count` must be an integer ≥ 0, or a range such as { atLeast: 1, atMost: 3 }, got -1'],
    ['1', '`count` must be an integer ≥ 0'],
    [{}, '`count` must be an integer ≥ 0'],
    [{ atleast: 1 }, 'Unknown field `count.atleast`. Did you mean `count.atLeast`?'],
    [{ atMost: 1.5 }, '`count.atMost` must be an integer ≥ 0, got 1.5'],
    [{ atLeast: 3, atMost: 2 }, '`count.atLeast` must not be above `count.atMost` (2), got 3'],
    [{ atLeast: 0 }, '`count.atLeast` must be an integer ≥ 1 where there is no `count.atMost`, got 0'],
  ])('rejects the count %j', (count, message) => {
    expect(() => expectRequests(of(requests), count as number)).toThrow(message)
  })

  it.each<[unknown, string]>([
    [{ endpont: 'guild' }, 'Unknown field `endpont`. Did you mean `endpoint`?'],
    [{ path: 'guild' }, '`path` must be a path such as /guild/discharges, got "guild"'],
    [{ keyId: 'nope' }, 'Unknown keyId `nope`. Known keyIds: `key-1`, `key-2`.'],
    [{ status: '200' }, '`status` must be an integer from 100 to 599, or null, got a string of 3 characters'],
    ['guild', '`matcher` must be an object such as'],
  ])('rejects the matcher %j', (matcher, message) => {
    expect(() => expectRequests(of([]), 0, matcher as object)).toThrow(message)
  })
})

describe('expectRequestsInOrder', () => {
  it('passes where each matcher has its request after that of the one before', () => {
    expect(() => expectRequestsInOrder(of(requests), [{ query: { page: 1 } }, { endpoint: 'user' }])).not.toThrow()
  })

  it('names the request that is missing or too early', () => {
    expect(() => expectRequestsInOrder(of(requests), [{ endpoint: 'user' }, { query: { page: 1 } }])).toThrow(
      'expected a request with page=1 at position 2 of 2, after 1 earlier one, got none\n4 requests of another kind, nearest first:\n  00:00:00.000Z guild?from=shop&page=1',
    )
  })

  it('does not count one request twice', () => {
    expect(() => expectRequestsInOrder(of(requests), [{ status: 200 }, { status: 200 }])).toThrow('position 2 of 2')
  })

  it('rejects what is no array of matchers', () => {
    expect(() => expectRequestsInOrder(of([]), {} as [])).toThrow('`matchers` must be an array such as')
    expect(() => expectRequestsInOrder(of([]), [])).toThrow('with at least one matcher, got an array of 0')
    expect(() => expectRequestsInOrder(of([]), [{ keyId: 'x' }])).toThrow('Unknown keyId `x`')
  })
})
