import { beforeEach, it } from 'vitest'
import { askMock, createMock, defineBets, transactions } from './bets.ts'

const mock = createMock()
beforeEach(() => mock.reset())

defineBets(it, 'reset', (own) => {
  mock.guild.remove(transactions.map(({ transactionId }) => transactionId))
  mock.guild.add(transactions)
  if (own) mock.guild.assume(own.assumptions)
  return askMock(mock)
})
