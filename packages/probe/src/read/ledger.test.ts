import type { GuildQuery } from '@guild-ledger/sdk/contract'
import { transaction } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'
import { Ledger } from './ledger.ts'
import type { Service } from './service.ts'

it('cannot be used any more once a removed transaction comes back', async () => {
  const transactions = [1, 2, 3].map((hour) => ({
    ...transaction,
    platformId: `user ${hour}`,
    transactionId: `00000000-0000-4000-8000-00000000000${hour}`,
    createdAt: `2026-01-01T0${hour}:00:00.000Z`,
  }))
  async function* entries({ sortOrder }: GuildQuery) {
    yield* sortOrder === 'asc' ? transactions : transactions.toReversed()
  }
  const ledger = new Ledger({ entries } as Partial<Service> as Service)
  await ledger.read(10)
  const removed = transactions.splice(0, 1)
  await ledger.refresh('oldest')
  expect({ size: ledger.size, unusable: ledger.unusable }).toEqual({ size: 2, unusable: undefined })

  transactions.unshift(...removed)
  await ledger.refresh('oldest')
  expect(ledger.unusable).toContain('came back after it was removed')
})
