import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMockLedger } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { GuildLedger } from '@guild-ledger/sdk'

const mock = createMockLedger({ rateLimit: 'off' })

test('retries an internal error', async () => {
  const guild = mock.createGuild({ transactions: 250 })
  guild.fault({ kind: 'internal-error', times: 1 })
  const ledger = new GuildLedger({ ...guild.clientOptions, logLevel: 'off' })

  assert.equal((await ledger.transactions.list()).pagination.total, 250)

  guild.expectRequests(1, { status: 500 })
})

test('lists transactions over HTTP', async (t) => {
  const server = await startMockServer({ mock })
  t.after(() => server.close())
  const guild = mock.createGuild({ transactions: 7 })
  const ledger = new GuildLedger({
    ...guild.clientOptions,
    baseUrl: server.url,
    fetch,
  })

  assert.equal((await ledger.transactions.list()).pagination.total, 7)
})
