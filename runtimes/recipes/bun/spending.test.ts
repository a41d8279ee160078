import { afterAll, expect, test } from 'bun:test'
import { createMockLedger } from '@guild-ledger/mock-server'
import { startMockServer } from '@guild-ledger/mock-server/node'
import { GuildLedger } from '@guild-ledger/sdk'

const mock = createMockLedger({ rateLimit: 'off' })
const server = await startMockServer({ mock })
afterAll(() => server.close())

test('retries an internal error', async () => {
  const guild = mock.createGuild({ transactions: 250 })
  guild.fault({ kind: 'internal-error', times: 1 })
  const ledger = new GuildLedger({ ...guild.clientOptions, logLevel: 'off' })

  expect((await ledger.transactions.list()).pagination.total).toBe(250)

  guild.expectRequests(1, { status: 500 })
})

test('lists transactions over HTTP', async () => {
  const { clientOptions } = mock.createGuild({ transactions: 7 })
  const ledger = new GuildLedger({
    ...clientOptions,
    baseUrl: server.url,
    fetch,
  })

  expect((await ledger.transactions.list()).pagination.total).toBe(7)
})
