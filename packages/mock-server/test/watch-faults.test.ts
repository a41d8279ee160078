import { createMockLedger, createTransactionFactory } from '@guild-ledger/mock-server'
import { GuildLedger } from '@guild-ledger/sdk'
import { expect, it, onTestFinished, vi } from 'vitest'

const watched = [0, 1, 120, 500].flatMap((count) => [[count, 'the guild'] as const, [count, 'one user'] as const])

// The advice of docs/testing.md, "Fake timers".
it.each(watched)('with `after: 2`, a watch of %i transactions of %s survives an outage', async (count, target) => {
  vi.useFakeTimers({ now: new Date('2026-02-01T12:00:00Z') })
  onTestFinished(() => void vi.useRealTimers())
  const { guild } = createMockLedger({ transactions: count, users: 1 })
  await using ledger = new GuildLedger({ ...guild.clientOptions, logLevel: 'off' })
  const platformId = guild.transactions[0]?.platformId ?? '8412'
  const transaction = createTransactionFactory({ after: guild })
  guild.fault({ kind: 'internal-error', after: 2, times: 5 })
  const { transactions } = target === 'one user' ? ledger.user(platformId) : ledger
  const next = transactions.watch({}, { intervalMs: 5000 })[Symbol.asyncIterator]().next()

  await vi.advanceTimersByTimeAsync(1)
  guild.add([transaction({ platformId, name: 'Shield' })])
  await vi.advanceTimersByTimeAsync(60_000)

  expect((await next).value).toMatchObject({ name: 'Shield' })
  expect(guild.unusedFaults).toEqual([])
})
