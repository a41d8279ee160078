import { createMockLedger } from '@guild-ledger/mock-server'
import { GuildLedger } from '@guild-ledger/sdk'

const mock = createMockLedger({ rateLimit: 'off' })

test('adds up what was spent', async () => {
  const guild = mock.createGuild({ users: 3, transactions: 250 })
  const ledger = new GuildLedger(guild.clientOptions)

  let spent = 0
  for await (const { total } of ledger.transactions.iterate()) spent += total

  expect(spent).toBeCloseTo(
    guild.transactions.reduce((sum, { total }) => sum + total, 0),
  )
})

test('retries an internal error', async () => {
  const guild = mock.createGuild({ transactions: 1 })
  guild.fault({ kind: 'internal-error', times: 1 })
  const ledger = new GuildLedger({ ...guild.clientOptions, logLevel: 'off' })

  expect((await ledger.transactions.list()).pagination.total).toBe(1)

  guild.expectRequests(1, { status: 500 })
})
