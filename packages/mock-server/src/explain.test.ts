import { describe, expect, it } from 'vitest'
import { createMockLedger, createTransactionFactory, type Assumptions } from './index.ts'

const list = '/guild/ledger/transactions'
const explained = (target: string, assumptions: Partial<Assumptions> = {}) => {
  const mock = createMockLedger({ transactions: 0, explain: true, now: () => 0, assumptions })
  const transaction = createTransactionFactory()
  mock.guild.add([
    transaction({ platformId: 'b' }),
    transaction({ platformId: 'a', source: 'Shop', quantity: 3 }),
    transaction({ platformId: 'b', source: 'quest' }),
  ])
  const { headers } = mock.answer({ method: 'GET', target, apiKey: mock.apiKey })
  return { mock, assumed: headers['x-mock-assumptions']?.split(', ') ?? [] }
}

describe('a reply says which assumptions shaped it', () => {
  it('those of the whole ledger', () => {
    expect(explained(list).assumed).toEqual([
      'pageUnit=transaction',
      'groupOrder=first-transaction',
      'totalValueOf=total',
      'createdAtFormat=milliseconds',
    ])
  })

  it('those of a filter that cuts', () => {
    expect(explained(`${list}?from=shop`).assumed).toContain('sourceMatch=exact')
    expect(explained(`${list}?from=quest`).assumed).not.toContain('sourceMatch=exact')
    expect(explained(`${list}?startDate=2026-01-01T00:00:02Z`).assumed).toContain('startDateBound=inclusive')
  })

  it('those of a refusal', () => {
    expect(explained(`${list}?page=0`).assumed).toEqual(['invalidParameter=reject'])
    expect(explained(`${list}?from=nowhere`).assumed).toEqual(['notFoundWhen=no-match'])
    expect(explained('/guild/ledger/a/transactions?limit=1').assumed).not.toContain('userLimit=20')
  })

  it('those of the rate limit, and in the log', () => {
    const { mock } = explained(list)
    mock.guild.rateLimit = 1
    mock.answer({ method: 'GET', target: list, apiKey: mock.apiKey })
    mock.answer({ method: 'GET', target: list, apiKey: mock.apiKey })

    expect(mock.guild.requests.at(-1)?.assumed).toBe(
      'rateLimitAlgorithm=sliding-window, rateLimitScope=key, rateLimitStatus=429, rateLimitHeaders=retry-after, refusalsCount=false',
    )
    expect(() => mock.guild.expectRequests(0)).toThrow('(assumed: pageUnit=transaction')
  })

  it('those of a key', () => {
    const { mock } = explained(list)
    const { value } = mock.guild.createKey({ name: 'k', scopes: [], expiresAt: '2999-01-01' })
    const { headers } = mock.answer({ method: 'GET', target: list, apiKey: value })

    expect(headers['x-mock-assumptions']).toBe('missingScopeStatus=401')
  })

  it('only when asked', () => {
    const mock = createMockLedger()

    expect(mock.answer({ method: 'GET', target: list, apiKey: mock.apiKey }).headers).toEqual({
      'content-type': 'application/json',
    })
  })
})
