import { createMockLedger } from '@guild-ledger/mock-server'
import { beforeEach, it } from 'vitest'
import { askMock, defineBets, mockOptions, transactions } from './bets.ts'

const mock = createMockLedger(mockOptions)
beforeEach(() => mock.reset())

defineBets(it, 'reset', (own) => {
  mock.guild.add(transactions)
  if (own) mock.guild.assume(own.assumptions)
  return askMock(mock)
})
