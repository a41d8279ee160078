import { createTransactionFactory } from '@guild-ledger/mock-server'
import { sendJson, startTestServer } from '@guild-ledger/test-kit'
import { expect, it, vi } from 'vitest'
import { acknowledge, readFeed, send, startGateway, takeLines } from './gateway-support.ts'
import { inOneForm, ledgerOf, parseLines, startService, temporaryFolder } from './support.ts'

const transaction = createTransactionFactory()
const patient = { timeout: 10_000, interval: 20 }
const now = () => new Date().toISOString()

it('hands on what the service sends, byte for byte, with the key added and nowhere shown', async () => {
  const { mock, guild, env, url: service } = await startService({ users: 2, transactions: 20, rateLimit: 'off' })
  const gateway = await startGateway(env)
  const { platformId = '' } = guild.transactions[0] ?? {}
  guild.fault({
    kind: 'status',
    status: 402,
    query: { from: 'tea' },
    body: '{ "success": false,  "message":  "ünusual" }',
  })
  guild.fault({ kind: 'malformed-json', query: { from: 'cut' } })
  const targets = [
    '/guild/ledger/transactions?limit=3&sortBy=name&sortOrder=asc',
    `/guild/ledger/${platformId}/transactions?limit=2`,
    '/guild/ledger/nobody/transactions',
    '/guild/ledger/transactions?limit=0',
    '/guild/ledger/transactions?from=a&from=b&platformId=%C3%BC%20x',
    '/guild/ledger/transactions?from=tea',
    '/guild/ledger/transactions?from=cut',
    '/guild/discharges',
  ]
  for (const target of targets) {
    const direct = await send(service + target, { 'x-api-key': mock.apiKey })
    const through = await send(gateway.url + target)
    const ofInterest = ({ status, headers, body }: typeof direct) => [target, status, headers['content-type'], body]
    expect(ofInterest(through)).toEqual(ofInterest(direct))
  }
  guild.fault({ kind: 'internal-error', times: 1 })
  expect((await send(`${gateway.url}/guild/ledger/transactions`)).status).toBe(200)
  const metrics = await send(`${gateway.url}/metrics`)
  expect(JSON.stringify([metrics, gateway.errors()])).not.toContain(mock.apiKey)
  expect(metrics.body).toMatch(/^guild_ledger_requests_total\{status="402"\} 1$/m)
  expect(metrics.body).toMatch(/^guild_ledger_queue_seconds_count [1-9]/m)
  expect(metrics.body).toMatch(/^guild_ledger_rate_limited_total 0$/m)
})

it('takes the key out of a response that repeats it, and headers that would let web pages in', async () => {
  const empty = { success: false, message: 'No transactions found for this guild' }
  await using service = await startTestServer(({ headers, url }, response) => {
    const key = String(headers['x-api-key'])
    const headersOfService = { 'x-echo': key, 'set-cookie': 'a=1', 'access-control-allow-origin': '*' }
    sendJson(response, url === '/guild/echo' ? { keys: [key, key] } : empty, 404, headersOfService)
  })
  const gateway = await startGateway({ GUILD_LEDGER_API_KEY: 'secret-key-1', GUILD_LEDGER_BASE_URL: service.url })

  const { headers, body } = await send(`${gateway.url}/guild/echo`)

  expect([headers['x-echo'], body]).toEqual(['[redacted]', '{"keys":["[redacted]","[redacted]"]}'])
  expect([headers['set-cookie'], headers['access-control-allow-origin']]).toEqual([undefined, undefined])
})

it('streams every transaction, and says in the last line how it ended', async () => {
  const { mock, guild, env } = await startService({ users: 5, transactions: 250 })
  const gateway = await startGateway(env)

  const all = parseLines((await send(`${gateway.url}/transactions`)).body)
  expect(all.pop()).toEqual({ ended: 'complete', rows: 250 })
  expect(all.map(inOneForm).toSorted()).toEqual(ledgerOf(mock))

  expect(await send(`${gateway.url}/transactions?form=shop`)).toMatchObject({
    status: 400,
    body: '{"success":false,"message":"Unknown parameter `form`. Did you mean `from`?"}',
  })
  expect(await send(`${gateway.url}/transactions?from=shop&from=quest`)).toMatchObject({
    status: 400,
    body: '{"success":false,"message":"`from` was sent more than once"}',
  })
  guild.fault({ kind: 'status', status: 401, query: { page: '3' } })
  const cut = parseLines((await send(`${gateway.url}/transactions?limit=10`)).body)
  expect(cut).toHaveLength(21)
  expect(cut.at(-1)).toMatchObject({ ended: 'error', code: 'unauthorized' })
})

it('feeds deliver again what was not acknowledged, after a crash of the reader and of the gateway', async () => {
  const { guild, env } = await startService({ transactions: 0 })
  const folder = temporaryFolder()
  guild.add([transaction({ name: 'past', createdAt: '2026-01-31T10:00:00.000Z' })])
  const names = async (url: string, count: number) =>
    (await takeLines(url, count)).map(({ position, transaction: { name } }) => [position, name])

  const first = await startGateway(env, '--state', folder.file('positions'))
  const bot = `${first.url}/feed/bot`
  const reader = readFeed(bot)
  const opened = reader.next()
  const query = { startDate: '2026-01-30T23:59:59.999Z' }
  guild.fault({ kind: 'latency', ms: 500, query })
  const report = names(`${first.url}/feed/report?since=2026-01-31T00:00:00Z`, 2)
  await guild.waitForRequests(1, { query })
  guild.add(
    ['Axe', 'Shield', 'Potion'].map((name, i) =>
      transaction({ name, createdAt: new Date(Date.now() + i).toISOString() }),
    ),
  )
  expect(await opened).toMatchObject({ value: { position: 1, transaction: { name: 'Axe' } } })
  expect(await names(bot, 3)).toEqual([
    [1, 'Axe'],
    [2, 'Shield'],
    [3, 'Potion'],
  ])
  expect(await report).toEqual([
    [1, 'past'],
    [2, 'Axe'],
  ])
  expect(await acknowledge(bot, 1)).toMatchObject({ status: 204 })
  expect(await acknowledge(bot, 4)).toMatchObject({ status: 409 })
  expect(await acknowledge(bot, 'x')).toMatchObject({ status: 409 })
  expect(await acknowledge(`${first.url}/feed/none`, 1)).toMatchObject({ status: 404 })
  expect(await names(bot, 2)).toEqual([
    [2, 'Shield'],
    [3, 'Potion'],
  ])
  expect(await names(`${first.url}/feed/report`, 4)).toEqual([
    [1, 'past'],
    [2, 'Axe'],
    [3, 'Shield'],
    [4, 'Potion'],
  ])
  first.child.kill('SIGKILL')
  await first.exited
  guild.add([transaction({ name: 'meanwhile', createdAt: now() })])

  const second = await startGateway(env, '--state', folder.file('positions'))
  expect(await names(`${second.url}/feed/bot`, 3)).toEqual([
    [2, 'Shield'],
    [3, 'Potion'],
    [4, 'meanwhile'],
  ])
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
  const closed = await startGateway(
    { ...env, N8N_TOKEN: token, BOT_TOKEN: 'another' },
    '--token',
    'n8n=N8N_TOKEN',
    '--token',
    'bot=BOT_TOKEN',
  )
  const list = '/guild/ledger/transactions'
  const statusOf = async (url: string, headers: Record<string, string> = {}) => (await send(url, headers)).status
  const port = new URL(open.url).port

  await vi.waitFor(async () => expect(await statusOf(`${open.url}/health`)).toBe(200), patient)
  expect(await statusOf(open.url + list, { host: 'evil.example' })).toBe(403)
  expect(await statusOf(open.url + list, { host: `localhost:${port}` })).toBe(200)
  expect(await statusOf(open.url + list, { host: `bot.localhost:${port}` })).toBe(200)
  expect(await statusOf(open.url + list, { origin: 'https://evil.example' })).toBe(403)
  expect(await statusOf(open.url + list, { origin: 'null' })).toBe(403)

  for (const path of [list, '/transactions', '/feed/x', '/metrics', '/other'])
    expect([path, await statusOf(closed.url + path)]).toEqual([path, 401])
  expect(await statusOf(`${closed.url}/health`)).not.toBe(401)
  expect(await statusOf(closed.url + list, { authorization: `Bearer ${token}` })).toBe(200)
  expect(await statusOf(closed.url + list, { authorization: 'Bearer another' })).toBe(200)
  expect(await statusOf(closed.url + list, { 'x-api-key': token })).toBe(200)
  expect(await statusOf(closed.url + list, { 'x-api-key': `${token}x` })).toBe(401)
  expect(await statusOf(closed.url + list, { 'x-api-key': env.GUILD_LEDGER_API_KEY })).toBe(401)
})
