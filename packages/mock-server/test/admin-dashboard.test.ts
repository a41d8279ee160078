import { createMockLedger } from '@guild-ledger/mock-server'
import { createAdmin, type AdminOptions } from '@guild-ledger/mock-server/admin'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { expect, it, onTestFinished } from 'vitest'
import { sendRequest } from './raw-http.ts'

const start = async (options: AdminOptions = {}) => {
  const mock = createMockLedger({ transactions: 5, users: 2, apiKey: 'very-secret-key' })
  mock.guild.createKey({ name: 'very own name', scopes: [], expiresAt: '2999-01-01' })
  const server = await startMockServer({ mock, routes: createAdmin(mock, options) })
  onTestFinished(() => server.close())
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    sendRequest(server, path, { host: `127.0.0.1:${server.port}`, ...headers }, method)
  return { mock, get }
}

it('the dashboard is served at /_mock/ for GET and HEAD, and its requests are not logged', async () => {
  const { get, mock } = await start()

  const [page, head, bare] = [await get('/_mock/'), await get('/_mock/', {}, 'HEAD'), await get('/_mock')]

  expect([page.status, head.status, bare.status]).toEqual([200, 200, 308])
  expect(page.body.toString()).toMatch(/^<!doctype html>/)
  expect(head.body).toHaveLength(0)
  expect(head.headers['content-length']).toBe(String(page.body.length))
  expect(bare.headers.location).toBe('/_mock/')
  expect(mock.requests).toEqual([])
})

it('the HTML of the dashboard contains no data, key or token', async () => {
  const { get, mock } = await start({ token: 'very-secret-token' })

  const text = (await get('/_mock/')).body.toString()

  for (const datum of [
    mock.guild.id,
    'very-secret',
    'very own name',
    ...mock.guild.transactions.map(({ name }) => name),
  ])
    expect(text).not.toContain(datum)
})

it('the dashboard is served without the token, so that it can be entered there, but the data is not', async () => {
  const { get } = await start({ token: 'secret' })

  expect([(await get('/_mock/')).status, (await get('/_mock/guilds')).status]).toEqual([200, 401])
})

it('the dashboard is a 403 for a host name that is not loopback, if there is no token', async () => {
  const { get } = await start()

  const { status, body } = await get('/_mock/', { host: 'evil.test' })

  expect([status, JSON.parse(body.toString())]).toMatchObject([403, { success: false }])
})
