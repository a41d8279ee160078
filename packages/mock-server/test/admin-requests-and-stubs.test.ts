import { createMockLedger } from '@guild-ledger/mock-server'
import { createAdmin } from '@guild-ledger/mock-server/admin'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { expect, it, vi } from 'vitest'
import { startAdmin } from './admin-server.ts'
import { sendRequest } from './raw-http.ts'

const guild = '/_mock/guilds/guild-1'

it('POST requests/wait responds once there are as many requests, with these, and their responses are listed', async () => {
  const { admin, service, mock } = await startAdmin()
  await service('mistyped')

  const waiting = admin(`POST ${guild}/requests/wait`, { count: 1, endpoint: 'guild', timeoutMs: 60_000 })
  const waitingForAll = admin('POST /_mock/requests/wait', { count: 2 })
  await service()

  expect(await waiting).toMatchObject({ status: 200, body: [{ keyId: 'key-1' }] })
  expect(await waitingForAll).toMatchObject({ status: 200, body: [{ keyId: null }, { keyId: 'key-1' }] })
  expect((await admin('GET /_mock/responses')).body).toMatchObject([
    { request: mock.requests[0], headers: {}, body: expect.stringContaining('invalid API key') },
    { request: mock.requests[1], headers: {}, body: expect.stringContaining('"success":true') },
  ])
})

it('POST requests/wait is a 409 after its time-out, with a report', async () => {
  const { admin, service } = await startAdmin()
  await service()

  const late = await admin(`POST ${guild}/requests/wait`, { count: 2, status: 200, timeoutMs: 1 })

  expect(late.status).toBe(409)
  expect(late.body).toMatchObject({
    message: expect.stringMatching(/^expected at least 2 requests with status 200, got 1:[^]*waited 1 ms$/),
  })
})

it('POST requests/expect takes a range, and expect-in-order an order, for a guild and for the mock', async () => {
  const { admin, service } = await startAdmin()
  await service()
  await service('mistyped')

  const matchers = [{ status: 200 }, { status: 401 }]
  const calls = [
    admin(`POST ${guild}/requests/expect`, { atLeast: 1, atMost: 2 }),
    admin(`POST ${guild}/requests/expect`, { atLeast: 2 }),
    admin('POST /_mock/requests/expect', { count: 2, endpoint: 'guild' }),
    admin('POST /_mock/requests/expect', { atMost: 0, status: 401 }),
    admin('POST /_mock/requests/expect-in-order', { matchers }),
    admin('POST /_mock/requests/expect-in-order', { matchers: matchers.toReversed() }),
    admin(`POST ${guild}/requests/expect-in-order`, { matchers }),
  ]

  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([204, 409, 204, 409, 204, 409, 409])
})

it('the admin API sets, lists and clears stubs', async () => {
  const { admin, server, mock } = await startAdmin()
  const stub = { path: '/guild/unlisted', status: 202, body: [1], headers: { 'x-more': 'yes' } }

  const added = await admin('POST /_mock/stubs', stub)
  const response = await sendRequest(server, '/guild/unlisted', { 'x-api-key': mock.apiKey })

  expect(added).toMatchObject({ status: 201, body: stub })
  expect((await admin('GET /_mock/stubs')).body).toEqual([stub])
  expect([response.status, response.body.toString(), response.headers['x-more']]).toEqual([202, '[1]', 'yes'])
  expect((await admin('DELETE /_mock/stubs')).status).toBe(204)
  expect((await sendRequest(server, '/guild/unlisted', { 'x-api-key': mock.apiKey })).status).toBe(404)
})

it('the admin API resets and removes one guild', async () => {
  const { admin, mock, service } = await startAdmin()
  const other = mock.createGuild({ transactions: 2 })
  other.subscription = 'none'
  mock.guild.subscription = 'none'

  expect((await admin(`POST /_mock/guilds/${other.id}/reset`)).status).toBe(204)
  expect([other.subscription, mock.guild.subscription]).toEqual(['developer', 'none'])
  expect((await admin(`DELETE /_mock/guilds/${other.id}`)).status).toBe(204)
  expect((await service(other.apiKey)).status).toBe(401)
  expect(await admin(`DELETE ${guild}`)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('POST /_mock/guilds/guild-1/reset') },
  })
})

it('the health check needs no token and no loopback host', async () => {
  const { admin } = await startAdmin({ token: 'secret' })

  expect(await admin('GET /_mock/health?x=1', undefined, { host: 'mock.test' })).toMatchObject({
    status: 200,
    body: { status: 'ready' },
  })
})

it('an internal failure of the admin API is a 500 that names its cause', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const mock = createMockLedger({ transactions: 1 })
  mock.snapshot = () => {
    throw new RangeError('out of memory')
  }
  await using server = await startMockServer({ mock, routes: createAdmin(mock) })

  const response = await fetch(`${server.url}/_mock/snapshots`, { method: 'POST' })

  expect(response.status).toBe(500)
  expect(await response.json()).toEqual({
    success: false,
    message: 'The mock itself failed, this is no response of the service. RangeError: out of memory',
  })
  expect(logged).toHaveBeenCalledOnce()
  logged.mockRestore()
})
