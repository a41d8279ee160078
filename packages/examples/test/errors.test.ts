import type { Fault } from '@guild-ledger/mock-server'
import { failureOf } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'
import { adviceFor, type Advice } from '../src/errors.ts'
import { createIsolatedMock } from './support/isolated-mock.ts'

const down = 'The ledger cannot be reached right now.'
const byManager = { actor: 'manager', check: expect.stringContaining('is the subscription active?') as string } as const
const statusOf = (status: number, more = {}): Fault => ({ kind: 'status', status, message: 'simulated', ...more })

it('an empty ledger needs no action', async () => {
  const { ledger } = createIsolatedMock({ transactions: 0 })
  const error = await failureOf(() => ledger.transactions.list())
  expect(adviceFor(error)).toEqual({ actor: 'nobody', message: 'Nothing has been bought yet.' })
})

it.each<[Fault, Partial<Advice>]>([
  [statusOf(401), byManager],
  [statusOf(402), byManager],
  [statusOf(403), byManager],
  [statusOf(400), { actor: 'author' }],
  [statusOf(302), { actor: 'author' }],
  [statusOf(418), { actor: 'author' }],
  [statusOf(500), { actor: 'nobody', message: down, retryAfterMs: 60_000 }],
  [statusOf(429, { headers: { 'retry-after': '7' } }), { actor: 'nobody', retryAfterMs: 7000 }],
  [{ kind: 'reset' }, { message: down, retryAfterMs: 60_000 }],
  [{ kind: 'truncate' }, { message: down, retryAfterMs: 60_000 }],
])('says who has to act, and when to retry, after %j', async (fault, advice) => {
  const { guild, ledger } = createIsolatedMock()
  guild.fault(fault)
  expect(adviceFor(await failureOf(() => ledger.transactions.list()))).toMatchObject(advice)
})

it("errors that are not the SDK's have no advice", () => {
  expect(adviceFor(new Error('mine'))).toBeUndefined()
})
