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

  it.each<[string, Partial<LoggedRequest>]>([
    ['waits for a response that does not come', { status: null, faults: ['hang'] }],
    ['pauses as Retry-After asks for', { status: 503, retryAfterMs: 1000 }],
  ])('does not accuse who %s of regular pauses', (_what, change) => {
    const requests = [0, 2000, 4000, 6000].map((at) => page(1, at, change))

    expect(auditOf(requests)[0]).toMatchObject({ withoutBackOff: 0, findings: [] })
  })

  it('reports on each known key separately', () => {
    const requests = [page(1, 0), page(1, 0, { keyId: 'key-2' }), page(1, 0, { keyId: null })]

    expect(auditOf(requests).map(({ keyId }) => keyId)).toEqual(['key-1', 'key-2'])
  })
})
