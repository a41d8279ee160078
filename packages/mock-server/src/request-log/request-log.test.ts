import { describe, expect, it } from 'vitest'
import { conductIn, createRequestLog, expectRequests, type LoggedRequest, type RequestPattern } from './index.ts'

const midnight = Date.UTC(2026, 0, 1)
const asked = (change: Partial<LoggedRequest> = {}): LoggedRequest => ({
  method: 'GET',
  endpoint: 'guild',
  query: {},
  keyId: 'key-1',
  at: midnight,
  status: 200,
  ...change,
})

describe('the log', () => {
  it('takes a query apart, repeated parameters and odd names too', () => {
    const log = createRequestLog()
    const search = 'from=a&page=2&from=b&__proto__=x'
    log.add({ method: 'GET', endpoint: 'guild', search, keyId: 'key-1', at: 0, status: 200 })

    const [request] = log.requests()

    expect(Object.entries(request?.query ?? {})).toEqual([
      ['from', ['a', 'b']],
      ['page', '2'],
      ['__proto__', 'x'],
    ])
  })

  it.each([0, 1, 3])('keeps the last %d requests, if asked to', (kept) => {
    const log = createRequestLog(kept)
    for (let at = 1; at <= 10; at++)
      log.add({ method: 'GET', endpoint: 'guild', search: '', keyId: null, at, status: 200 })

    expect(log.requests().map((request) => request.at)).toEqual([8, 9, 10].slice(3 - kept))
    expect(log.state()).toHaveLength(kept)
  })

  it('keeps the last 10,000 requests', () => {
    const log = createRequestLog()
    for (let at = 0; at < 25_000; at++)
      log.add({ method: 'GET', endpoint: 'guild', search: '', keyId: null, at, status: 200 })

    expect(log.requests()).toHaveLength(10_000)
    expect(log.requests().at(-1)?.at).toBe(24_999)
  })
})

describe('expectRequests', () => {
  const requests = [
    asked({ query: { from: 'shop', page: '1' } }),
    asked({ query: { from: 'shop', page: '2' }, at: midnight + 61_005, status: 429, message: 'Too Many' }),
    asked({ endpoint: 'user', platformId: '8412', keyId: null, status: 401, message: 'Unauthorized' }),
  ]

  it.each([
    [3, {}],
    [2, { endpoint: 'guild', query: { from: 'shop' } }],
    [1, { query: { page: 2 } }],
    [1, { endpoint: 'user' }],
    [1, { platformId: '8412' }],
    [0, { platformId: '1' }],
    [2, { keyId: 'key-1' }],
    [1, { status: 429 }],
  ] as const)('passes when %d are %o', (count, pattern) => {
    expect(() => expectRequests(requests, count, pattern)).not.toThrow()
  })

  it('says what was asked instead', () => {
    expect(() => expectRequests(requests, 3, { endpoint: 'guild', query: { from: 'shop' } })).toThrow(
      new Error(
        [
          'expected 3 requests to list-all with from=shop, got 2:',
          '  00:00:00.000Z list-all?from=shop&page=1 (key-1) → 200',
          '  00:01:01.005Z list-all?from=shop&page=2 (key-1) → 429 Too Many',
          '1 request of another kind:',
          '  00:00:00.000Z user 8412 (no known key) → 401 Unauthorized',
        ].join('\n'),
      ),
    )
  })

  it('says so when nothing was asked', () => {
    expect(() => expectRequests([], 1, { platformId: '1', keyId: 'key-2', status: 200 })).toThrow(
      new Error('expected 1 request for user 1 by key-2 answered 200, got 0\nnothing else was asked'),
    )
  })

  it.each<[RequestPattern, string]>([
    [{ endpoint: 'guild', platformId: '1' }, 'expected 1 request to list-all for user 1, got 0'],
    [{ endpoint: 'user', platformId: '1' }, 'expected 1 request to user 1, got 0'],
    [{ endpoint: 'user' }, 'expected 1 request to one user, got 0'],
  ])('words %j as %j', (pattern, words) => {
    expect(() => expectRequests([], 1, pattern)).toThrow(words)
  })

  it('does not bury the reader', () => {
    const many = Array.from({ length: 500 }, () => asked())

    expect(() => expectRequests(many, 1)).toThrow('… and 480 more')
  })

  it('refuses a number that is none', () => {
    expect(() => expectRequests(requests, -1)).toThrow('must be a whole number of at least 0, not -1.')
  })

  it.each<[unknown, string]>([
    [{ endpont: 'guild' }, 'Requests have no "endpont": did you mean endpoint?'],
    [{ constructor: 'guild' }, 'Requests have no "constructor"'],
    [{ endpoint: 'all' }, 'endpoint must be guild or user, not "all".'],
    [{ query: null }, 'query must be an object of texts and numbers'],
    [{ query: { from: {} } }, 'query must be an object of texts and numbers'],
    [{ status: '200' }, 'status must be a whole number, not "200".'],
    ['guild', 'Requests are described by an object'],
  ])('refuses the description %j', (pattern, message) => {
    expect(() => expectRequests([], 0, pattern as object)).toThrow(message)
  })
})

describe('conduct', () => {
  const good = { requests: 0, mostInOneSecond: 1, beforeRetryAfter: 0, samePageAgain: 0, withoutBackOff: 0 }
  const page = (number: number, at: number, change: Partial<LoggedRequest> = {}) =>
    asked({ query: { page: String(number) }, at, ...change })

  it('has nothing to say of a client that behaves', () => {
    const requests = [page(1, 0), page(2, 2000, { status: 429, retryAfterMs: 1000 }), page(2, 3000)]

    expect(conductIn(requests)).toEqual([{ ...good, keyId: 'key-1', requests: 3, findings: [] }])
  })

  it('counts the most requests within one second, the last moment of which is out', () => {
    const times = [0, ...Array.from({ length: 10 }, (_, i) => 990 + i), 1000]
    const [conduct] = conductIn(times.map((at, i) => page(i, at)))

    expect(conduct).toMatchObject({
      mostInOneSecond: 11,
      findings: ['11 requests within one second; the document allows 10'],
    })
  })

  it('notices who comes back too early, but not who was on the way already', () => {
    const refused = { status: 429, retryAfterMs: 1000 }
    const requests = [page(1, 0, refused), page(2, 0, refused), page(1, 999, refused), page(1, 1998), page(2, 3000)]

    expect(conductIn(requests)[0]).toMatchObject({ beforeRetryAfter: 2 })
  })

  it('notices who asks again for what was answered', () => {
    const requests = [page(1, 0), page(1, 2000), page(1, 4000), page(2, 6000, { status: 500 }), page(2, 8000)]

    expect(conductIn(requests)[0]).toMatchObject({ samePageAgain: 2 })
  })

  it.each([
    ['growing', [0, 2000, 6000, 14_000], 0],
    ['even', [0, 2000, 4000, 6000], 1],
    ['shrinking', [0, 4000, 6000], 1],
    ['one pause only', [0, 2000], 0],
  ])('looks at pauses after failures: %s', (_what, times, withoutBackOff) => {
    const [conduct] = conductIn(times.map((at) => page(1, at, { status: 500 })))

    expect(conduct).toMatchObject({ withoutBackOff })
  })

  it('does not count pauses that the replies asked for', () => {
    const requests = [0, 2000, 4000].map((at) => page(1, at, { status: 503, retryAfterMs: 1000 }))

    expect(conductIn(requests)[0]).toMatchObject({ withoutBackOff: 0, findings: [] })
  })

  it('reports on each key by itself, and on no unknown one', () => {
    const requests = [page(1, 0), page(1, 0, { keyId: 'key-2' }), page(1, 0, { keyId: null })]

    expect(conductIn(requests).map(({ keyId }) => keyId)).toEqual(['key-1', 'key-2'])
  })
})
