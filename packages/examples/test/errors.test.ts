import { GuildLedger } from '@guild-ledger/sdk'
import { expect, it } from 'vitest'
import { adviceAbout } from '../src/errors.ts'
import { world } from './testing/world.ts'

const failureOf = async (call: () => Promise<unknown>): Promise<unknown> =>
  call().then(
    () => expect.fail('it should have failed'),
    (error: unknown) => error,
  )

it('takes an empty ledger as an answer', async () => {
  const { ledger } = world({ transactions: 0 })
  const error = await failureOf(() => ledger.transactions.list())
  expect(adviceAbout(error)).toEqual({ who: 'nobody', tell: 'Nothing has been bought yet.' })
})

it.each([
  [401, 'manager'],
  [402, 'manager'],
  [403, 'manager'],
  [400, 'author'],
  [302, 'author'],
  [500, 'nobody'],
  [418, 'nobody'],
] as const)('knows who has to act on status %d', async (status, who) => {
  const { guild, ledger } = world()
  guild.fail({ kind: 'status', status, message: 'simulated' })
  const error = await failureOf(() => ledger.transactions.list())
  expect(adviceAbout(error)?.who).toBe(who)
})

it('sends a deleted key to the manager', async () => {
  const { guild, ledger } = world()
  guild.deleteKey(guild.keys[0]?.id ?? '')
  const error = await failureOf(() => ledger.transactions.list())
  expect(adviceAbout(error)).toMatchObject({ who: 'manager' })
})

it.each([401, 402, 403] as const)('sends a lapsed subscription to the manager, answered %d', async (status) => {
  const { guild, ledger } = world({ assumptions: { lapsedSubscriptionStatus: status } })
  guild.subscription = 'none'
  const error = await failureOf(() => ledger.transactions.list())
  expect(adviceAbout(error)).toMatchObject({ who: 'manager' })
  expect(adviceAbout(error)?.check).toContain('is the subscription active?')
})

it('waits as long as the service asks for', async () => {
  const { guild, ledger } = world()
  guild.fail({ kind: 'status', status: 429, message: 'Too Many Requests', headers: { 'retry-after': '7' } })
  const error = await failureOf(() => ledger.transactions.list())
  expect(adviceAbout(error)).toMatchObject({ who: 'nobody', againInMs: 7000 })
})

it.each(['reset', 'truncate'] as const)('says that the ledger is away after a %s', async (kind) => {
  const { guild, ledger } = world()
  guild.fail({ kind })
  const error = await failureOf(() => ledger.transactions.list())
  expect(adviceAbout(error)).toMatchObject({ tell: 'The ledger cannot be reached right now.', againInMs: 60_000 })
})

it('blames the author for what was never sent', async () => {
  const { guild, ledger } = world()
  const error = await failureOf(() => ledger.transactions.list({ page: 0 }))
  expect(adviceAbout(error)).toMatchObject({ who: 'author' })
  guild.expectRequests(0)
})

it('blames the author for a client without a key', async () => {
  const error = await failureOf(async () => new GuildLedger({ apiKey: '', baseUrl: 'https://ledger.test' }))
  expect(adviceAbout(error)).toMatchObject({ who: 'author' })
})

it('has no advice about failures of others', async () => {
  expect(adviceAbout(new Error('mine'))).toBeUndefined()
})
