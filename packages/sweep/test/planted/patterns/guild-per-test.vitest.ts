import { createMockLedger } from '@guild-ledger/mock-server'
import { it } from 'vitest'
import { askMock, defineBets, mockOptions, transactions } from './bets.ts'

const mock = createMockLedger(mockOptions)

defineBets(it, 'guild-per-test', (own) => {
  const guild = mock.createGuild(own)
  guild.add(transactions)
  return askMock(mock, guild.apiKey)
})
