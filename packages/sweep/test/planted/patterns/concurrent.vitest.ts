import { it } from 'vitest'
import { askMock, createMock, defineBets } from './bets.ts'

defineBets(it.concurrent, 'concurrent', async (own) => {
  // The tests take turns, so that responses of all are between those of each.
  await new Promise((resolve) => setTimeout(resolve, 5))
  return askMock(createMock(own))
})
