import { once } from 'node:events'
import { expect, it, vi } from 'vitest'
import { list, startedJson } from './cli-process.ts'

// Each test starts a process; on a busy machine that alone may take seconds.
vi.setConfig({ testTimeout: 30_000 })

it('has an admin API on loopback, whose clock the service goes by', async () => {
  const { ready, get } = await startedJson('--rate-limit', '1')
  const post = (path: string, body: object) =>
    fetch(`${ready.url}/_mock/${path}`, { method: 'POST', body: JSON.stringify(body) })
  await post('clock/freeze', {})

  const within = [(await get(list)).status, (await get(list)).status]
  await post('clock/advance', { ms: 1001 })

  expect([...within, (await get(list)).status]).toEqual([200, 429, 200])
})

it('asks for the token it was given', async () => {
  const { ready } = await startedJson('--admin-token', 'secret')

  const without = await fetch(`${ready.url}/_mock/guilds`)
  const withIt = await fetch(`${ready.url}/_mock/guilds`, { headers: { authorization: 'Bearer secret' } })

  expect([without.status, withIt.status]).toEqual([401, 200])
})

it('ends with exit code 0 though a reply is an hour away', async () => {
  const { ready, child } = await startedJson()
  const fault = { method: 'POST', body: JSON.stringify({ kind: 'latency', ms: 3_600_000 }) }
  await fetch(`${ready.url}/_mock/guilds/guild-1/faults`, fault)
  const late = fetch(ready.url + list, { headers: { 'x-api-key': ready.apiKey } }).catch(() => 'broken')
  await expect.poll(async () => (await fetch(`${ready.url}/_mock/requests`)).text()).toContain('guild')

  child.kill('SIGTERM')
  const [code] = (await once(child, 'exit')) as [number]

  expect([code, await late]).toEqual([0, 'broken'])
})

it('lets a reply finish that is under way, and frees its port at once', async () => {
  const { ready, child, get } = await startedJson()
  await fetch(`${ready.url}/_mock/guilds/guild-1/faults`, {
    method: 'POST',
    body: JSON.stringify({ kind: 'latency', ms: 300 }),
  })
  const slow = get(list)
  await expect.poll(async () => (await fetch(`${ready.url}/_mock/requests`)).text()).toContain('guild')

  child.kill('SIGINT')
  const [code] = (await once(child, 'exit')) as [number]

  expect([code, (await slow).status]).toEqual([0, 200])
})

it('ends at once when it is interrupted a second time', async () => {
  const { ready, child } = await startedJson()
  const fault = { method: 'POST', body: JSON.stringify({ kind: 'latency', ms: 3_600_000 }) }
  await fetch(`${ready.url}/_mock/guilds/guild-1/faults`, fault)
  const late = fetch(ready.url + list, { headers: { 'x-api-key': ready.apiKey } }).catch(() => 'broken')
  await expect.poll(async () => (await fetch(`${ready.url}/_mock/requests`)).text()).toContain('guild')

  child.kill('SIGINT')
  await expect.poll(async () => fetch(ready.url).catch(() => 'refused')).toBe('refused')
  child.kill('SIGINT')
  const [code, signal] = (await once(child, 'exit')) as [number | null, string]

  expect([code, signal, await late]).toEqual([null, 'SIGINT', 'broken'])
})

it('ends though nobody reads its log', async () => {
  const { ready, child } = await startedJson('--log', '--rate-limit', 'off')
  child.stderr.pause()
  const ask = async () => (await fetch(`${ready.url}/x?${'x'.repeat(8000)}`)).text()
  for (let i = 0; i < 20; i++) await Promise.all(Array.from({ length: 50 }, ask))

  child.kill('SIGTERM')

  expect(await once(child, 'exit')).toEqual([0, null])
})
