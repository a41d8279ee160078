import { once } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { fileWith, list, ndjson, outcome, rows, started, startedJson } from './cli-process.ts'

// Each test starts a process; on a busy machine that alone may take seconds.
vi.setConfig({ testTimeout: 30_000 })

describe('serving', () => {
  it('says where it listens, and with what to ask', async () => {
    const { out } = await started(6, '--port', '0')
    const [, url = ''] = /^guild-ledger mock listening on (http:\/\/127\.0\.0\.1:\d+)\n/.exec(out) ?? []

    expect(out).toContain('guild-ledger-mock-key')
    expect(out).toContain('1000 transactions of 50 users in guild-1')
    expect(out).toContain(`curl -H 'x-api-key: guild-ledger-mock-key' '${url}/guild/ledger/transactions?limit=3'`)
    expect(out).toContain(`${url}/_mock/#key=guild-ledger-mock-key\n`)
    expect((await fetch(url + list, { headers: { 'x-api-key': 'guild-ledger-mock-key' } })).status).toBe(200)
  })

  it('lets web pages ask with --cors', async () => {
    const { ready } = await startedJson('--cors')

    const { status, headers } = await fetch(ready.url + list, { method: 'OPTIONS' })

    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, '*'])
  })

  it('says it in one line of JSON', async () => {
    const { ready, get } = await startedJson('--users', '2', '--transactions', '7', '--seed', '5')

    expect(ready).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
      apiKey: 'guild-ledger-mock-key',
      guildId: 'guild-1',
    })
    expect((await get(list)).body).toMatchObject({ pagination: { total: 7 }, summary: { uniqueUsers: 2 } })
  })

  it('takes a key, assumptions and rows of your own', async () => {
    const assumptions = fileWith('{ "pageUnit": "group", "maxPage": 3 }')
    const { ready, get } = await startedJson(
      '--api-key',
      'my-key',
      '--data',
      fileWith(ndjson),
      '--assumptions',
      assumptions,
      '--assume',
      'maxPage=1',
      '--assume',
      'createdAtFormat=seconds',
    )

    const { body } = await get(list)

    expect(ready.apiKey).toBe('my-key')
    expect(body.pagination.total).toBe(new Set(rows.map((row) => row.platformId)).size)
    expect(JSON.stringify(body)).toContain(`"${rows[0]?.createdAt.slice(0, 19)}Z"`)
    expect((await get(`${list}?page=2`)).status).toBe(400)
  })

  it('takes rows from a reply that was printed nicely', async () => {
    const [row] = rows
    const { platformId, ...transaction } = row ?? { platformId: '' }
    const reply = { success: true, data: { platformId, transactions: [transaction] } }
    const { get } = await startedJson('--data', fileWith(JSON.stringify(reply, undefined, 2)))

    expect((await get(list)).body.pagination.total).toBe(1)
  })

  it('has the rows of its file again after a reset', async () => {
    const { ready, get } = await startedJson('--data', fileWith(ndjson))
    const guild = `${ready.url}/_mock/guilds/guild-1/transactions`
    await fetch(guild, { method: 'DELETE', body: JSON.stringify({ transactionIds: [rows[0]?.transactionId] }) })
    expect((await get(list)).body.pagination.total).toBe(2)

    await fetch(`${ready.url}/_mock/reset`, { method: 'POST' })

    expect((await get(list)).body.pagination.total).toBe(3)
  })

  it('refuses what comes too fast, unless told otherwise', async () => {
    const [limited, open] = await Promise.all([
      startedJson('--rate-limit', '2', '--transactions', '1', '--assume', 'rateLimitAlgorithm=token-bucket'),
      startedJson('--rate-limit', 'off', '--transactions', '1'),
    ])
    const statuses = async (get: typeof limited.get) =>
      (await Promise.all(Array.from({ length: 20 }, () => get(list)))).map(({ status }) => status)

    expect(await statuses(limited.get)).toContain(429)
    expect(new Set(await statuses(open.get))).toEqual(new Set([200]))
  })

  it('logs requests: the name of the key, not its value, and the rule that refused', async () => {
    const { ready, get, errors } = await startedJson('--log')

    await get(`${list}?limit=1`)
    await get(`${list}?limit=0`)
    await fetch(`${ready.url}${list}`)
    await fetch(`${ready.url}/_mock/guilds`)
    await fetch(`${ready.url}/x`)

    await expect.poll(() => errors().split('\n'), { timeout: 10_000 }).toHaveLength(5)
    const common = { method: 'GET', microseconds: expect.any(Number) as number, faults: [] }
    const keyName = 'first key of guild-1'
    expect(
      errors()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { ...common, target: `${list}?limit=1`, status: 200, keyName, refusedBy: null },
      { ...common, target: `${list}?limit=0`, status: 400, keyName, refusedBy: 'parameters' },
      { ...common, target: list, status: 401, keyName: null, refusedBy: 'key' },
      { ...common, target: '/x', status: 404, keyName: null, refusedBy: 'path' },
    ])
  })

  it('takes options from variables', async () => {
    vi.stubEnv('GUILD_LEDGER_MOCK_TRANSACTIONS', '4')
    vi.stubEnv('GUILD_LEDGER_MOCK_LOG', '1')
    const { get, errors } = await startedJson()

    expect((await get(list)).body.pagination.total).toBe(4)
    await expect.poll(errors, { timeout: 10_000 }).toContain('"status":200')
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('ends with exit code 0 on %s, open connections or not', async (signal) => {
    const { child, get } = await startedJson('--transactions', '1')
    await get(list)

    child.kill(signal)

    expect(await once(child, 'exit')).toEqual([0, null])
  })
})

it('explains itself', async () => {
  const { out, code } = await outcome('--help')

  expect(code).toBe(0)
  for (const flag of [
    '--rate-limit',
    '--port',
    '--host',
    '--seed',
    '--users',
    '--transactions',
    '--data',
    '--api-key',
  ]) {
    expect(out).toContain(flag)
  }
  expect(out).toContain('pageUnit')
})

it('tells its version', async () => {
  expect(await outcome('--version')).toEqual({
    out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string,
    err: '',
    code: 0,
  })
})
