import { listAll } from '@guild-ledger/test-kit'
import { describe, expect, it } from 'vitest'
import { createMockLedger, createTransactionFactory, type Assumptions } from '../index.ts'

const explained = (target: string, assumptions: Partial<Assumptions> = {}) => {
  const mock = createMockLedger({ transactions: 0, explain: true, now: () => 0, assumptions })
  const transaction = createTransactionFactory()
  mock.guild.add([
    transaction({ platformId: 'b' }),
    transaction({ platformId: 'a', source: 'Shop', quantity: 3 }),
    transaction({ platformId: 'b', source: 'quest' }),
  ])
  const { headers } = mock.respond({ method: 'GET', target, apiKey: mock.apiKey })
  return { mock, names: headers['x-mock-assumptions']?.split(', ') ?? [] }
}

describe('x-mock-assumptions', () => {
  it('names the assumptions that a page of the whole ledger depends on', () => {
    expect(explained(listAll).names).toEqual([
      'pageUnit=transaction',
      'totalUnit=page-unit',
      'groupOrder=first-transaction',
      'totalValueOf=total',
      'createdAtFormat=milliseconds',
    ])
  })

  it('names the assumption of a filter only where it makes a difference', () => {
    expect(explained(`${listAll}?from=shop`).names).toContain('sourceMatch=exact')
    expect(explained(`${listAll}?from=quest`).names).not.toContain('sourceMatch=exact')
    expect(explained(`${listAll}?startDate=2026-01-01T00:00:02Z`).names).toContain('startDateBound=inclusive')
  })

  it('names the assumptions that an error response depends on', () => {
    expect(explained(`${listAll}?page=0`).names).toEqual(['invalidParameter=reject', 'invalidParameterStatus=400'])
    expect(explained(`${listAll}?from=nowhere`).names).toEqual(['notFoundWhen=no-match'])
    expect(explained('/guild/ledger/a/transactions?limit=1').names).not.toContain('userLimit=20')
  })

  it('names an assumption that is a number, where it makes a difference that there is one, or none', () => {
    expect(explained(`${listAll}?page=2&limit=1`).names).toContain('maxPage=null')
    expect(explained(`${listAll}?page=2&limit=1`, { maxPage: 1 }).names).toContain('maxPage=1')
    expect(explained('/guild/ledger/b/transactions').names).toContain('userLimit=20')
  })

  it('names none, and has no header, where a request was rejected whatever is assumed', () => {
    const { mock } = explained(listAll)

    expect(mock.respond({ method: 'GET', target: listAll, apiKey: 'unknown' }).headers).not.toHaveProperty(
      'x-mock-assumptions',
    )
    expect(mock.requests.at(-1)).not.toHaveProperty('assumptions')
  })

  it('names the assumptions of the rate limit, and puts them into the log', () => {
    const { mock } = explained(listAll)
    mock.guild.rateLimit = 1
    mock.respond({ method: 'GET', target: listAll, apiKey: mock.apiKey })
    mock.respond({ method: 'GET', target: listAll, apiKey: mock.apiKey })

    expect(mock.guild.requests.at(-1)?.assumptions).toEqual({
      rateLimitAlgorithm: 'sliding-window',
      rateLimitScope: 'key',
      rateLimitStatus: 429,
      rateLimitHeaders: 'retry-after',
      rateLimitedRequestsCount: false,
    })
    expect(() => mock.guild.expectRequests(0)).toThrow(
      '(assumptions: pageUnit=transaction, totalUnit=page-unit, groupOrder=',
    )
  })

  it('names the assumptions that the rejection of a key depends on', () => {
    const { mock } = explained(listAll)
    const { value } = mock.guild.createKey({ name: 'k', scopes: [], expiresAt: '2999-01-01' })
    const { headers } = mock.respond({ method: 'GET', target: listAll, apiKey: value })

    expect(headers['x-mock-assumptions']).toBe('missingScopeStatus=401')
  })
})
