import { it } from 'vitest'
import { askWith, defineBets, transactions } from './bets.ts'
import { mock } from './msw-setup.ts'

defineBets(it, 'msw', (own) => {
  const guild = mock.createGuild(own)
  guild.add(transactions)
  return askWith(mock.origin, guild.apiKey)
})
