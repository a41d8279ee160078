import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { GuildResponse } from '@guild-ledger/sdk'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { PaginatedPage } from '../../sdk/src/pagination/page-result.ts'
import { iterate } from '../../sdk/src/pagination/paginate.ts'
import type * as RecentWindow from '../../sdk/src/pagination/recent-window.ts'
import { pageableOf } from './pageable.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const heapMiB = () => {
  collectGarbage()
  return process.memoryUsage().heapUsed / 2 ** 20
}

/** Pages that the recent window remembers instead of those it is given. */
const mutant = vi.hoisted((): { rememberedPages: number | undefined } => ({ rememberedPages: undefined }))
vi.mock('../../sdk/src/pagination/recent-window.ts', async (importOriginal) => {
  const original = await importOriginal<typeof RecentWindow>()
  const createRecentWindow: typeof original.createRecentWindow = (pages, ...rest) =>
    original.createRecentWindow(mutant.rememberedPages ?? pages, ...rest)
  return { ...original, createRecentWindow }
})
afterEach(() => {
  mutant.rememberedPages = undefined
})

const totalPages = 1000
const limit = 100

/** A page of a ledger that is generated on request, so that it takes no memory itself. */
const pageOf = (page: number, ofEachUser: number): GuildResponse => ({
  success: true,
  data: Array.from({ length: limit / ofEachUser }, (_, user) => ({
    platformId: `user ${page}/${user}`,
    transactions: Array.from({ length: ofEachUser }, (__, i) => ({
      transactionId: `${String(page).padStart(8, '0')}-0000-4000-8000-${String(ofEachUser * user + i).padStart(12, '0')}`,
      amount: 1,
      quantity: 1,
      name: 'Iron Sword',
      source: 'shop',
      total: 1,
      createdAt: '2026-01-31T10:00:00.000Z',
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
  pageableOf<{ page?: number; limit?: number }, GuildResponse & PaginatedPage>(
    { emptyCode: 'no_guild_transactions', groups: ({ data }) => data },
    async ({ page = 1 }) => pageOf(page, ofEachUser),
  )

/** By how many MiB the heap grows from the first page to the last where each user has so many transactions. */
const growth = async (ofEachUser: number): Promise<number> => {
  let count = 0
  let first = 0
  let last = 0
  for await (const _ of iterate(operationOn(ofEachUser), {}, { concurrency: 2 })) {
    count++
    if (count === limit) first = heapMiB()
    if (count === (totalPages - 1) * limit) last = heapMiB()
  }
  expect(count).toBe(totalPages * limit)
  return last - first
}

describe('memory of a pagination', { timeout: 60_000 }, () => {
  it('does not grow with 100,000 transactions that are paginated over', async () => {
    expect(await growth(2)).toBeLessThan(3)
  })

  it('grows by less than 200 bytes per transaction where each user has one', async () => {
    // No page shows whether pages count transactions or users, so all of them are remembered.
    const bytes = ((await growth(1)) * 2 ** 20) / ((totalPages - 2) * limit)
    expect(bytes).toBeLessThan(200)
  })

  it('would grow with 100,000 transactions if all pages were remembered', async () => {
    mutant.rememberedPages = Infinity
    expect(await growth(2)).toBeGreaterThan(6)
  })
})
