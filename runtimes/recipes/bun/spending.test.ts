import { expect, test } from 'bun:test'
import { createMockLedger } from '@guild-ledger/mock-server'
import { GuildLedger } from '@guild-ledger/sdk'

const mock = createMockLedger({ rateLimit: 'off' })

test('retries an internal error', async () => {
  const guild = mock.createGuild({ transactions: 250 })
  guild.fault({ kind: 'internal-error', times: 1 })
  const ledger = new GuildLedger({ ...guild.clientOptions, logLevel: 'off' })

  expect((await ledger.transactions.list()).pagination.total).toBe(250)

  guild.expectRequests(1, { status: 500 })
})
