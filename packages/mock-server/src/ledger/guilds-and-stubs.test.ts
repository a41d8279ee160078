import { describe, expect, it } from 'vitest'
import { listAll, sendToMock, statusesFrom } from '@guild-ledger/test-kit'
import { createMockLedger, createTransactionFactory } from '../index.ts'

const key = { name: 'bot', scopes: ['guild:read'], expiresAt: '2999-01-01' } as const

describe('guild.reset', () => {
  it('restores one guild with its keys, and leaves the others alone', () => {
    const mock = createMockLedger({ now: () => 0, rateLimit: 3, transactions: 1 })
    const guild = mock.createGuild({ transactions: 2 })
    const other = mock.createGuild()
    const extra = guild.createKey(key)
    guild.add([createTransactionFactory()()])
    guild.fault({ kind: 'hang' })
    guild.assume({ pageUnit: 'group' })
    guild.subscription = 'none'
    guild.deleteKey(guild.keys[0]?.id ?? '')
    other.add([createTransactionFactory()()])
    statusesFrom(mock, 3, extra.value)

    guild.reset()

    expect(guild).toMatchObject({ subscription: 'developer', faults: [], requests: [], rateLimit: 3 })
    expect(guild.transactions).toHaveLength(2)
    expect(guild.assumptions.pageUnit).toBe('transaction')
    expect(guild.keys.map(({ id }) => id)).toEqual(['key-2'])
    expect(statusesFrom(mock, 4, guild.apiKey)).toEqual([200, 200, 200, 429])
    expect(sendToMock(mock, extra.value).status).toBe(401)
    expect(other.transactions).toHaveLength(1)
    expect(mock.guilds).toHaveLength(3)
  })
})

describe('mock.removeGuild', () => {
  it('removes a guild with its keys, whose id is not used again, and is undone by restore', () => {
    const mock = createMockLedger({ now: () => 0 })
    const guild = mock.createGuild({ transactions: 1 })
    const before = mock.snapshot()

    mock.removeGuild(guild.id)

    expect(mock.guilds.map(({ id }) => id)).toEqual(['guild-1'])
    expect(sendToMock(mock, guild.apiKey).status).toBe(401)
    expect(mock.createGuild().id).toBe('guild-3')
    mock.restore(before)

    expect(sendToMock(mock, guild.apiKey).status).toBe(200)
  })

  it('rejects the first guild and an unknown one', () => {
    const mock = createMockLedger()

    expect(() => mock.removeGuild('guild-1')).toThrow('guild-1 is the first guild, which stays: use guild.reset()')
    expect(() => mock.removeGuild('guild-2')).toThrow('There is no guild "guild-2".')
  })
})

describe('mock.stub', () => {
  const path = '/guild/unlisted'

  it('responds to a path that the spec only names, after the checks of key and rate limit', () => {
    const mock = createMockLedger({ now: () => 0, rateLimit: 1 })
    expect(sendToMock(mock, mock.apiKey, path).status).toBe(404)

    mock.stub(path, { body: { data: [1] }, headers: { 'X-More': 'yes' } })
    const { status, headers, body } = mock.respond({ method: 'GET', target: `${path}?a=1`, apiKey: mock.apiKey })

    expect([status, body]).toEqual([200, '{"data":[1]}'])
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-more': 'yes' })
    expect(mock.respond({ method: 'POST', target: path, apiKey: mock.apiKey }).status).toBe(405)
    expect(statusesFrom(mock, 1)).toEqual([429])
    expect(sendToMock(mock, 'unknown', path).status).toBe(401)
    expect(mock.guild.requests.at(1)).toMatchObject({ path, endpoint: null, query: { a: '1' }, status: 200 })
  })

  it('has a default body, is replaced by a later stub, and is gone after reset', () => {
    const mock = createMockLedger({ rateLimit: 'off' })
    const bodyOf = () => mock.respond({ method: 'GET', target: path, apiKey: mock.apiKey }).body

    mock.stub(path, {})
    expect(bodyOf()).toBe('{"success":true}')
    mock.stub(path, { status: 404 })
    expect(bodyOf()).toBe('{"success":false,"message":"Stubbed in the mock: status 404"}')
    expect(mock.stubs).toEqual([{ path, status: 404 }])
    mock.reset()
    expect(mock.stubs).toEqual([])
    mock.stub(path, {})
    mock.clearStubs()
    expect(mock.stubs).toEqual([])
  })

  it.each([
    [{ status: 204 }, ''],
    [{ status: 399 }, '{"success":true}'],
    [{ status: 400 }, '{"success":false,"message":"Stubbed in the mock: status 400"}'],
    [{ body: 'as it is' }, 'as it is'],
    [{ body: '' }, ''],
    [{ body: null }, 'null'],
    [{ status: 500, body: ['x'] }, '["x"]'],
  ])('responds to %j with the body %j', (response, body) => {
    const mock = createMockLedger()

    mock.stub('/x/_mock', response)

    expect(mock.respond({ method: 'GET', target: '/x/_mock', apiKey: mock.apiKey })).toMatchObject({
      status: 200,
      ...('status' in response && { status: response.status }),
      body,
    })
  })

  it.each([
    [{ status: 200, body: { message: 'not an error' } }, undefined],
    [{ status: 418, body: { message: 'an error' } }, 'an error'],
    [{ status: 418, body: { message: 7 } }, undefined],
    [{ status: 418, body: 'no JSON' }, undefined],
    [{ status: 418, body: 'null' }, undefined],
  ])('is logged with the message of an error only: %j', (response, message) => {
    const mock = createMockLedger()
    mock.stub(path, response)

    mock.respond({ method: 'GET', target: path, apiKey: mock.apiKey })

    expect(mock.requests.at(-1)?.message).toBe(message)
  })

  it('is not changed by faults', () => {
    const mock = createMockLedger()
    mock.stub(path, {})
    mock.guild.fault({ kind: 'reset' })

    expect(sendToMock(mock, mock.apiKey, path).status).toBe(200)
  })

  it.each<[unknown, unknown, string]>([
    ['guild/discharges', {}, '`path` must be a path such as /guild/discharges'],
    ['/a?b=1', {}, '`path` must be a path such as /guild/discharges, percent-encoded and without a query string'],
    [listAll, {}, '`path` must not be one that the mock responds to itself'],
    [[path], {}, '`path` must be a path such as /guild/discharges'],
    ['/a b', {}, '`path` must be a path such as /guild/discharges'],
    ['/a\u00e4', {}, '`path` must be a path such as /guild/discharges'],
    ['/a/../b', {}, '`path` must be as clients send it, /b, got /a/../b'],
    ['/a{b}', {}, '`path` must be as clients send it, /a%7Bb%7D, got /a{b}'],
    [String.raw`/a\b`, {}, '`path` must be as clients send it, /a/b, got '],
    ['/_mock', {}, '`path` must not be one of the admin API'],
    ['/_mock/guilds', {}, '`path` must not be one of the admin API'],
    [path, null, '`response` must be an object such as { status: 200, body: [] }, got null'],
    [path, { stats: 200 }, 'Unknown field `stats`. Did you mean `status`?'],
    [path, { status: 99 }, '`status` must be an integer from 200 to 599, got 99'],
    [path, { body: () => 1 }, '`body` must be a value that JSON can hold'],
    [path, { headers: { 'content-length': '1' } }, '`headers` must be headers such as'],
    [path, { status: 204, body: {} }, 'A response with status 204 has no body: leave `body` out.'],
  ])('rejects the path %j with the response %j', (given, response, message) => {
    const mock = createMockLedger()

    expect(() => mock.stub(given as string, response as object)).toThrow(message)
    expect(mock.stubs).toEqual([])
  })
})
