import { createMockLedger, createTransactionFactory } from '@guild-ledger/mock-server'
import { createThrottle } from '@guild-ledger/sdk'
import { afterEach, expect, it, vi } from 'vitest'
import { createGuilds, listSpending, type Guilds } from '../src/many-guilds.ts'

const transaction = createTransactionFactory()

const createTwoGuilds = () => {
  const mock = createMockLedger({ transactions: 0 })
  const tavern = mock.createGuild()
  const harbour = mock.createGuild()
  tavern.add([transaction({ total: 10 }), transaction({ total: 2.5 })])
  harbour.add([transaction({ total: 99 })])
  return { mock, tavern, harbour, connection: mock.clientOptions }
}

afterEach(() => void vi.useRealTimers())

it('each guild is queried with its own key, and one that was deleted does not affect the other guilds', async () => {
  const { tavern, harbour, connection } = createTwoGuilds()
  const guilds = createGuilds(connection)
  guilds.join('Tavern', tavern.apiKey)
  guilds.join('Harbour', harbour.apiKey)

  expect(await listSpending(guilds)).toEqual([
    { guild: 'Tavern', spent: 12.5 },
    { guild: 'Harbour', spent: 99 },
  ])
  tavern.expectRequests(1)
  harbour.expectRequests(1)
  tavern.deleteKey(tavern.keys[0]?.id ?? '')

  expect(await listSpending(guilds)).toEqual([
    { guild: 'Tavern', problem: 'The bot has lost access to the ledger. A manager has been notified.' },
    { guild: 'Harbour', spent: 99 },
  ])
})

it('a replaced key applies to the next call, and a guild that was left is not queried', async () => {
  const { tavern, harbour, connection } = createTwoGuilds()
  const guilds = createGuilds(connection)
  guilds.join('Tavern', 'an-old-key')
  guilds.join('Harbour', harbour.apiKey)

  guilds.join('Tavern', tavern.apiKey)
  guilds.leave('Harbour')

  expect(await listSpending(guilds)).toEqual([{ guild: 'Tavern', spent: 12.5 }])
  expect(guilds.of('Harbour')).toBeUndefined()
})

it.each<[string, (guilds: Guilds, key: string) => void]>([
  ['is left', (guilds) => guilds.leave('Tavern')],
  ['gets another key', (guilds, key) => guilds.join('Tavern', key)],
  ['is left with all others', (guilds) => guilds.leaveAll()],
])('the watches of a guild end when it %s', async (_, end) => {
  const { tavern, harbour, connection } = createTwoGuilds()
  const guilds = createGuilds(connection)
  guilds.join('Tavern', tavern.apiKey)
  const watching = guilds.of('Tavern')?.transactions.watch().next()

  end(guilds, harbour.apiKey)

  expect(await watching).toEqual({ done: true, value: undefined })
})

it('with one throttle, all guilds together send at most ten requests per second', async () => {
  vi.useFakeTimers()
  const mock = createMockLedger({ transactions: 0 })
  const guilds = createGuilds({ ...mock.clientOptions, throttle: createThrottle() })
  for (let i = 0; i < 15; i++) guilds.join(`guild ${i}`, mock.createGuild().apiKey)

  const spending = listSpending(guilds)
  await vi.advanceTimersByTimeAsync(900)
  const sent = mock.requests.length
  await vi.advanceTimersByTimeAsync(2000)

  expect(await spending).toHaveLength(15)
  expect(sent).toBe(10)
})
