import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { GuildReply } from '@guild-ledger/sdk'
import type { Walkable, WalkedPage } from '../../sdk/src/walk/reading.ts'
import { soundRules, type Rules } from '../../sdk/src/walk/rules.ts'
import { iterate } from '../../sdk/src/walk/walks.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const heapMiB = () => {
  collectGarbage()
  return process.memoryUsage().heapUsed / 2 ** 20
}

const totalPages = 1000
const limit = 100

/** A page of a ledger that is made up as it is asked for, so that it takes no memory itself. */
const pageOf = (page: number): GuildReply => ({
  success: true,
  data: Array.from({ length: 50 }, (_, user) => ({
    platformId: `user ${page}/${user}`,
    transactions: Array.from({ length: 2 }, (__, i) => ({
      transactionId: `${String(page).padStart(8, '0')}-0000-4000-8000-${String(2 * user + i).padStart(12, '0')}`,
      amount: 1,
      quantity: 1,
      name: 'Iron Sword',
      source: 'shop',
      total: 1,
      createdAt: '2026-01-31T10:00:00.000Z',
    })),
  })),
  pagination: { page, limit, total: totalPages * limit, totalPages },
  summary: { totalTransactions: totalPages * limit, totalValue: totalPages * limit, uniqueUsers: totalPages * 50 },
})

const operation: Walkable<{ page?: number; limit?: number }, GuildReply & WalkedPage> = {
  check: () => {},
  emptyCode: 'no_guild_transactions',
  groups: ({ data }) => data,
  list: async ({ page = 1 }) => pageOf(page),
}

/** How many MiB are in use before the last page that were not after the first. */
const growthOf = async (rules: Rules): Promise<number> => {
  let rows = 0
  let first = 0
  let last = 0
  for await (const _ of iterate(operation, {}, { concurrency: 2 }, rules)) {
    rows += 1
    if (rows === limit) first = heapMiB()
    if (rows === (totalPages - 1) * limit) last = heapMiB()
  }
  expect(rows).toBe(totalPages * limit)
  return last - first
}

describe('the memory of a walk over 100,000 transactions', { timeout: 60_000 }, () => {
  it('does not grow with them', async () => {
    expect(await growthOf(soundRules)).toBeLessThan(3)
  })

  it('would, if all were remembered', async () => {
    expect(await growthOf({ ...soundRules, remember: Infinity })).toBeGreaterThan(6)
  })
})
