import { createMockLedger } from '@guild-ledger/mock-server'
import { createAdmin } from '@guild-ledger/mock-server/admin'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { describe, expect, it } from 'vitest'
import { startAdmin } from './admin-server.ts'
import { fuzz } from './fuzz.ts'
import { ask } from './raw-http.ts'

const row = {
  platformId: '7',
  transactionId: '00000001-0000-4000-8000-000000000000',
  amount: 1,
  quantity: 1,
  name: 'Item',
  source: 'shop',
  total: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
}
const guild = '/_mock/guilds/guild-1'

describe('guilds and keys', () => {
  it('a guild is created, listed and changed', async () => {
    const { admin, total, service } = await startAdmin()

    const created = await admin('POST /_mock/guilds', { users: 1, transactions: 3, assumptions: { pageUnit: 'group' } })
    const { id, apiKey, ...shown } = created.body as { id: string; apiKey: string }

    expect([created.status, id]).toEqual([200, 'guild-2'])
    expect(shown).toMatchObject({ subscription: 'developer', rateLimit: 10, keys: 1, transactions: 3 })
    expect(shown).toMatchObject({ assumptions: { pageUnit: 'group' } })
    expect((await admin('GET /_mock/guilds')).body).toMatchObject([{ id: 'guild-1' }, { id: 'guild-2' }])
    expect(await total(apiKey)).toBe(1)
    const changed = await admin('PATCH /_mock/guilds/guild-2', { subscription: 'none', rateLimit: 3 })
    expect(changed.body).toMatchObject({ subscription: 'none', rateLimit: 3 })
    expect((await service(apiKey)).status).toBe(401)
    expect((await admin('GET /_mock/guilds/guild-2')).body).not.toHaveProperty('apiKey')
  })

  it('a key is shown once, listed without its value, and deleted', async () => {
    const { admin, service } = await startAdmin()
    const details = { name: 'bot', scopes: ['guild:read'], expiresAt: '2027-01-01T00:00:00Z' }

    const created = (await admin(`POST ${guild}/keys`, details)).body as { id: string; value: string }
    const listed = (await admin(`GET ${guild}/keys`)).body

    expect((await service(created.value)).status).toBe(200)
    expect(listed).toMatchObject([{ name: 'first key of guild-1' }, { name: 'bot', guildId: 'guild-1' }])
    expect(JSON.stringify(listed)).not.toContain(created.value)
    expect((await admin(`DELETE ${guild}/keys/${created.id}`)).status).toBe(204)
    expect((await service(created.value)).status).toBe(401)
  })
})

describe('keys that are bound to no guild', () => {
  it('are shown once, listed and deleted', async () => {
    const { admin, service, mock } = await startAdmin()
    const details = { name: 'lost', scopes: ['guild:read'], expiresAt: '2027-01-01T00:00:00Z' }

    const { value, ...key } = (await admin('POST /_mock/keys', details)).body as { id: string; value: string }

    expect(key).toMatchObject({ name: 'lost', guildId: null })
    expect((await service(value)).status).toBe(400)
    expect((await admin('GET /_mock/keys')).body).toEqual([key])
    expect((await admin(`DELETE ${guild}/keys/${key.id}`)).status).toBe(404)
    expect((await admin(`DELETE /_mock/keys/${key.id}`)).status).toBe(204)
    expect((await service(value)).status).toBe(401)
    expect((await service(mock.apiKey)).status).toBe(200)
  })
})

describe('assumptions', () => {
  it('of a running guild are changed, and what it had summed up with them', async () => {
    const { admin, total } = await startAdmin()
    expect(await total()).toBe(5)

    const { body } = await admin(`PATCH ${guild}`, { assumptions: { pageUnit: 'group', maxPage: 7 } })

    expect(body).toMatchObject({ assumptions: { pageUnit: 'group', maxPage: 7, sourceMatch: 'exact' } })
    expect(await total()).toBe(2)
    await admin(`PATCH ${guild}`, { assumptions: { maxPage: null } })
    expect((await admin(`GET ${guild}`)).body).toMatchObject({ assumptions: { pageUnit: 'group', maxPage: null } })
    await admin('POST /_mock/reset')
    expect(await total()).toBe(5)
  })

  it.each([
    [{ assumptions: { pageUnit: 'group' }, rateLimit: 0 }],
    [{ assumptions: { pageUnit: 'group' }, subscription: 'gold' }],
    [{ assumptions: { pageUnit: 'group', pageUnits: 1 }, rateLimit: 1, subscription: 'none' }],
  ])('are not changed by %j, nor is anything else', async (changes) => {
    const { admin } = await startAdmin()
    const before = await admin(`GET ${guild}`)

    expect((await admin(`PATCH ${guild}`, changes)).status).toBe(400)
    expect((await admin(`GET ${guild}`)).body).toEqual(before.body)
  })

  it('of the mock are changed for guilds that have none of their own', async () => {
    const { admin } = await startAdmin()
    await admin('POST /_mock/guilds', { assumptions: { maxPage: 3 } })

    const { body } = await admin('PATCH /_mock/assumptions', { maxPage: 9 })

    expect(body).toMatchObject({ maxPage: { inForce: 9 }, pageUnit: { inForce: 'transaction' } })
    expect((await admin('GET /_mock/guilds')).body).toMatchObject([
      { assumptions: { maxPage: 9 } },
      { assumptions: { maxPage: 3 } },
    ])
  })
})

describe('transactions', () => {
  it('are added, loaded, scheduled, listed and removed', async () => {
    const { admin, total } = await startAdmin()

    const added = await admin(`POST ${guild}/transactions`, [row])
    const loaded = await admin(
      `POST ${guild}/transactions/load`,
      JSON.stringify({ ...row, transactionId: '00000002-0000-4000-8000-000000000000' }),
    )
    const late = { transactions: [{ ...row, transactionId: '00000003-0000-4000-8000-000000000000' }], afterRequests: 1 }
    const scheduled = await admin(`POST ${guild}/transactions/schedule`, late)

    expect([added.status, loaded.body, scheduled.status]).toEqual([204, { loaded: 1 }, 204])
    expect([await total(), await total()]).toEqual([7, 8])
    expect((await admin(`GET ${guild}/transactions`)).body).toHaveLength(8)
    expect(
      (
        await admin(`DELETE ${guild}/transactions`, {
          transactionIds: ['00000001-0000-4000-8000-000000000000', '00000002-0000-4000-8000-000000000000'],
        })
      ).status,
    ).toBe(204)
    expect(await total()).toBe(6)
  })
})

describe('faults, time, logs and snapshots', () => {
  it('a failure is scripted and ended', async () => {
    const { admin, service } = await startAdmin()

    const scripted = await admin(`POST ${guild}/faults`, { kind: 'internal-error' })
    const failed = await service()
    const ended = await admin(`DELETE ${guild}/faults`)

    expect([scripted.status, failed.status, ended.status, (await service()).status]).toEqual([204, 500, 204, 200])
  })

  it('a failure is told with what became of it', async () => {
    const { admin, service } = await startAdmin()
    await admin(`POST ${guild}/faults`, { kind: 'status', status: 503, times: 3, after: 1 })
    for (let i = 0; i < 3; i++) await service()

    expect((await admin(`GET ${guild}/faults`)).body).toEqual([
      { fault: { kind: 'status', status: 503, times: 3, after: 1 }, happened: 2, left: 1, waits: 0 },
    ])
  })

  it('requests are expected', async () => {
    const { admin, service } = await startAdmin()
    await service()

    const met = await admin(`POST ${guild}/requests/expect`, { count: 1, endpoint: 'guild', status: 200 })
    const missed = await admin(`POST ${guild}/requests/expect`, { count: 2, query: { from: 'shop' } })

    expect([met.status, missed.status]).toEqual([204, 409])
    expect(missed.body).toMatchObject({ message: expect.stringContaining('expected 2 requests with from=shop, got 0') })
  })

  it('the clock is stopped, moved on and let go', async () => {
    const { admin } = await startAdmin()

    expect((await admin('GET /_mock/clock')).body).toEqual({ now: '2026-03-01T00:00:00.000Z', frozen: false })
    expect((await admin('POST /_mock/clock/freeze', { at: '2026-05-01T00:00:00Z' })).body).toMatchObject({
      frozen: true,
    })
    expect((await admin('POST /_mock/clock/advance', { ms: 1000 })).body).toMatchObject({
      now: '2026-05-01T00:00:01.000Z',
    })
    expect((await admin('POST /_mock/clock/resume')).body).toEqual({ now: '2026-05-01T00:00:01.000Z', frozen: false })
  })

  it('an hour of the clock ends a key', async () => {
    const { admin, service } = await startAdmin()
    const details = { name: 'short', scopes: ['guild:read'], expiresAt: '2026-03-01T01:00:00Z' }
    const { value } = (await admin(`POST ${guild}/keys`, details)).body as { value: string }

    await admin('POST /_mock/clock/advance', { ms: 3_600_000 })

    expect((await service(value)).status).toBe(401)
  })

  it('what was asked is told, and nothing that was asked of the admin API', async () => {
    const { admin, service, mock } = await startAdmin()
    for (let i = 0; i < 30; i++) await admin('GET /_mock/guilds')
    await service()

    const requests = await admin(`GET ${guild}/requests`)
    const conduct = await admin(`GET ${guild}/conduct`)

    expect(requests.body).toMatchObject([{ endpoint: 'guild', status: 200, keyId: 'key-1' }])
    expect(conduct.body).toMatchObject([{ keyId: 'key-1', requests: 1, mostInOneSecond: 1 }])
    expect((await admin('GET /_mock/requests')).body).toHaveLength(1)
    expect(mock.requests).toHaveLength(1)
  })

  it('a snapshot brings everything back, and a reset the beginning', async () => {
    const { admin, total } = await startAdmin()
    await admin(`POST ${guild}/transactions`, [row])
    const { id } = (await admin('POST /_mock/snapshots')).body as { id: string }
    await admin(`DELETE ${guild}/transactions`, { transactionIds: ['00000001-0000-4000-8000-000000000000'] })
    await admin('POST /_mock/guilds')

    const restored = await admin(`POST /_mock/snapshots/${id}/restore`)

    expect([restored.status, await total()]).toEqual([204, 6])
    expect((await admin('GET /_mock/guilds')).body).toHaveLength(1)
    expect((await admin('POST /_mock/reset')).status).toBe(204)
    expect(await total()).toBe(5)
  })

  it('the assumptions and the description of the service are there to read', async () => {
    const { admin } = await startAdmin()

    expect((await admin('GET /_mock/assumptions')).body).toHaveProperty('pageUnit.question')
    expect((await admin('GET /_mock/openapi.json')).body).toMatchObject({ info: { version: '1.0.0' } })
    expect((await admin('GET /_mock/admin.openapi.json')).body).toHaveProperty(['paths', '/_mock/guilds', 'get'])
  })
})

describe('who may', () => {
  it('with a token: only who has it', async () => {
    const { admin } = await startAdmin({ token: 'secret' })

    const without = await admin('GET /_mock/guilds')
    const wrong = await admin('GET /_mock/guilds', undefined, { authorization: 'Bearer secre' })
    const right = await admin('GET /_mock/guilds', undefined, { authorization: 'Bearer secret', host: 'mock.test' })

    expect([without.status, wrong.status, right.status]).toEqual([401, 401, 200])
    expect(without.headers['www-authenticate']).toBe('Bearer')
    expect(JSON.stringify([without.body, wrong.body])).not.toContain('secret')
  })

  it.each([
    ['a name that was made to point here', { host: 'evil.test' }],
    ['a web page of another origin', { origin: 'https://evil.test' }],
    ['a web page without one', { origin: 'null' }],
  ])('without a token: not %s', async (_what, headers) => {
    const { admin, mock } = await startAdmin()
    mock.guild.add([row])

    const { status, body } = await admin('POST /_mock/reset', undefined, headers)

    expect([status, mock.guild.transactions.length]).toEqual([403, 6])
    expect(body).toMatchObject({ success: false })
  })

  it('nobody where there is no admin API', async () => {
    const mock = createMockLedger({ transactions: 0 })
    await using server = await startMockServer({ mock })

    expect((await ask(server, '/_mock/guilds')).status).toBe(404)
  })
})

describe('a mistake is named in the error body', () => {
  it.each<[string, unknown, number, RegExp]>([
    ['GET /_mock/nothing', undefined, 404, /no path "\/_mock\/nothing"/],
    ['GET /_mock/guilds/guild-9', undefined, 404, /no guild "guild-9"/],
    ['GET /_mock/guilds/%ff', undefined, 400, /"%ff" in the path is not valid percent-encoding/],
    ['PUT /_mock/guilds', {}, 405, /takes GET, HEAD, POST, not PUT/],
    ['POST /_mock/guilds', '{', 400, /The body must be JSON, not "\{"/],
    ['POST /_mock/guilds', [], 400, /must be a JSON object, not a list of 0/],
    ['POST /_mock/guilds', { user: 1 }, 400, /Unknown field "user": did you mean users\?/],
    ['POST /_mock/guilds', '{"__proto__":1}', 400, /Unknown field "__proto__"/],
    ['POST /_mock/guilds', { transactions: 1e9 }, 400, /transactions must be at most 1000000/],
    ['POST /_mock/guilds', { assumptions: { pageUnit: 'x' } }, 400, /pageUnit must be one of transaction, group/],
    ['POST /_mock/guilds', { users: null }, 400, /users must be a whole number of at least 0, not null/],
    ['POST /_mock/guilds', { rateLimit: null }, 400, /rateLimit must be .*, not null/],
    ['POST /_mock/guilds', { subscription: null }, 400, /subscription must be .*, not null/],
    ['POST /_mock/guilds', { assumptions: null }, 400, /assumptions must be an object/],
    ['POST /_mock/guilds', { apiKey: null }, 400, /value of a key must be printable ASCII/],
    ['POST /_mock/guilds', { apiKey: 5 }, 400, /value of a key must be printable ASCII/],
    [`PATCH ${guild}`, { subscription: 'gold' }, 400, /subscription must be one of/],
    [`PATCH ${guild}`, { assumptions: { maxpag: 3 } }, 400, /Unknown assumption "maxpag": did you mean maxPage\?/],
    [`PATCH ${guild}`, { assumptions: { maxPage: '3' } }, 400, /maxPage must be a whole number of at least 1, or null/],
    [`PATCH ${guild}`, { assumptions: null }, 400, /assumptions must be an object/],
    [`PATCH ${guild}`, { rateLimit: null }, 400, /rateLimit must be .*, not null/],
    ['PATCH /_mock/assumptions', { userLimit: null }, 400, /userLimit must be a whole number from 1 to 100, not null/],
    ['PATCH /_mock/assumptions', [], 400, /assumptions must be an object/],
    ['POST /_mock/reset', { all: true }, 400, /Unknown field "all": this verb takes none/],
    [`POST ${guild}/keys`, { name: 'x' }, 400, /scopes must be a list/],
    [`POST ${guild}/keys`, { name: 'x', scopes: [], expiresAt: {} }, 400, /expiresAt is mandatory/],
    [`DELETE ${guild}/keys/key-9`, undefined, 404, /no key "key-9"/],
    ['DELETE /_mock/keys/key-1', undefined, 404, /no key "key-1"/],
    [`POST ${guild}/transactions`, { a: 1 }, 400, /The body must be a list, not an object with 1 fields/],
    [`POST ${guild}/transactions`, [null], 400, /\S/],
    [`POST ${guild}/transactions`, [{ ...row, amount: '1' }], 400, /amount/],
    [`DELETE ${guild}/transactions`, { transactionIds: ['none'] }, 400, /none/],
    [`DELETE ${guild}/transactions`, {}, 400, /transactionIds must be a list, not nothing/],
    [`POST ${guild}/transactions/load`, '{"a":', 400, /line 1/],
    [`POST ${guild}/transactions/schedule`, { transactions: [] }, 400, /at, afterMs, afterRequests/],
    [`POST ${guild}/faults`, { kind: 'explode' }, 400, /kind must be one of/],
    [`POST ${guild}/faults`, 'null', 400, /A failure must be an object/],
    [`POST ${guild}/faults`, `[${'{"a":['.repeat(32)}1${']}'.repeat(32)}]`, 400, /nested deeper than 64 levels/],
    [`POST ${guild}/faults`, `[${'{"a":['.repeat(31)}"[[\\"[["${']}'.repeat(31)}]`, 400, /A failure must be an object/],
    [`POST ${guild}/requests/expect`, { count: 1 }, 409, /expected 1 request, got 0/],
    [`POST ${guild}/requests/expect`, { count: 0, statu: 200 }, 400, /Unknown field "statu": did you mean status\?/],
    [`POST ${guild}/requests/expect`, { endpoint: 'guild' }, 400, /requests to expect must be a whole number/],
    ['POST /_mock/clock/freeze', { at: 'soon' }, 400, /at must be a date/],
    ['POST /_mock/clock/freeze', { at: '1' }, 400, /at must be a date/],
    ['POST /_mock/clock/freeze', { at: {} }, 400, /at must be a date/],
    ['POST /_mock/clock/advance', { ms: -1 }, 400, /ms must be a whole number/],
    ['POST /_mock/clock/advance', {}, 400, /ms must be a whole number/],
    ['POST /_mock/snapshots/x/restore', undefined, 404, /no snapshot "x"/],
  ])('%s %j: %d', async (call, given, status, message) => {
    const { admin } = await startAdmin()

    const reply = await admin(call, given)

    expect(reply.status).toBe(status)
    expect(reply.body).toEqual({ success: false, message: expect.stringMatching(message) as string })
    expect(JSON.stringify(reply.body)).not.toMatch(/Cannot read|is not a function|undefined|Invalid time/)
  })

  it('where the mock has a clock of its own', async () => {
    const mock = createMockLedger({ transactions: 0 })
    await using server = await startMockServer({ mock, beside: createAdmin(mock) })

    expect((await ask(server, '/_mock/clock')).status).toBe(409)
  })

  it('however hostile the requests', { timeout: 60_000 }, async () => {
    const { server, mock, admin } = await startAdmin({ token: 'secret' })
    const paths = [
      'guilds',
      'guilds/guild-1',
      'requests',
      'assumptions',
      'clock',
      'clock/freeze',
      'clock/advance',
      'reset',
      'snapshots',
      'x',
    ]

    const { findings } = await fuzz({
      port: server.port,
      apiKey: mock.apiKey,
      requests: 1500,
      seed: 2,
      paths: [
        ...paths.map((path) => `/_mock/${path}`),
        ...['keys', 'transactions', 'faults'].map((path) => `${guild}/${path}`),
      ],
      headers: ['authorization: Bearer secret'],
    })

    expect(findings).toEqual([])
    expect((await admin('GET /_mock/guilds', undefined, { authorization: 'Bearer secret' })).status).toBe(200)
  })
})
