import { once } from 'node:events'
import { expect, it } from 'vitest'
import { fileWith, list, runToExit, serveHere, startJson } from './cli-process.ts'

it('the command line serves an admin API on loopback, with the clock of the service', async () => {
  const { ready, get } = await serveHere('--rate-limit', '1')
  const post = (path: string, body: object) =>
    fetch(`${ready.url}/_mock/${path}`, { method: 'POST', body: JSON.stringify(body) })
  await post('clock/freeze', {})

  const within = [(await get(list)).status, (await get(list)).status]
  await post('clock/advance', { ms: 1001 })

  expect([...within, (await get(list)).status]).toEqual([200, 429, 200])
})

/** A request whose response would come in an hour. */
const startLateResponse = async ({ url, apiKey }: { url: string; apiKey: string }) => {
  const fault = { method: 'POST', body: JSON.stringify({ kind: 'latency', ms: 3_600_000 }) }
  await fetch(`${url}/_mock/guilds/guild-1/faults`, fault)
  const response = fetch(url + list, { headers: { 'x-api-key': apiKey } }).catch(() => 'broken')
  await expect.poll(async () => (await fetch(`${url}/_mock/requests`)).text()).toContain('"guild"')
  return { response }
}

it('the command line requires the token of --admin-token', async () => {
  const { ready } = await serveHere('--admin-token', 'secret')

  const without = await fetch(`${ready.url}/_mock/guilds`)
  const withToken = await fetch(`${ready.url}/_mock/guilds`, { headers: { authorization: 'Bearer secret' } })

  expect([without.status, withToken.status]).toEqual([401, 200])
})

it('the command line exits with code 0 while a response is an hour late and nobody reads its log', async () => {
  const { ready, child } = await startJson('--log', '--rate-limit', 'off')
  child.stderr.pause()
  const send = async () => (await fetch(`${ready.url}/x?${'x'.repeat(300)}`)).text()
  for (let i = 0; i < 12; i++) await Promise.all(Array.from({ length: 50 }, send))
  const late = await startLateResponse(ready)

  child.kill('SIGTERM')
  const [code] = (await once(child, 'exit')) as [number]

  expect([code, await late.response]).toEqual([0, 'broken'])
})

it('the command line exits at once when it is interrupted a second time', async () => {
  const { ready, child } = await startJson()
  const late = await startLateResponse(ready)

  child.kill('SIGINT')
  await expect.poll(async () => fetch(ready.url).catch(() => 'no server')).toBe('no server')
  child.kill('SIGINT')
  const [code, signal] = (await once(child, 'exit')) as [number | null, string]

  expect([code, signal, await late.response]).toEqual([null, 'SIGINT', 'broken'])
})

it('the command line starts with a set-up file, to which a reset goes back', async () => {
  const keys = [{ name: 'bot', scopes: [], expiresAt: '2001-01-01', value: 'old' }]
  const setUp = {
    guild: { assumptions: { invalidParameterStatus: 422 }, faults: [{ kind: 'status', status: 503, times: 1 }] },
    guilds: [{ transactions: 2, apiKey: 'second', keys }],
  }
  const { ready, get } = await serveHere('--setup', fileWith(JSON.stringify(setUp)))

  expect(ready).toMatchObject({
    guilds: [
      { id: 'guild-1', keys: [] },
      { apiKey: 'second', keys: [{ name: 'bot', value: 'old' }] },
    ],
  })
  expect([(await get(list)).status, (await get(`${list}?page=0`)).status]).toEqual([503, 422])
  await fetch(`${ready.url}/_mock/guilds/guild-1/reset`, { method: 'POST' })
  expect((await get(list)).status).toBe(503)
  await fetch(`${ready.url}/_mock/guilds/guild-2`, { method: 'DELETE' })
  await fetch(`${ready.url}/_mock/reset`, { method: 'POST' })
  expect((await fetch(ready.url + list, { headers: { 'x-api-key': 'second' } })).status).toBe(200)
  expect(await (await fetch(`${ready.url}/_mock/health`)).json()).toEqual({ status: 'ready' })
})

it('--exit-with-parent ends the server when stdin ends', async () => {
  const { child, errors } = await startJson('--exit-with-parent')

  child.stdin.end()
  const [code] = (await once(child, 'exit')) as [number]

  expect([code, errors()]).toEqual([0, 'guild-ledger-mock: stdin has ended, stopping\n'])
})

it('--exit-with-parent does not keep a process that could not start', async () => {
  const { code, err } = await runToExit('--port', '0', '--exit-with-parent', '--data', '/no/such.ndjson')

  expect(code).toBe(2)
  expect(err).toContain('--data /no/such.ndjson: there is no such file')
})
