import { visitedMapEntries } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'
import { createMockLedger } from '../../index.ts'
import type { AdminRequest } from '../route.ts'
import { guildRoutes } from './guilds.ts'

const costOf = (guilds: number) => {
  const mock = createMockLedger({ transactions: 0 })
  for (let i = 1; i < guilds; i++) mock.createGuild()
  const list = () => guildRoutes['/_mock/guilds']?.GET?.run({ mock } as Partial<AdminRequest> as AdminRequest)
  const cost = visitedMapEntries(() => expect(list()).toHaveLength(guilds))
  const again = visitedMapEntries(() => {
    mock.createGuild()
    list()
  })
  return { cost, again }
}

it('the list of guilds costs as much for each of them, however many there are', () => {
  const [few, many] = [costOf(100), costOf(400)]

  expect(few.cost).toBeGreaterThanOrEqual(100)
  expect(many.cost).toBeLessThan(5 * few.cost)
  expect(many.again).toBeLessThan(5 * few.again)
})
