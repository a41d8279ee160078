import { afterEach, describe, expect, it, vi } from 'vitest'
import { fileWith, list, ndjson, serveHere, start, transactions } from './cli-process.ts'

afterEach(() => vi.unstubAllEnvs())

describe('guild-ledger-mock', () => {
  it('prints its URL, its API key and an example, and logs requests with GUILD_LEDGER_MOCK_LOG', async () => {
    vi.stubEnv('GUILD_LEDGER_MOCK_LOG', '1')
    const { out, errors } = await start(6, '--port', '0')
    const [, url = ''] = /^guild-ledger mock listening on (http:\/\/127\.0\.0\.1:\d+)\n/.exec(out) ?? []

    expect(out).toContain('guild-ledger-mock-key')
    expect(out).toContain('1000 transactions of 50 users in guild-1')
    expect(out).toContain(`curl -H 'x-api-key: guild-ledger-mock-key' '${url}/guild/ledger/transactions?limit=3'`)
    expect(out).toContain(`${url}/_mock/#key=guild-ledger-mock-key\n`)
    expect((await fetch(url + list, { headers: { 'x-api-key': 'guild-ledger-mock-key' } })).status).toBe(200)
    await fetch(`${url}/_mock/guilds`)
    await fetch(`${url}/x`)
    await expect
      .poll(() => errors().replaceAll(/[\d.]+ [µm]s/g, '1 ms'))
      .toBe('GET /guild/ledger/transactions 200 "first key of guild-1" 1 ms\nGET /x 404 - 1 ms rejected by path\n')
  })

  it('responds to preflight requests with --cors', async () => {
    const { ready } = await serveHere('--cors')

    const { status, headers } = await fetch(ready.url + list, { method: 'OPTIONS' })

    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, '*'])
  })

  it('prints one line of JSON with --json', async () => {
    const { ready, get } = await serveHere('--users', '2', '--transactions', '7', '--seed', '5')

    expect(ready).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
      apiKey: 'guild-ledger-mock-key',
      guildId: 'guild-1',
    })
    expect((await get(list)).body).toMatchObject({ pagination: { total: 7 }, summary: { uniqueUsers: 2 } })
  })

  it('uses an API key, assumptions and transactions of your own', async () => {
    const assumptions = fileWith('{ "pageUnit": "group", "maxPage": 3 }')
    const options = '--api-key my-key --assume maxPage=1 --assume createdAtFormat=seconds'.split(' ')
    const { ready, get } = await serveHere(...options, '--data', fileWith(ndjson), '--assumptions', assumptions)

    const { body } = await get(list)

    expect(ready.apiKey).toBe('my-key')
    expect(body.pagination.total).toBe(new Set(transactions.map(({ platformId }) => platformId)).size)
    expect(JSON.stringify(body)).toContain(`"${transactions[0]?.createdAt.slice(0, 19)}Z"`)
    expect((await get(`${list}?page=2`)).status).toBe(400)
  })

  it('restores the transactions of its file with a reset', async () => {
    const { ready, get } = await serveHere('--data', fileWith(ndjson))
    const guild = `${ready.url}/_mock/guilds/guild-1/transactions`
    await fetch(guild, { method: 'DELETE', body: JSON.stringify({ transactionIds: [transactions[0]?.transactionId] }) })
    expect((await get(list)).body.pagination.total).toBe(2)

    await fetch(`${ready.url}/_mock/reset`, { method: 'POST' })

    expect((await get(list)).body.pagination.total).toBe(3)
  })
})
