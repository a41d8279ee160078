import { createMockLedger, createTransactionFactory } from '@guild-ledger/mock-server'
import { createThrottle } from '@guild-ledger/sdk'
import { afterEach, expect, it, vi } from 'vitest'
import { manyGuilds, spendingOfAll } from '../src/many-guilds.ts'

const transaction = createTransactionFactory()

const manyWorlds = () => {
  const mock = createMockLedger({ transactions: 0 })
  const tavern = mock.createGuild()
  const harbour = mock.createGuild()
  tavern.add([transaction({ total: 10 }), transaction({ total: 2.5 })])
  harbour.add([transaction({ total: 99 })])
  return { mock, tavern, harbour, connection: { baseUrl: mock.origin, fetch: mock.fetch } }
}

afterEach(() => void vi.useRealTimers())

it('asks each guild with its own key', async () => {
  const { tavern, harbour, connection } = manyWorlds()
  const guilds = manyGuilds(connection)
  guilds.join('Tavern', tavern.apiKey)
  guilds.join('Harbour', harbour.apiKey)

  expect(await spendingOfAll(guilds)).toEqual([
    { guild: 'Tavern', spent: 12.5 },
    { guild: 'Harbour', spent: 99 },
  ])
  tavern.expectRequests(1)
  harbour.expectRequests(1)
})

it('does not let a deleted key spoil it for the others', async () => {
  const { tavern, harbour, connection } = manyWorlds()
  const guilds = manyGuilds(connection)
  guilds.join('Tavern', tavern.apiKey)
  guilds.join('Harbour', harbour.apiKey)
  tavern.deleteKey(tavern.keys[0]?.id ?? '')

  expect(await spendingOfAll(guilds)).toEqual([
    { guild: 'Tavern', problem: 'The bot has lost access to the ledger. A manager has been told.' },
    { guild: 'Harbour', spent: 99 },
  ])
})

it('goes on with a new key, and forgets a guild that has left', async () => {
  const { tavern, harbour, connection } = manyWorlds()
  const guilds = manyGuilds(connection)
  guilds.join('Tavern', 'an-old-key')
  guilds.join('Harbour', harbour.apiKey)

  guilds.join('Tavern', tavern.apiKey)
  guilds.leave('Harbour')

  expect(await spendingOfAll(guilds)).toEqual([{ guild: 'Tavern', spent: 12.5 }])
  expect(guilds.of('Harbour')).toBeUndefined()
})

it('keeps all guilds together to ten a second with one throttle', async () => {
  vi.useFakeTimers()
  const mock = createMockLedger({ transactions: 0 })
  const guilds = manyGuilds({ baseUrl: mock.origin, fetch: mock.fetch, throttle: createThrottle() })
  for (let i = 0; i < 15; i++) guilds.join(`guild ${i}`, mock.createGuild().apiKey)

  const spending = spendingOfAll(guilds)
  await vi.advanceTimersByTimeAsync(900)
  const asked = mock.requests.length
  await vi.advanceTimersByTimeAsync(2000)

  expect(await spending).toHaveLength(15)
  expect(asked).toBe(10)
})
