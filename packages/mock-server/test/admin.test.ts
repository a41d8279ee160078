import { createMockLedger } from '@guild-ledger/mock-server'
import { createAdmin } from '@guild-ledger/mock-server/admin'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { entry } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'
import { startAdmin } from './admin-server.ts'
import { sendRequest } from './raw-http.ts'

const idOf = (n: number) => `0000000${n}-0000-4000-8000-000000000000`
const transaction = entry(1, { transactionId: idOf(1) })
const guild = '/_mock/guilds/guild-1'

it('the admin API creates, lists and changes a guild', async () => {
  const { admin, total, service } = await startAdmin()

  const created = await admin('POST /_mock/guilds', { users: 1, transactions: 3, assumptions: { pageUnit: 'group' } })
  const { id, apiKey, ...shown } = created.body as { id: string; apiKey: string }

  expect([created.status, id]).toEqual([201, 'guild-2'])
  expect(shown).toMatchObject({ subscription: 'developer', rateLimit: 10, keys: 1, transactions: 3 })
  expect(shown).toMatchObject({ assumptions: { pageUnit: 'group' } })
  expect((await admin('GET /_mock/guilds')).body).toMatchObject([{ id: 'guild-1' }, { id: 'guild-2' }])
  expect(await total(apiKey)).toBe(1)
  const changed = await admin('PATCH /_mock/guilds/guild-2', { subscription: 'none', rateLimit: 3 })
  expect(changed.body).toMatchObject({ subscription: 'none', rateLimit: 3 })
  expect((await service(apiKey)).status).toBe(401)
  expect((await admin('GET /_mock/guilds/guild-2')).body).not.toHaveProperty('apiKey')
})

it('the admin API shows the value of a key once, lists keys without values, and deletes them', async () => {
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

it('the admin API creates, lists and deletes keys that are bound to no guild', async () => {
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

it.each([
  [{ assumptions: { pageUnit: 'group' }, rateLimit: 0 }],
  [{ assumptions: { pageUnit: 'group' }, subscription: 'gold' }],
  [{ assumptions: { pageUnit: 'group', pageUnits: 1 }, rateLimit: 1, subscription: 'none' }],
])('PATCH of a guild with the partly invalid body %j changes nothing', async (changes) => {
  const { admin } = await startAdmin()
  const before = await admin(`GET ${guild}`)

  expect((await admin(`PATCH ${guild}`, changes)).status).toBe(400)
  expect((await admin(`GET ${guild}`)).body).toEqual(before.body)
})

it('the admin API adds, loads, schedules, lists and removes transactions', async () => {
  const { admin, total } = await startAdmin()

  const added = await admin(`POST ${guild}/transactions`, [transaction])
  const loaded = await admin(`POST ${guild}/transactions/load`, { ...transaction, transactionId: idOf(2) })
  const late = { transactions: [{ ...transaction, transactionId: idOf(3) }], afterRequests: 1 }
  const scheduled = await admin(`POST ${guild}/transactions/schedule`, late)

  expect([added.status, loaded.body, scheduled.status]).toEqual([201, { loaded: 1 }, 201])
  expect([added.body, scheduled.body]).toEqual([[transaction], { scheduled: 1 }])
  expect([await total(), await total()]).toEqual([7, 8])
  expect((await admin(`GET ${guild}/transactions`)).body).toHaveLength(8)
  expect((await admin(`DELETE ${guild}/transactions`, { transactionIds: [idOf(1), idOf(2)] })).status).toBe(204)
  expect(await total()).toBe(6)
})

it('the admin API lists faults with how often they happened', async () => {
  const { admin, service } = await startAdmin()
  await admin(`POST ${guild}/faults`, { kind: 'status', status: 503, times: 3, after: 1 })
  for (let i = 0; i < 3; i++) await service()

  expect((await admin(`GET ${guild}/faults`)).body).toEqual([
    { fault: { kind: 'status', status: 503, times: 3, after: 1 }, happened: 2, left: 1, waits: 0 },
  ])
})

it('the admin API freezes, advances, resumes and resets the clock', async () => {
  const { admin } = await startAdmin()

  expect((await admin('GET /_mock/clock')).body).toEqual({ now: '2026-03-01T00:00:00.000Z', frozen: false })
  const frozen = { now: '2026-05-01T00:00:00.000Z', frozen: true }
  expect((await admin('POST /_mock/clock/freeze', { at: '2026-05-01T00:00:00Z' })).body).toEqual(frozen)
  const later = { now: '2026-05-01T00:00:01.000Z', frozen: true }
  expect((await admin('POST /_mock/clock/advance', { ms: 1000 })).body).toEqual(later)
  expect((await admin('POST /_mock/clock/resume')).body).toEqual({ ...later, frozen: false })
  expect((await admin('POST /_mock/clock/reset')).body).toEqual({ now: '2026-03-01T00:00:00.000Z', frozen: false })
})

it('the admin API lists and audits requests of the service, but not its own', async () => {
  const { admin, service, mock } = await startAdmin()
  for (let i = 0; i < 30; i++) await admin('GET /_mock/guilds')
  await service()

  const requests = await admin(`GET ${guild}/requests`)
  const audit = await admin(`GET ${guild}/audit`)

  expect(requests.body).toMatchObject([{ endpoint: 'guild', status: 200, keyId: 'key-1' }])
  expect(audit.body).toMatchObject([{ keyId: 'key-1', requests: 1, mostInOneSecond: 1 }])
  expect((await admin('GET /_mock/requests')).body).toHaveLength(1)
  expect(mock.requests).toHaveLength(1)
})

it('the admin API restores a snapshot, and resets to the initial state', async () => {
  const { admin, total } = await startAdmin()
  await admin(`POST ${guild}/transactions`, [transaction])
  const { id: snapshot } = (await admin('POST /_mock/snapshots')).body as { id: string }
  await admin(`DELETE ${guild}/transactions`, { transactionIds: [idOf(1)] })
  await admin('POST /_mock/guilds')

  const restored = await admin(`POST /_mock/snapshots/${snapshot}/restore`)

  expect([restored.status, await total()]).toEqual([204, 6])
  expect((await admin('GET /_mock/guilds')).body).toHaveLength(1)
  expect((await admin('POST /_mock/reset')).status).toBe(204)
  expect(await total()).toBe(5)
})

it('the admin API serves the assumptions and the OpenAPI description', async () => {
  const { admin } = await startAdmin()

  expect((await admin('GET /_mock/assumptions')).body).toHaveProperty('pageUnit.question')
  expect((await admin('GET /_mock/openapi.json')).body).toMatchObject({ info: { version: '1.0.0' } })
})

it('with a token, requests without it or with another one are a 401', async () => {
  const { admin } = await startAdmin({ token: 'secret' })

  const without = await admin('GET /_mock/guilds')
  const wrong = await admin('GET /_mock/guilds', undefined, { authorization: 'Bearer secre' })
  const longer = await admin('GET /_mock/guilds', undefined, { authorization: 'Bearer secrets' })
  const right = await admin('GET /_mock/guilds', undefined, { authorization: 'Bearer secret', host: 'mock.test' })

  expect([without.status, wrong.status, longer.status, right.status]).toEqual([401, 401, 401, 200])
  expect(without.headers['www-authenticate']).toBe('Bearer')
  expect(JSON.stringify([without.body, wrong.body])).not.toContain('secret')
})

it.each([
  ['to a host name that is not loopback', { host: 'evil.test' }],
  ['of a web page of another origin', { origin: 'https://evil.test' }],
  ['of a web page of another origin without TLS', { origin: 'http://evil.test' }],
  ['of a web page of another port', { origin: 'http://127.0.0.1:1' }],
  ['of a web page without an origin', { origin: 'null' }],
])('without a token, a request %s is a 403 and changes nothing', async (_case, headers) => {
  const { admin, mock } = await startAdmin()
  mock.guild.add([transaction])

  const { status, body } = await admin('POST /_mock/reset', undefined, headers)

  expect([status, mock.guild.transactions.length]).toEqual([403, 6])
  expect(body).toMatchObject({ success: false })
  expect((await admin('GET /_mock/', undefined, headers)).status).toBe(403)
})

it('a server without an admin API responds with a 404 under /_mock/', async () => {
  const mock = createMockLedger({ transactions: 0 })
  await using server = await startMockServer({ mock })

  expect((await sendRequest(server, '/_mock/guilds')).status).toBe(404)
})

it.each<[string, unknown, number, RegExp]>([
  ['GET /_mock/nothing', undefined, 404, /no path "\/_mock\/nothing"/],
  ['GET /_mock/guilds/guild-9', undefined, 404, /no guild "guild-9"/],
  ['GET /_mock/guilds/a%20b', undefined, 404, /no guild "a b"/],
  ['GET /_mock/guilds/%ff', undefined, 400, /"%ff" in the path is not valid percent-encoding/],
  ['PUT /_mock/guilds', {}, 405, /supports GET, HEAD, POST, not PUT/],
  ['POST /_mock/guilds', '{', 400, /The body must be JSON, got "\{"/],
  ['POST /_mock/guilds', '{"__proto__":1}', 400, /^Unknown field `__proto__`\. Known fields: `users`, /],
  ['POST /_mock/reset', { all: true }, 400, /^Unknown field `all`\. Known fields: none\.$/],
  ['POST /_mock/guilds', { user: 1 }, 400, /Unknown field `user`. Did you mean `users`\?/],
  [`PATCH ${guild}`, { subscription: 'gold' }, 400, /`subscription` must be one of/],
  [`DELETE ${guild}/keys/key-9`, undefined, 404, /no key "key-9"/],
  ['DELETE /_mock/keys/key-1', undefined, 404, /no key "key-1"/],
  [`POST ${guild}/transactions`, { a: 1 }, 400, /`body` must be an array, got an object with 1 field/],
  [`DELETE ${guild}/transactions`, {}, 400, /`transactionIds` must be an array, got undefined/],
  [`POST ${guild}/transactions/schedule`, { transactions: [] }, 400, /at, afterMs, afterRequests/],
  [`POST ${guild}/requests/expect`, { count: 1, atLeast: 1 }, 400, /`count` must not be given together with/],
  [`POST ${guild}/requests/expect-in-order`, {}, 400, /`matchers` must be an array, got undefined/],
  [`POST ${guild}/requests/wait`, {}, 400, /`count` must be an integer ≥ 1, got undefined/],
  ['POST /_mock/stubs', { status: 200 }, 400, /`path` must be a path such as \/guild\/discharges/],
  ['POST /_mock/guilds/guild-9/reset', undefined, 404, /no guild "guild-9"/],
  ['POST /_mock/health', undefined, 405, /supports GET, HEAD, not POST/],
  ['POST /_mock/clock/advance', {}, 400, /`ms` must be an integer ≥ 0/],
])('the admin API responds to %s %j with %d and a message', async (call, given, status, message) => {
  const { admin } = await startAdmin()

  const response = await admin(call, given)

  expect(response.status).toBe(status)
  expect(response.body).toEqual({ success: false, message: expect.stringMatching(message) as string })
  expect(JSON.stringify(response.body)).not.toMatch(/Cannot read|is not a function|undefined \(|Invalid time/)
})

it('operations on the clock are a 409 if the admin API was created without a clock', async () => {
  const mock = createMockLedger({ transactions: 0 })
  await using server = await startMockServer({ mock, routes: createAdmin(mock) })

  expect((await sendRequest(server, '/_mock/clock')).status).toBe(409)
})
