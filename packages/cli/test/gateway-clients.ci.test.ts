import { createTransactionFactory } from '@guild-ledger/mock-server'
import { expect, it, vi } from 'vitest'
import { acknowledge, readFeed, send, startGateway, takeLines } from './gateway-support.ts'
import { startService, temporaryFolder } from './support.ts'

const transaction = createTransactionFactory()

it('feeds deliver again what was not acknowledged, after a crash of the reader and of the gateway', async () => {
  const { guild, env } = await startService({ transactions: 0 })
  const folder = temporaryFolder()
  guild.add([transaction({ name: 'past', createdAt: '2026-01-31T10:00:00.000Z' })])
  const names = async (url: string, count: number) =>
    (await takeLines(url, count)).map(({ position, transaction: { name } }) => `${position} ${name}`)

  const first = await startGateway(env, '--state', folder.file('positions'))
  const bot = `${first.url}/feed/bot`
  const reader = readFeed(bot)
  const opened = reader.next()
  const query = { startDate: '2026-01-30T23:59:59.999Z' }
  guild.fault({ kind: 'latency', ms: 500, query })
  const report = names(`${first.url}/feed/report?since=2026-01-31T00:00:00Z`, 2)
  await guild.waitForRequests(1, { query })
  guild.add(
    ['Axe', 'Shield', 'Cut \ud83d'].map((name, i) =>
      transaction({ name, createdAt: new Date(Date.now() + i).toISOString() }),
    ),
  )
  expect(await opened).toMatchObject({ value: { position: 1, transaction: { name: 'Axe' } } })
  expect(await names(bot, 3)).toEqual(['1 Axe', '2 Shield', '3 Cut \ufffd'])
  expect(await report).toEqual(['1 past', '2 Axe'])
  expect(await acknowledge(bot, 1)).toMatchObject({ status: 204 })
  expect(await acknowledge(bot, 4)).toMatchObject({ status: 409 })
  expect(await acknowledge(bot, 'x')).toMatchObject({ status: 409 })
  expect(await send(`${bot}/ack`, {}, 'POST', 'no JSON')).toMatchObject({ status: 400 })
  expect(await acknowledge(`${first.url}/feed/none`, 1)).toMatchObject({ status: 404 })
  expect(await names(bot, 2)).toEqual(['2 Shield', '3 Cut \ufffd'])
  expect(await names(`${first.url}/feed/report`, 4)).toEqual(['1 past', '2 Axe', '3 Shield', '4 Cut \ufffd'])
  first.child.kill('SIGKILL')
  await first.exited
  guild.add([transaction({ name: 'meanwhile', createdAt: new Date().toISOString() })])

  const second = await startGateway(env, '--state', folder.file('positions'))
  expect(await names(`${second.url}/feed/bot`, 3)).toEqual(['2 Shield', '3 Cut \ufffd', '4 meanwhile'])
  const { body: metrics } = await send(`${second.url}/metrics`)
  expect(metrics).toMatch(/^guild_ledger_feed_lateness_seconds_bucket\{le="60"\} 1$/m)
  await expect(startGateway(env, '--state', folder.file('positions'))).rejects.toThrow('in use by another gateway')
  expect(await send(`${second.url}/feed/bot`, {}, 'DELETE')).toMatchObject({ status: 204 })
  expect(await acknowledge(`${second.url}/feed/bot`, 2)).toMatchObject({ status: 404 })
  expect(await send(`${second.url}/feed/x?since=yesterday`)).toMatchObject({ status: 400 })
  second.child.kill('SIGKILL')
  await second.exited
  const other = { ...env, GUILD_LEDGER_BASE_URL: `${env.GUILD_LEDGER_BASE_URL}/v2` }
  const third = await startGateway(other, '--state', folder.file('positions'))
  expect(await third.exited).toMatchObject({ code: 2 })
  expect(third.errors()).toContain('give each its own folder')
})

it('asks for a token everywhere but for its health, and lets no web page in', async () => {
  const { env } = await startService({ transactions: 5 })
  const token = 'a-token-of-n8n'
  const open = await startGateway(env)
  const tokens = '--token n8n=N8N_TOKEN --token bot=BOT_TOKEN'.split(' ')
  const closed = await startGateway({ ...env, N8N_TOKEN: token, BOT_TOKEN: 'another' }, ...tokens)
  const list = '/guild/ledger/transactions'
  const statusOf = async (url: string, headers: Record<string, string> = {}) => (await send(url, headers)).status
  const port = new URL(open.url).port

  await vi.waitFor(async () => expect(await statusOf(`${open.url}/health`)).toBe(200), { timeout: 10_000 })
  for (const host of [`localhost:${port}`, 'bot.localhost.', `[::ffff:127.0.0.1]:${port}`, ''])
    // '' is the check of haproxy
    expect([host, await statusOf(open.url + list, { host })]).toEqual([host, 200])
  for (const headers of [{ host: 'evil.example' }, { origin: 'https://evil.example' }, { origin: 'null' }])
    expect([headers, await statusOf(open.url + list, headers)]).toEqual([headers, 403])
  expect(await statusOf(closed.url + list, { host: 'ledger.example', 'x-api-key': token })).toBe(200) // of a proxy

  for (const path of [list, '/transactions', '/feed/x', '/metrics', '/other'])
    expect([path, await statusOf(closed.url + path)]).toEqual([path, 401])
  expect(await statusOf(`${closed.url}/health`)).not.toBe(401)
  for (const authorization of [`Bearer ${token}`, 'bearer another'])
    expect(await statusOf(closed.url + list, { authorization })).toBe(200)
  expect(await statusOf(closed.url + list, { 'x-api-key': token })).toBe(200)
  for (const key of [`${token}x`, env.GUILD_LEDGER_API_KEY])
    expect(await statusOf(closed.url + list, { 'x-api-key': key })).toBe(401)
})
