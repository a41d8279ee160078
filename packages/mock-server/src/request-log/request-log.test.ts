import { describe, expect, it } from 'vitest'
import { auditOf, createRequestLog, expectRequests, type LoggedRequest, type RequestMatcher } from './index.ts'

const midnight = Date.UTC(2026, 0, 1)
const logged = (change: Partial<LoggedRequest> = {}): LoggedRequest => ({
  method: 'GET',
  endpoint: 'guild',
  query: {},
  keyId: 'key-1',
  at: midnight,
  status: 200,
  ...change,
})

describe('createRequestLog', () => {
  it.each([0, 1, 3])('keeps the latest %d requests, oldest first', (capacity) => {
    const log = createRequestLog(capacity)
    for (let at = 1; at <= 10; at++) log.add(logged({ at }))

    expect(log.requests().map(({ at }) => at)).toEqual([8, 9, 10].slice(3 - capacity))
    expect(log.state()).toHaveLength(capacity)
  })

  it('keeps the latest 10,000 requests unless configured otherwise', () => {
    const log = createRequestLog()
    for (let at = 0; at < 25_000; at++) log.add(logged({ at }))

    expect(log.requests()).toHaveLength(10_000)
    expect(log.requests().at(-1)?.at).toBe(24_999)
  })

  it('restores the requests of a state and goes on from there', () => {
    const log = createRequestLog(3)
    for (let at = 1; at <= 5; at++) log.add(logged({ at }))
    const state = log.state()
    for (let at = 6; at <= 10; at++) log.add(logged({ at }))

    log.restore(state)
    log.add(logged({ at: 11 }))

    expect(log.requests().map(({ at }) => at)).toEqual([4, 5, 11])
    expect(state.map(({ at }) => at)).toEqual([3, 4, 5])
  })

  it('does not let a reader change its requests', () => {
    const log = createRequestLog()
    log.add(logged())

    expect(() => Object.assign(log.requests()[0] ?? {}, { status: 500 })).toThrow(TypeError)
  })
})

describe('expectRequests', () => {
  const requests = [
    logged({ query: { from: 'shop', page: '1' } }),
    logged({ query: { from: 'shop', page: '2' }, at: midnight + 61_005, status: 429, message: 'Too Many' }),
    logged({ endpoint: 'user', platformId: '8412', keyId: null, status: 401, message: 'Unauthorized' }),
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
  ] as const)('passes when %d requests match %o', (count, matcher) => {
    expect(() => expectRequests(requests, count, matcher)).not.toThrow()
  })

  it('lists the requests when the count differs', () => {
    expect(() => expectRequests(requests, 3, { endpoint: 'guild', query: { from: 'shop' } })).toThrow(
      new Error(
        [
          'expected 3 requests to list-all with from=shop, got 2:',
          '  00:00:00.000Z list-all?from=shop&page=1 (key-1) → 200',
          '  00:01:01.005Z list-all?from=shop&page=2 (key-1) → 429 Too Many',
          '1 request of another kind:',
          '  00:00:00.000Z user 8412 (unknown key) → 401 Unauthorized',
        ].join('\n'),
      ),
    )
  })

  it('says that there were no other requests', () => {
    expect(() => expectRequests([], 1, { platformId: '1', keyId: 'key-2', status: 200 })).toThrow(
      new Error('expected 1 request for user 1 by key-2 with status 200, got 0\nno other requests'),
    )
  })

  it.each<[RequestMatcher, string]>([
    [{ endpoint: 'guild', platformId: '1' }, 'expected 1 request to list-all for user 1, got 0'],
    [{ endpoint: 'user', platformId: '1' }, 'expected 1 request to user 1, got 0'],
    [{ endpoint: 'user' }, 'expected 1 request to one user, got 0'],
  ])('describes the matcher %j as %j', (matcher, message) => {
    expect(() => expectRequests([], 1, matcher)).toThrow(message)
  })

  it('lists no more than 20 requests', () => {
    const many = Array.from({ length: 500 }, () => logged())

    expect(() => expectRequests(many, 1)).toThrow('… and 480 more')
  })

  it('rejects a count that is not an integer ≥ 0', () => {
    expect(() => expectRequests(requests, -1)).toThrow('`count` must be an integer ≥ 0, got -1')
  })

  it.each<[unknown, string]>([
    [{ endpont: 'guild' }, 'Unknown field `endpont`. Did you mean `endpoint`?'],
    [{ constructor: 'guild' }, 'Unknown field `constructor`'],
    [{ endpoint: 'all' }, '`endpoint` must be one of guild, user, got "all"'],
    [{ query: null }, '`query` must be an object of strings and numbers'],
    [{ query: { from: {} } }, '`query` must be an object of strings and numbers'],
    [{ status: '200' }, '`status` must be an integer from 100 to 599, got a string of 3 characters'],
    ['guild', '`matcher` must be an object such as'],
  ])('rejects the matcher %j', (matcher, message) => {
    expect(() => expectRequests([], 0, matcher as object)).toThrow(message)
  })
})

describe('auditOf', () => {
  const good = { requests: 0, mostInOneSecond: 1, beforeRetryAfter: 0, samePageAgain: 0, withoutBackOff: 0 }
  const page = (number: number, at: number, change: Partial<LoggedRequest> = {}) =>
    logged({ query: { page: String(number) }, at, ...change })

  it('has no findings for a client that behaves', () => {
    const requests = [page(1, 0), page(2, 2000, { status: 429, retryAfterMs: 1000 }), page(2, 3000)]

    expect(auditOf(requests)).toEqual([{ ...good, keyId: 'key-1', requests: 3, findings: [] }])
  })

  it('counts the most requests within one second, its end excluded', () => {
    const times = [0, ...Array.from({ length: 10 }, (_, i) => 990 + i), 1000]
    const [audit] = auditOf(times.map((at, i) => page(i, at)))

    expect(audit).toMatchObject({
      mostInOneSecond: 11,
      findings: ['11 requests within one second; the spec allows 10'],
    })
  })

  it('counts early retries, but not requests that were in flight already', () => {
    const limited = { status: 429, retryAfterMs: 1000 }
    const requests = [page(1, 0, limited), page(2, 0, limited), page(1, 999, limited), page(1, 1998), page(2, 3000)]

    expect(auditOf(requests)[0]).toMatchObject({ beforeRetryAfter: 2 })
  })

  it('counts repeated requests for a page that was received', () => {
    const requests = [page(1, 0), page(1, 2000), page(1, 4000), page(2, 6000, { status: 500 }), page(2, 8000)]

    expect(auditOf(requests)[0]).toMatchObject({ samePageAgain: 2 })
  })

  it.each([
    ['growing', [0, 2000, 6000, 14_000], 0],
    ['even', [0, 2000, 4000, 6000], 1],
    ['shrinking', [0, 4000, 6000], 1],
    ['too few', [0, 2000], 0],
  ])('counts requests without back-off after failures: %s pauses', (_pauses, times, withoutBackOff) => {
    const [audit] = auditOf(times.map((at) => page(1, at, { status: 500 })))

    expect(audit).toMatchObject({ withoutBackOff })
  })

  it('does not count pauses that Retry-After asked for', () => {
    const requests = [0, 2000, 4000].map((at) => page(1, at, { status: 503, retryAfterMs: 1000 }))

    expect(auditOf(requests)[0]).toMatchObject({ withoutBackOff: 0, findings: [] })
  })

  it('reports on each known key separately', () => {
    const requests = [page(1, 0), page(1, 0, { keyId: 'key-2' }), page(1, 0, { keyId: null })]

    expect(auditOf(requests).map(({ keyId }) => keyId)).toEqual(['key-1', 'key-2'])
  })
})
