import { describe, expect, it } from 'vitest'
import { auditOf as auditOfLog } from './audit.ts'
import { createRequestLog, type LoggedRequest, type RequestLog } from './request-log.ts'

const midnight = Date.UTC(2026, 0, 1)
const logged = (change: Partial<LoggedRequest> = {}): LoggedRequest => ({
  method: 'GET',
  path: '/guild/ledger/transactions',
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
    log.restore(state)
    expect(log.requests().map(({ at }) => at)).toEqual([3, 4, 5])
  })

  it('replaces a request by what became of it, where it still has it', () => {
    const log = createRequestLog(2)
    const [first, second] = [logged({ at: 1 }), logged({ at: 2 })]
    for (const request of [first, second, logged({ at: 3 })]) log.add(request)

    log.replace(first, { ...first, status: null })
    log.replace(second, { ...second, status: null })

    expect(log.requests().map(({ at, status }) => [at, status])).toEqual([
      [2, null],
      [3, 200],
    ])
  })

  it('does not let a reader change its requests', () => {
    const log = createRequestLog()
    log.add(logged())

    expect(() => Object.assign(log.requests()[0] ?? {}, { status: 500 })).toThrow(TypeError)
  })
})

describe('auditOf', () => {
  const auditOf = (given: readonly LoggedRequest[] | RequestLog) => {
    if ('add' in given) return auditOfLog(given)
    const log = createRequestLog()
    for (const request of given) log.add(request)
    return auditOfLog(log)
  }

  const good = { requests: 0, mostInOneSecond: 1, beforeRetryAfter: 0, samePageAgain: 0, withoutBackOff: 0 }
  const page = (number: number, at: number, change: Partial<LoggedRequest> = {}) =>
    logged({ query: { page: String(number) }, at, ...change })

  it('has no findings for a client that behaves', () => {
    const requests = [page(1, 0), page(2, 2000, { status: 429, retryAfterMs: 1000 }), page(2, 3000)]

    expect(auditOf(requests)).toEqual([{ ...good, keyId: 'key-1', requests: 3, findings: [] }])
  })

  it('counts the most requests within one second, its end excluded', () => {
    const times = [...Array.from({ length: 11 }, (_, i) => 90 * i), 1000]
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

  it('counts requests for a page that was received less than a second before', () => {
    const requests = [page(1, 0), page(1, 999), page(1, 1500), page(1, 2500), page(2, 2500)]

    expect(auditOf(requests)[0]).toMatchObject({
      samePageAgain: 2,
      findings: ['2 requests for a page that was received less than a second before'],
    })
  })

  it('says 1 request where it is one', () => {
    const [audit] = auditOf([page(1, 0, { status: 429, retryAfterMs: 1000 }), page(1, 999)])

    expect(audit?.findings).toEqual(['1 request before the time that Retry-After allowed'])
  })

  it('does not accuse who makes sure once', () => {
    expect(auditOf([page(1, 0), page(1, 1), page(2, 2)])[0]).toMatchObject({ samePageAgain: 1, findings: [] })
  })

  it.each<[string, Partial<LoggedRequest>]>([
    ['failed', { status: 500 }],
    ['had no response', { status: null, faults: ['reset'] }],
    ['got a damaged body', { faults: ['malformed-json'] }],
  ])('does not accuse who repeats a request that %s', (_what, change) => {
    expect(auditOf([page(1, 0, change), page(1, 100)])[0]?.samePageAgain).toBe(0)
  })

  it('does not accuse who looks again after the ledger has changed', () => {
    const log = createRequestLog()
    log.add(page(1, 0), 'before')
    log.add(page(1, 100), 'after')
    expect(auditOf(log)[0]?.samePageAgain).toBe(0)

    log.add(page(1, 200), 'after')
    expect(auditOf(log)[0]?.samePageAgain).toBe(1)
  })

  it.each([
    ['growing', [0, 2000, 6000, 14_000], 0],
    ['regular', [0, 2000, 4003, 5999], 1],
    ['none at all', [0, 0, 0, 0], 1],
    ['random, as full jitter draws them', [0, 250, 330, 900], 0],
    ['too few', [0, 2000, 4000], 0],
  ])('counts requests without back-off after failures: pauses that are %s', (_pauses, times, withoutBackOff) => {
    const [audit] = auditOf(times.map((at) => page(1, at, { status: 500 })))

    expect(audit).toMatchObject({ withoutBackOff })
  })

  it('does not count the time that a response was waited for as a pause', () => {
    const requests = [0, 2000, 4000, 6000].map((at) => page(1, at, { status: null, faults: ['hang'] }))

    expect(auditOf(requests)[0]).toMatchObject({ withoutBackOff: 0, findings: [] })
  })

  it('does not count pauses that Retry-After asked for', () => {
    const requests = [0, 2000, 4000, 6000].map((at) => page(1, at, { status: 503, retryAfterMs: 1000 }))

    expect(auditOf(requests)[0]).toMatchObject({ withoutBackOff: 0, findings: [] })
  })

  it('reports on each known key separately', () => {
    const requests = [page(1, 0), page(1, 0, { keyId: 'key-2' }), page(1, 0, { keyId: null })]

    expect(auditOf(requests).map(({ keyId }) => keyId)).toEqual(['key-1', 'key-2'])
  })
})
