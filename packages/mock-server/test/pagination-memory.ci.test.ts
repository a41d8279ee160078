import type { GuildResponse } from '@guild-ledger/sdk/contract'
import { entryId, transaction, usedBytes } from '@guild-ledger/test-kit'
import { beforeAll, describe, expect, it } from 'vitest'
import type { PaginatedPage } from '../../sdk/src/pagination/page-result.ts'
import { iterate } from '../../sdk/src/pagination/paginate.ts'
import { operationOf } from './operation.ts'

// Just after the places were doubled.
const totalPages = 1970
const limit = 100

/** A page of a ledger that is generated on request, so that it takes no memory itself. */
const pageOf = (page: number, ofEachUser: number): GuildResponse => ({
  success: true,
  data: Array.from({ length: limit / ofEachUser }, (_, user) => ({
    platformId: `user ${page}/${user}`,
    transactions: Array.from({ length: ofEachUser }, (__, i) => ({
      ...transaction,
      transactionId: entryId(page * 1e5 + ofEachUser * user + i),
    })),
  })),
  pagination: { page, limit, total: totalPages * limit, totalPages },
  summary: {
    totalTransactions: totalPages * limit,
    totalValue: totalPages * limit,
    uniqueUsers: (totalPages * limit) / ofEachUser,
  },
})

const operationOn = (ofEachUser: number) =>
  operationOf<{ page?: number; limit?: number }, GuildResponse & PaginatedPage>(
    { groups: ({ data }) => data },
    async ({ page = 1 }) => (page > totalPages ? { ...pageOf(page, ofEachUser), data: [] } : pageOf(page, ofEachUser)),
  )

/** By how many bytes memory grows for each transaction from the first page on where each user has so many. */
const bytesEach = async (ofEachUser: number): Promise<number> => {
  let count = 0
  let first = 0
  let last = 0
  for await (const _ of iterate(operationOn(ofEachUser), {}, { concurrency: 2 })) {
    count++
    if (count === limit) first = usedBytes()
    if (count === (totalPages - 1) * limit) last = usedBytes()
  }
  expect(count).toBe(totalPages * limit)
  return (last - first) / count
}

describe('memory of a pagination', { timeout: 240_000 }, () => {
  // The code itself takes memory when it runs first.
  beforeAll(() => bytesEach(1), 240_000)

  it.each([1, 2, 100])('grows by at most 32 bytes for each transaction where each user has %i', async (ofEachUser) => {
    expect(await bytesEach(ofEachUser)).toBeLessThan(32)
  })
})
