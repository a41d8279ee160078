import { test as base } from '@guild-ledger/mock-server/vitest'
import { expect } from 'vitest'

const test = base.extend('guildOptions', { users: 3, transactions: 250 })

test('adds up what was spent', async ({ guild, ledger }) => {
  let spent = 0
  for await (const { total } of ledger.transactions.iterate()) spent += total

  expect(spent).toBeCloseTo(
    guild.transactions.reduce((sum, { total }) => sum + total, 0),
  )
})

// Shows what a failing test says: `FAIL=1 npx vitest run`.
test.runIf(process.env.FAIL)('finds gifts', async ({ ledger }) => {
  const { pagination } = await ledger.transactions.list({ limit: 5 })

  expect(pagination.total).toBe(1)
})
