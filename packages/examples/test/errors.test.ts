import { failureOf } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'
import { adviceFor } from '../src/errors.ts'
import { createIsolatedMock } from './support/isolated-mock.ts'

it('an empty ledger needs no action', async () => {
  const { ledger } = createIsolatedMock({ transactions: 0 })
  const error = await failureOf(() => ledger.transactions.list())
  expect(adviceFor(error)).toEqual({ actor: 'nobody', message: 'Nothing has been bought yet.' })
})

it.each([
  [401, 'manager'],
  [402, 'manager'],
  [403, 'manager'],
  [400, 'author'],
  [302, 'author'],
  [500, 'nobody'],
  [418, 'author'],
] as const)('after status %d the %s has to act', async (status, actor) => {
  const { guild, ledger } = createIsolatedMock()
  guild.fault({ kind: 'status', status, message: 'simulated' })
  const error = await failureOf(() => ledger.transactions.list())
  expect(adviceFor(error)?.actor).toBe(actor)
})

it.each([401, 402, 403] as const)(
  'after a lapsed subscription with status %d the manager has to act',
  async (status) => {
    const { guild, ledger } = createIsolatedMock({ assumptions: { lapsedSubscriptionStatus: status } })
    guild.subscription = 'none'
    const error = await failureOf(() => ledger.transactions.list())
    expect(adviceFor(error)).toMatchObject({ actor: 'manager' })
    expect(adviceFor(error)?.check).toContain('is the subscription active?')
  },
)

it('the delay before a retry is the Retry-After of the service', async () => {
  const { guild, ledger } = createIsolatedMock()
  guild.fault({ kind: 'status', status: 429, message: 'Too Many Requests', headers: { 'retry-after': '7' } })
  const error = await failureOf(() => ledger.transactions.list())
  expect(adviceFor(error)).toMatchObject({ actor: 'nobody', retryAfterMs: 7000 })
})

it.each(['reset', 'truncate'] as const)(
  'after a connection fault (%s) the ledger is reported as unreachable',
  async (kind) => {
    const { guild, ledger } = createIsolatedMock()
    guild.fault({ kind })
    const error = await failureOf(() => ledger.transactions.list())
    expect(adviceFor(error)).toMatchObject({ message: 'The ledger cannot be reached right now.', retryAfterMs: 60_000 })
  },
)

it("errors that are not the SDK's have no advice", async () => {
  expect(adviceFor(new Error('mine'))).toBeUndefined()
})
