import { startMockServer, type MockServer } from '@guild-ledger/mock-server/node'
import { afterAll, beforeAll, it } from 'vitest'
import { askWith, createMock, defineBets, transactions } from './bets.ts'

const mock = createMock()
let server: MockServer
beforeAll(async () => {
  server = await startMockServer({ mock })
})
afterAll(() => server.close())

defineBets(it, 'server', (own) => {
  const guild = mock.createGuild(own)
  guild.add(transactions)
  return askWith(server.url, guild.apiKey)
})
