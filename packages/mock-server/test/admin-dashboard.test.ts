import { expect, it } from 'vitest'
import { startAdmin } from './admin-server.ts'
import { sendRequest } from './raw-http.ts'

it('the dashboard is served at /_mock/ for GET and HEAD, and its requests are not logged', async () => {
  const { server, mock } = await startAdmin()

  const page = await sendRequest(server, '/_mock/')
  const head = await sendRequest(server, '/_mock/', {}, 'HEAD')
  const bare = await sendRequest(server, '/_mock')

  expect([page.status, head.status, bare.status]).toEqual([200, 200, 308])
  expect(page.body.toString()).toMatch(/^<!doctype html>/)
  expect(head.body).toHaveLength(0)
  expect(head.headers['content-length']).toBe(String(page.body.length))
  expect(bare.headers.location).toBe('/_mock/')
  expect(mock.requests).toEqual([])
})

it('the dashboard is served without the token, so that it can be entered there, and has no data, key or token', async () => {
  const { server, mock } = await startAdmin({ token: 'very-secret-token' })
  const { id, apiKey, keys, transactions } = mock.guild

  const { status, body } = await sendRequest(server, '/_mock/')

  expect([status, (await sendRequest(server, '/_mock/guilds')).status]).toEqual([200, 401])
  const data = [id, apiKey, 'very-secret-token', ...[...keys, ...transactions].map(({ name }) => name)]
  expect(data.filter((datum) => body.includes(datum))).toEqual([])
})
