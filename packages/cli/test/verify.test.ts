import { guildResponse, sendJson, startTestServer } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'
import { runInTurn, startService } from './support.ts'

it('says what the key opens, in a line, a table or JSON, of an empty ledger too', async () => {
  const assumptions = { rateLimitHeaders: 'x-ratelimit' } as const
  const { guild, env, url } = await startService({ users: 3, transactions: 40, assumptions })
  const verify = async (...args: string[]) => (await runInTurn(['verify', ...args], env)).out

  expect(await verify()).toBe(
    `The key works: 40 transactions of 3 users at ${url}; no 429, at most 10 requests per second are sent. ` +
      'What the spec does not say about it: npx @guild-ledger/probe --help\n',
  )
  expect(await verify('--verbose')).toMatch(
    /^key +accepted, has the scope guild:read\n[^]*^announced +x-ratelimit-limit: 10, [^]*^clock +agrees with the service\n[^]*^next step +npx @guild-ledger\/probe --base-url /m,
  )
  guild.remove(guild.transactions.map(({ transactionId }) => transactionId))
  guild.fault({ kind: 'status', status: 429, times: 1 })
  expect(JSON.parse(await verify('--json'))).toMatchObject({
    service: url,
    transactions: 0,
    users: 0,
    'rate limit': expect.stringMatching(/^1 of 2 requests got a 429/),
  })
})

it('says how far the clock of this machine is from that of the service', async () => {
  const headers = { server: 'nginx', date: 'Sat, 31 Jan 2026 10:00:00 GMT' }
  await using service = await startTestServer((_, response) => sendJson(response, guildResponse, 200, headers))
  const env = { GUILD_LEDGER_API_KEY: 'a-key', GUILD_LEDGER_BASE_URL: service.url }

  const { out } = await runInTurn(['verify', '--verbose'], env)

  expect(out).toMatch(/^server +nginx\nclock +differs by \d{5,} s: set it\n/m)
})
