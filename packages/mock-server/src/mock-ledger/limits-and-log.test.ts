import { afterEach, describe, expect, it, vi } from 'vitest'
import { createMockLedger, type MockLedger } from '../index.ts'

const list = '/guild/ledger/transactions'
const ask = (mock: MockLedger, apiKey = mock.apiKey, target = list) => {
  const { status, headers, body } = mock.answer({ method: 'GET', target, apiKey })
  const { message, pagination } = JSON.parse(body) as { message?: string; pagination?: { total: number } }
  return { status, headers, message, total: pagination?.total }
}
const statuses = (mock: MockLedger, count: number, apiKey = mock.apiKey) =>
  Array.from({ length: count }, () => ask(mock, apiKey).status)

afterEach(() => void vi.useRealTimers())

describe('rate limit', () => {
  it('is ten a second; what is above says that it is simulated', () => {
    const mock = createMockLedger({ now: () => 0 })

    expect(statuses(mock, 10)).toEqual(Array.from({ length: 10 }, () => 200))
    expect(ask(mock)).toMatchObject({
      status: 429,
      message: 'Too Many Requests - simulated by the mock: the limit is 10 requests per second',
      headers: { 'content-type': 'application/json', 'retry-after': '1' },
    })
  })

  it('goes by the clock, a faked one too', () => {
    vi.useFakeTimers()
    const mock = createMockLedger({ rateLimit: 1 })

    expect(statuses(mock, 2)).toEqual([200, 429])
    vi.advanceTimersByTime(999)
    expect(ask(mock).status).toBe(429)
    vi.advanceTimersByTime(1)
    expect(ask(mock).status).toBe(200)
  })

  it('comes after key and guild, before parameters', () => {
    const mock = createMockLedger({ now: () => 0, rateLimit: 1, assumptions: { rateLimitStatus: 503 } })

    expect(statuses(mock, 3, 'unknown')).toEqual([401, 401, 401])
    expect(ask(mock, mock.apiKey, `${list}?page=0`).status).toBe(400)
    expect(ask(mock, mock.apiKey, `${list}?page=0`).status).toBe(503)
  })

  it('is each guild its own, and can be changed and switched off', () => {
    const mock = createMockLedger({ now: () => 0, rateLimit: 1 })
    const open = mock.createGuild({ rateLimit: 'off', transactions: 1 })
    const like = mock.createGuild({ transactions: 1 })

    expect(statuses(mock, 2)).toEqual([200, 429])
    expect(statuses(mock, 2, like.apiKey)).toEqual([200, 429])
    expect(statuses(mock, 20, open.apiKey)).not.toContain(429)
    mock.guild.rateLimit = 2
    expect(statuses(mock, 3)).toEqual([200, 200, 429])
    expect(() => (mock.guild.rateLimit = -1)).toThrow('rateLimit must be')
    expect(mock.guild.rateLimit).toBe(2)
  })
})

describe('requests', () => {
  it('tell how they were asked and what refused them', () => {
    const mock = createMockLedger({ now: () => 7, transactions: 1, rateLimit: 1 })
    const head = mock.answer({ method: 'HEAD', target: list, apiKey: mock.apiKey })
    ask(mock)
    ask(mock, 'unknown')

    expect(head.status).toBe(200)
    expect(mock.requests.map(({ method, refusedBy }) => [method, refusedBy])).toEqual([
      ['HEAD', undefined],
      ['GET', 'rate limit'],
      ['GET', 'key'],
    ])
  })

  it('are logged by guild, and all together', () => {
    const mock = createMockLedger({ now: () => 7, transactions: 0 })
    const guild = mock.createGuild()
    ask(mock, mock.apiKey, `${list}?from=shop&page=2`)
    ask(mock, guild.apiKey, '/guild/ledger/a%20b/transactions')
    ask(mock, 'unknown')
    ask(mock, mock.apiKey, '/elsewhere')

    const message = 'No transactions found for this guild'
    expect(mock.guild.requests).toEqual([
      {
        method: 'GET',
        endpoint: 'guild',
        query: { from: 'shop', page: '2' },
        keyId: 'key-1',
        at: 7,
        status: 404,
        message,
        refusedBy: 'data',
      },
    ])
    expect(guild.requests).toMatchObject([{ endpoint: 'user', platformId: 'a b', keyId: 'key-2', status: 404 }])
    expect(mock.requests.map(({ keyId, status }) => [keyId, status])).toEqual([
      ['key-1', 404],
      ['key-2', 404],
      [null, 401],
    ])
    mock.guild.expectRequests(1, { query: { from: 'shop' } })
    expect(() => guild.expectRequests(2)).toThrow('expected 2 requests, got 1:')
    expect(guild.conduct()).toMatchObject([{ keyId: 'key-2', requests: 1 }])
  })

  it('hold the wait that a refusal named', () => {
    const mock = createMockLedger({ now: () => 0, rateLimit: 1 })
    statuses(mock, 2)

    expect(mock.guild.requests.map(({ retryAfterMs }) => retryAfterMs)).toEqual([undefined, 1000])
  })

  it('are kept as far back as wanted, by the mock and by each guild', () => {
    const mock = createMockLedger({ keepRequests: 2, rateLimit: 'off' })
    const guild = mock.createGuild()
    for (const { apiKey } of [mock, guild, mock, guild, guild]) statuses(mock, 1, apiKey)

    expect([mock.requests.length, mock.guild.requests.length, guild.requests.length]).toEqual([2, 2, 2])
    expect(() => createMockLedger({ keepRequests: -1 })).toThrow(
      new TypeError('keepRequests must be a whole number of at least 0, not -1.'),
    )
  })
})
