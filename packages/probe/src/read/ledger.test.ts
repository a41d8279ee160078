import type { GuildQuery } from '@guild-ledger/sdk/contract'
import { PaginationError } from '@guild-ledger/sdk'
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

it('cannot be used where pages of users end early, and the total counts more users than it lists', async () => {
  const transactions = Array.from({ length: 12 }, (_, hour) => ({
    ...transaction,
    platformId: `user ${hour % 3}`,
    transactionId: `00000000-0000-4000-8000-0000000000${hour + 10}`,
    createdAt: `2026-01-01T${hour + 10}:00:00.000Z`,
  }))
  let endsEarly = true
  async function* entries() {
    yield* transactions
    if (endsEarly) throw new PaginationError('pagination_stalled', 'pages are repeated')
  }
  const ask = () => Promise.resolve({ status: 200, body: { data: [] } })
  const readWith = async (total: number) => {
    const ledger = new Ledger({ entries, ask } as Partial<Service> as Service)
    await ledger.read(100, [undefined, total])
    return ledger.unusable
  }

  expect(await readWith(8)).toBe('it counts 8, and lists 12 transactions of 3 users')
  expect(await readWith(3)).toBeUndefined()
  expect(await readWith(12)).toBeUndefined()
  endsEarly = false
  expect(await readWith(8)).toBeUndefined()
})
