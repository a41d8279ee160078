// The test with fake timers of the mock server's README, in a browser.
import { createMockLedger, createTransactionFactory } from '@guild-ledger/mock-server'
import { GuildLedger } from '@guild-ledger/sdk'
import { expect, it, onTestFinished, vi } from 'vitest'

it('a watch with fake timers reports a new transaction in a browser, as in Node', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { guild } = createMockLedger({ transactions: 120 })
  const transaction = createTransactionFactory({ after: guild })
  guild.schedule([transaction({ name: 'Dragon Egg' })], { afterMs: 7000 })

  const { transactions } = new GuildLedger(guild.clientOptions)
  const next = transactions.watch({}, { intervalMs: 5000 })[Symbol.asyncIterator]().next()
  await vi.advanceTimersByTimeAsync(10_000) // polls at 0, 5, and 10 seconds

  expect((await next).value).toMatchObject({ name: 'Dragon Egg' })
})
