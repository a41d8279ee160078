import { transaction } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'
import { createScheduledInserts, createTransactionStore } from './index.ts'

it('leaves the ledger as it is, with all that was computed about it, until something is due', () => {
  const store = createTransactionStore()
  const scheduled = createScheduledInserts(store)
  const before = store.state()
  scheduled.applyDue(99)
  scheduled.schedule([{ ...transaction, platformId: 'u1' }], { afterMs: 100 }, 0)

  scheduled.applyDue(99)
  expect(store.state()).toBe(before)
  scheduled.applyDue(100)
  expect(store.size).toBe(1)
})
