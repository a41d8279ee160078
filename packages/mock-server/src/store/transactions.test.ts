import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { expect, it } from 'vitest'
import { entry, entryId as id } from '@guild-ledger/test-kit'
import { createTransactionStore } from './transactions.ts'
import type { Filter, Sort } from './selection.ts'

const byAmount: Sort = { by: 'amount', order: 'asc', names: 'code-point', ties: 'transaction-id' }
const ledgerOf = (...entries: LedgerEntry[]) => {
  const store = createTransactionStore()
  store.add(entries)
  return store
}
const amounts = (store: ReturnType<typeof createTransactionStore>, filter: Filter, sort: Sort = byAmount) =>
  store
    .select(filter, sort)
    .slice(0, Infinity)
    .map((each) => each.amount)

it('a store keeps only the fields of the spec, and createdAt to the millisecond', () => {
  const store = ledgerOf({ ...entry(1, { createdAt: '2026-01-01T00:00:00,5+00:00' }), extra: 1 } as LedgerEntry)

  expect(store.entries()).toEqual([entry(1, { createdAt: '2026-01-01T00:00:00.500Z' })])
})

it.each([
  [
    'an invalid transaction',
    entry(2, { amount: Number.NaN }),
    'Transaction 1 of 2: `amount` must be a number, got NaN. No transaction was added.',
  ],
  [
    'a day that does not exist',
    entry(2, { createdAt: '2026-02-30T00:00:00Z' }),
    '`createdAt` must be a day of the calendar',
  ],
  ['an empty user', entry(2, { platformId: '' }), '`platformId` must be a user identifier'],
  ['a taken id', entry(1), `transactionId ${id(1)}, which is taken. No transaction was added.`],
  ['an id twice in the batch', entry(5), `transactionId ${id(5)}, which is taken`],
])('a store rejects %s and adds no transaction', (_what, broken, message) => {
  const store = ledgerOf(entry(1))

  expect(() => store.add([entry(5), broken])).toThrow(message)
  expect(store.entries()).toEqual([entry(1)])
  expect(() => store.add([entry(5)])).not.toThrow()
})

it('a store keeps the order of many additions, whether it is queried in between or not, and rejects ids that are taken', () => {
  const store = ledgerOf(entry(1), entry(2))
  store.add([entry(3)])
  store.add([entry(4), entry(5)])
  const earlier = store.state()

  store.add([entry(6)])
  expect([store.size, amounts(store, [])]).toEqual([6, [1, 2, 3, 4, 5, 6]])
  store.restore(earlier)
  store.add([entry(7)])

  expect([store.size, amounts(store, [])]).toEqual([6, [1, 2, 3, 4, 5, 7]])
  expect(() => store.add([entry(3)])).toThrow('is taken')
  expect(() => store.add([entry(7)])).toThrow('is taken')
  store.add([entry(6)])
  expect(store.entries().map(({ amount }) => amount)).toEqual([1, 2, 3, 4, 5, 7, 6])
})

it('a store adds up what it selects exactly, also where an integer cannot stand for every amount', () => {
  const store = ledgerOf(entry(1, { amount: 0.1 }), entry(2, { amount: 0.2 }), entry(3, { amount: 1 / 3 }))

  expect(store.select([{ field: 'amount', max: 0.25 }], byAmount).sum('amount')).toBe(0.3)
})

it('a store removes transactions, whose ids may then be used again', () => {
  const store = ledgerOf(entry(1), entry(2), entry(3))

  expect(() => store.remove([id(2), id(4)])).toThrow('No transaction was removed')
  store.remove([id(2)])

  expect(amounts(store, [])).toEqual([1, 3])
  store.add([entry(2)])
  expect(store.size).toBe(3)
})
