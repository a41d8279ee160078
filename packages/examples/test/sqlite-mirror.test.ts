import { createTransactionFactory } from '@guild-ledger/mock-server'
import { expect, it } from 'vitest'
import { bestSellers, openMirror, updateMirror } from '../src/sqlite-mirror.ts'
import { assumptionSets, createIsolatedMock } from './support/isolated-mock.ts'

const idsIn = (mirror: ReturnType<typeof openMirror>) =>
  mirror
    .prepare('SELECT transaction_id AS id FROM transactions ORDER BY id')
    .all()
    .map(({ id }) => id)

it.each(assumptionSets)('the mirror contains every transaction, with %s', async (_name, assumptions) => {
  const { guild, ledger } = createIsolatedMock({ transactions: 350, assumptions })
  const mirror = openMirror(':memory:')

  expect(await updateMirror(ledger, mirror)).toBe(350)

  expect(idsIn(mirror)).toEqual(guild.transactions.map(({ transactionId }) => transactionId).toSorted())
})

it.each(assumptionSets)(
  'an update requests only new transactions and finds late ones, with %s',
  async (_name, assumptions) => {
    const transaction = createTransactionFactory()
    const { guild, ledger } = createIsolatedMock({ transactions: 950, assumptions })
    const mirror = openMirror(':memory:')
    await updateMirror(ledger, mirror)
    const before = guild.requests.length
    guild.add([transaction({ createdAt: '2026-02-02T00:00:00.000Z' })])
    guild.add([transaction({ createdAt: '2026-01-31T03:00:00.000Z' })]) // late, but within the overlap

    expect(await updateMirror(ledger, mirror)).toBe(952)
    expect(guild.requests.length - before).toBe(1)
  },
)

it('a failed update does not change the mirror', async () => {
  const { guild, ledger } = createIsolatedMock({ transactions: 350, assumptions: { pageUnit: 'transaction' } })
  const mirror = openMirror(':memory:')
  guild.fault({ kind: 'status', status: 403, after: 2 })

  await expect(updateMirror(ledger, mirror)).rejects.toMatchObject({ status: 403 })

  expect(idsIn(mirror)).toEqual([])
  guild.clearFaults()
  expect(await updateMirror(ledger, mirror)).toBe(350)
})

it('the mirror of an empty ledger is empty', async () => {
  const { ledger } = createIsolatedMock({ transactions: 0 })
  expect(await updateMirror(ledger, openMirror(':memory:'))).toBe(0)
})

it('bestSellers returns the best seller of each month', async () => {
  const transaction = createTransactionFactory()
  const { guild, ledger } = createIsolatedMock({ transactions: 0 })
  const january = '2026-01-10T00:00:00.000Z'
  const february = '2026-02-10T00:00:00.000Z'
  guild.add([
    transaction({ createdAt: january, name: 'Shield', total: 10 }),
    transaction({ createdAt: january, name: 'Iron Sword', total: 6.25 }),
    transaction({ createdAt: january, name: 'Iron Sword', total: 6.5 }),
    transaction({ createdAt: february, name: "Robert'); DROP TABLE transactions", total: 1 }),
  ])
  const mirror = openMirror(':memory:')
  await updateMirror(ledger, mirror)

  expect(bestSellers(mirror)).toEqual([
    { month: '2026-01', name: 'Iron Sword', sum: 12.75 },
    { month: '2026-02', name: "Robert'); DROP TABLE transactions", sum: 1 },
  ])
})
