import { describe, expect, it } from 'vitest'
import { listAll, sendToMock, statusesFrom } from '@guild-ledger/test-kit'
import { createMockLedger, type Fault } from '../index.ts'

describe('rate limit of a guild', () => {
  it('allows ten requests per second, and says in a 429 that it is simulated', () => {
    const mock = createMockLedger({ now: () => 0 })

    expect(statusesFrom(mock, 10)).toEqual(Array.from({ length: 10 }, () => 200))
    expect(sendToMock(mock)).toMatchObject({
      status: 429,
      message: 'Too Many Requests - simulated by the mock: the limit is 10 requests per second',
      headers: { 'content-type': 'application/json', 'retry-after': '1' },
    })
  })

  it('is checked after key and guild, before parameters', () => {
    const mock = createMockLedger({ now: () => 0, rateLimit: 1, assumptions: { rateLimitStatus: 503 } })

    expect(statusesFrom(mock, 3, 'unknown')).toEqual([401, 401, 401])
    expect(sendToMock(mock, mock.apiKey, `${listAll}?page=0`).status).toBe(400)
    expect(sendToMock(mock, mock.apiKey, `${listAll}?page=0`).status).toBe(503)
  })

  it('is separate for each guild, and can be changed and switched off', () => {
    const mock = createMockLedger({ now: () => 0, rateLimit: 1 })
    const unlimited = mock.createGuild({ rateLimit: 'off', transactions: 1 })
    const inheriting = mock.createGuild({ transactions: 1 })

    expect(statusesFrom(mock, 2)).toEqual([200, 429])
    expect(statusesFrom(mock, 2, inheriting.apiKey)).toEqual([200, 429])
    expect(statusesFrom(mock, 20, unlimited.apiKey)).not.toContain(429)
    mock.guild.rateLimit = 2
    expect(statusesFrom(mock, 3)).toEqual([200, 200, 429])
    expect(() => (mock.guild.rateLimit = -1)).toThrow('`rateLimit` must be')
    expect(mock.guild.rateLimit).toBe(2)
  })
})

describe('the scope address of the rate limit', () => {
  const from = (mock: ReturnType<typeof createMockLedger>, apiKey: string, address: string) =>
    mock.respond({ method: 'GET', target: listAll, apiKey, address }).status

  it('counts all guilds together', () => {
    const mock = createMockLedger({ now: () => 0, rateLimit: 2, assumptions: { rateLimitScope: 'address' } })
    const guild = mock.createGuild({ transactions: 1 })

    expect([from(mock, mock.apiKey, 'a'), from(mock, guild.apiKey, 'a')]).toEqual([200, 200])
    expect([from(mock, guild.apiKey, 'a'), from(mock, mock.apiKey, 'a')]).toEqual([429, 429])
    expect(from(mock, guild.apiKey, 'b')).toBe(200)
  })

  it('is part of snapshots, and leaves guilds alone that count otherwise', () => {
    const mock = createMockLedger({ now: () => 0, rateLimit: 1, assumptions: { rateLimitScope: 'address' } })
    const byKey = mock.createGuild({ transactions: 1, assumptions: { rateLimitScope: 'key' } })
    const higher = mock.createGuild({ transactions: 1, rateLimit: 2 })
    const fresh = mock.snapshot()

    expect([mock, byKey, higher].map(({ apiKey }) => from(mock, apiKey, 'a'))).toEqual([200, 200, 200])
    expect(from(mock, mock.apiKey, 'a')).toBe(429)
    const used = mock.snapshot()
    mock.restore(fresh)
    expect(from(mock, mock.apiKey, 'a')).toBe(200)
    mock.restore(fresh)
    mock.restore(used)
    expect(from(mock, mock.apiKey, 'a')).toBe(429)
  })
})

describe('the request log', () => {
  it('is kept for each guild and for the mock', () => {
    const mock = createMockLedger({ now: () => 7, transactions: 0 })
    const guild = mock.createGuild()
    sendToMock(mock, mock.apiKey, `${listAll}?from=shop&page=2`)
    sendToMock(mock, guild.apiKey, '/guild/ledger/a%20b/transactions')
    sendToMock(mock, 'unknown')
    sendToMock(mock, mock.apiKey, '/elsewhere')

    const message = 'No transactions found for this guild'
    expect(mock.guild.requests).toStrictEqual([
      {
        method: 'GET',
        path: listAll,
        endpoint: 'guild',
        query: { from: 'shop', page: '2' },
        keyId: 'key-1',
        at: 7,
        status: 404,
        message,
        rejectedBy: 'data',
      },
      {
        method: 'GET',
        path: '/elsewhere',
        endpoint: null,
        query: {},
        keyId: 'key-1',
        at: 7,
        status: 404,
        message: 'No such path',
        rejectedBy: 'path',
      },
    ])
    expect(guild.requests).toMatchObject([{ endpoint: 'user', platformId: 'a b', keyId: 'key-2', status: 404 }])
    expect(mock.requests.map(({ keyId, status }) => [keyId, status])).toEqual([
      ['key-1', 404],
      ['key-2', 404],
      [null, 401],
      ['key-1', 404],
    ])
    mock.guild.expectRequests(1, { query: { from: 'shop' } })
    expect(() => guild.expectRequests(2)).toThrow('expected 2 requests, got 1:')
    expect(guild.audit()).toMatchObject([{ keyId: 'key-2', requests: 1 }])
  })

  it('names requests with an unknown key in the message of a guild, and counts them for the mock', () => {
    const mock = createMockLedger({ now: () => 0 })
    const guild = mock.createGuild()
    sendToMock(mock, 'mistyped')
    sendToMock(mock, mock.createUnboundKey({ name: 'k', scopes: [], expiresAt: '2999-01-01' }).value)
    sendToMock(mock)

    expect(() => guild.expectRequests(1)).toThrow(
      /^expected 1 request, got 0\n2 requests of another kind[^]*\(key-3\) → 401[^]*\(unknown key\) → 401 Unauthorized - invalid/,
    )
    mock.expectRequests(3)
    mock.expectRequests({ atLeast: 1, atMost: 2 }, { status: 401 })
    mock.expectRequestsInOrder([{ status: 401 }, { keyId: 'key-1' }])
    expect(() => guild.expectRequests(0, { keyId: 'key-1' })).toThrow('Unknown keyId `key-1`. Did you mean `key-2`?')
  })

  it.each<[Fault, object]>([
    [{ kind: 'reset' }, { status: null, faults: ['reset'] }],
    [{ kind: 'hang' }, { status: null, faults: ['hang'] }],
    [{ kind: 'truncate' }, { status: null, faults: ['truncate'] }],
    [
      { kind: 'latency', ms: 1 },
      { status: 200, faults: ['latency'] },
    ],
    [{ kind: 'html-502' }, { status: 502, faults: ['html-502'] }],
  ])('has the status that the client saw: none where %j let no response through', (fault, entry) => {
    const mock = createMockLedger({ now: () => 0 })
    mock.guild.fault(fault)
    mock.respond({ method: 'GET', target: listAll, apiKey: mock.apiKey })

    expect(mock.guild.requests).toMatchObject([entry])
    expect(mock.guild.requests[0]).not.toHaveProperty('message')
  })

  it.each<Fault>([
    { kind: 'latency', ms: 1e6 },
    { kind: 'slow-body', intervalMs: 1e6 },
  ])('has no status where the client gave up before a response with %j', async (fault) => {
    const mock = createMockLedger({ now: () => 0 })
    mock.guild.fault(fault)
    const abort = new AbortController()
    const init = { headers: { 'x-api-key': mock.apiKey }, signal: abort.signal }
    const body = mock.fetch(mock.origin + listAll, init).then((response) => response.text())
    await Promise.resolve()
    setTimeout(() => abort.abort())

    await expect(body).rejects.toThrow('aborted')
    expect(mock.guild.requests).toMatchObject([{ status: null, faults: [fault.kind] }])
    expect(mock.requests).toEqual(mock.guild.requests)
  })

  it('contains the wait of a rate-limited request', () => {
    const mock = createMockLedger({ now: () => 0, rateLimit: 1 })
    statusesFrom(mock, 2)

    expect(mock.guild.requests.map(({ retryAfterMs }) => retryAfterMs)).toEqual([undefined, 1000])
  })

  it('keeps as many requests as keepRequests says, for the mock and for each guild', () => {
    const mock = createMockLedger({ keepRequests: 2, rateLimit: 'off' })
    const guild = mock.createGuild()
    for (const { apiKey } of [mock, guild, mock, guild, guild]) statusesFrom(mock, 1, apiKey)

    expect([mock.requests.length, mock.guild.requests.length, guild.requests.length]).toEqual([2, 2, 2])
    const byDefault = createMockLedger({ transactions: 0, rateLimit: 'off' })
    statusesFrom(byDefault, 10_001)
    expect(byDefault.requests).toHaveLength(10_000)
    expect(() => createMockLedger({ keepRequests: -1 })).toThrow(
      new TypeError('`keepRequests` must be an integer ≥ 0, got -1'),
    )
  })
})
