import { expect, it } from 'vitest'
import { runInTurn, startService } from './support.ts'

it('says what the key opens, in a line, a table or JSON, of an empty ledger too', async () => {
  const { guild, env, url } = await startService({ users: 3, transactions: 40 })
  const verify = async (...args: string[]) => (await runInTurn(['verify', ...args], env)).out

  expect(await verify()).toBe(
    `The key works: 40 transactions of 3 users at ${url}; no 429, at most 10 requests per second are sent. ` +
      'What the spec does not say about it: npx @guild-ledger/probe --help\n',
  )
  expect(await verify('--verbose')).toMatch(
    /^key +accepted, has the scope guild:read\n[^]*^next step +npx @guild-ledger\/probe --base-url /m,
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
