import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { expect, it } from 'vitest'
import { createTransactionStore, type Filter, type Sort } from './index.ts'

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const entry = (n: number, change: Partial<LedgerEntry> = {}): LedgerEntry => ({
  platformId: 'u1',
  transactionId: id(n),
  amount: n,
  quantity: 1,
  name: 'Item',
  source: 'shop',
  total: n,
  createdAt: `2026-01-01T00:00:0${n}.000Z`,
  ...change,
})
const byAmount: Sort = { by: 'amount', order: 'asc', names: 'code-unit', ties: 'transaction-id' }
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

it('keeps only the fields of the spec, and createdAt to the millisecond', () => {
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
])('rejects %s and adds no transaction', (_what, broken, message) => {
  const store = ledgerOf(entry(1))

  expect(() => store.add([entry(5), broken])).toThrow(message)
  expect(store.entries()).toEqual([entry(1)])
  expect(() => store.add([entry(5)])).not.toThrow()
})

it('keeps the order of many additions, whether it is queried in between or not, and rejects ids that are taken', () => {
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

it('removes transactions, whose ids may then be used again', () => {
  const store = ledgerOf(entry(1), entry(2), entry(3))

  store.remove([id(2)])

  expect(amounts(store, [])).toEqual([1, 3])
  store.add([entry(2)])
  expect(store.size).toBe(3)
})

it('knows the ids of seeded transactions', () => {
  const store = createTransactionStore(() => [entry(1), entry(2)])

  expect(() => store.add([entry(2)])).toThrow('is taken')
  store.remove([id(2)])
  expect(store.entries()).toEqual([entry(1)])
})

it('rejects an unknown id and removes no transaction', () => {
  const store = ledgerOf(entry(1))

  expect(() => store.remove([id(1), id(9)])).toThrow(
    `No transaction has the transactionId "${id(9)}". No transaction was removed.`,
  )
  expect(store.size).toBe(1)
})

const sourced = ledgerOf(
  entry(1, { source: 'Shop' }),
  entry(2, { platformId: 'u2' }),
  entry(3, { source: 'workshop' }),
  entry(4),
)

it.each<[string, Filter, number[]]>([
  ['all transactions', [], [1, 2, 3, 4]],
  ['one user', [{ field: 'platformId', text: 'u2', match: 'exact' }], [2]],
  ['an unknown user', [{ field: 'platformId', text: 'u3', match: 'exact' }], []],
  ['a source exactly', [{ field: 'source', text: 'shop', match: 'exact' }], [2, 4]],
  ['a source in any case', [{ field: 'source', text: 'SHOP', match: 'case-insensitive' }], [1, 2, 4]],
  ['a part of the source', [{ field: 'source', text: 'shop', match: 'contains' }], [2, 3, 4]],
  ['amounts, bounds included', [{ field: 'amount', min: 2, max: 3 }], [2, 3]],
  ['times, bounds included', [{ field: 'createdAt', min: Date.UTC(2026, 0, 1, 0, 0, 3), max: Date.UTC(2027) }], [3, 4]],
])('selects %s', (_what, filter, expected) => {
  expect(amounts(sourced, filter)).toEqual(expected)
  expect(sourced.select(filter, byAmount).total).toBe(expected.length)
})

it('selects what was added and not what was removed since the last query', () => {
  const growing = ledgerOf(entry(1))
  expect(amounts(growing, [])).toEqual([1])

  growing.add([entry(2)])
  expect(amounts(growing, [])).toEqual([1, 2])
  growing.remove([id(1)])

  expect(amounts(growing, [])).toEqual([2])
  expect([...growing.users()]).toEqual([['u1', 0]])
})

it('adds up a field', () => {
  const cents = ledgerOf(entry(1, { total: 0.1 }), entry(2, { total: 0.2 }))

  expect(cents.select([], byAmount).sum('total')).toBe(0.3)
  expect(cents.select([], byAmount).sum('amount')).toBe(3)
})

it('lists users by their first match in the order of the sort', () => {
  expect(sourced.select([], { ...byAmount, order: 'desc' }).users).toEqual(['u1', 'u2'])
  expect(sourced.select([{ field: 'amount', min: 2 }], byAmount).users).toEqual(['u2', 'u1'])
})

const unsorted = ledgerOf(
  entry(3, { amount: 5, name: 'b' }),
  entry(1, { amount: 5, name: 'C' }),
  entry(2, { amount: 1, name: 'a' }),
)
const ids = (sort: Partial<Sort>) =>
  unsorted
    .select([], { ...byAmount, ...sort })
    .slice(0, 9)
    .map((each) => Number(each.transactionId.slice(-1)))

it.each<[Partial<Sort>, number[]]>([
  [{ by: 'amount', order: 'asc' }, [2, 1, 3]],
  [{ by: 'amount', order: 'desc' }, [1, 3, 2]],
  [{ by: 'amount', order: 'asc', ties: 'ledger' }, [2, 3, 1]],
  [{ by: 'amount', order: 'desc', ties: 'ledger' }, [3, 1, 2]],
  [{ by: 'quantity', order: 'desc', ties: 'ledger' }, [3, 1, 2]],
  [{ by: 'createdAt', order: 'asc' }, [1, 2, 3]],
  [{ by: 'createdAt', order: 'desc' }, [3, 2, 1]],
  [{ by: 'name', order: 'asc' }, [1, 2, 3]],
  [{ by: 'name', order: 'asc', names: 'case-insensitive' }, [2, 3, 1]],
  [{ by: 'name', order: 'desc', names: 'case-insensitive' }, [1, 3, 2]],
])('sorts by %o', (sort, expected) => {
  expect(ids(sort)).toEqual(expected)
})

it('ranks users by their first transaction in the ledger, wherever they were added', () => {
  const store = ledgerOf(entry(1), entry(2, { platformId: 'u2' }), entry(3), entry(4))
  store.add([entry(5, { platformId: 'u3' })])
  store.add([entry(6, { platformId: 'u2' })])

  expect([...store.users()]).toEqual([
    ['u1', 0],
    ['u2', 1],
    ['u3', 2],
  ])
})

it('adds up decimals of added transactions as exactly as if they had been there before', () => {
  const store = ledgerOf(entry(1, { total: 0.1 }), entry(2), entry(3), entry(4))
  store.add([entry(5, { total: 0.2 })])
  expect(store.select([{ field: 'amount', max: 5, min: 5 }], byAmount).sum('total')).toBe(0.2)
  expect(store.select([], byAmount).sum('total')).toBe(9.3)

  store.add([entry(6, { total: 1 / 3 })])
  expect(store.select([], byAmount).sum('total')).toBe(9.633333333333333)
})

it('finds what matches a query once for all of its pages, of the last eight queries', () => {
  const store = ledgerOf(entry(9))
  const select = (minAmount: number) => store.select([{ field: 'amount', min: minAmount }], byAmount)
  const [first, second] = [select(1), select(2)]

  for (let i = 3; i <= 8; i++) select(i)
  expect(select(1)).toBe(first)
  select(9)
  expect(select(2)).toBe(second)
  expect(select(1)).not.toBe(first)
})

it.each([[undefined], [{ length: 1 }], ['x']])('rejects %j in place of an array of transactions', (given) => {
  const store = createTransactionStore()

  expect(() => store.add(given as never)).toThrow(/^Transactions to add must be an array, got /)
  expect(store.size).toBe(0)
})

it('keeps additions apart while these are few, and makes one table of all once their square is larger than the rest', () => {
  const store = createTransactionStore(() => Array.from({ length: 9 }, (_none, i) => entry(i)))
  const sizes = () => [store.state().table.entries.length, store.state().late.entries.length]

  store.add([entry(9, { transactionId: id(21) })])
  store.add([entry(9, { transactionId: id(22) }), entry(9, { transactionId: id(23) })])
  expect(sizes()).toEqual([9, 3])
  store.add([entry(9, { transactionId: id(24) })])
  expect(sizes()).toEqual([13, 0])
})

it('ranks users once for each state of the ledger, without a copy where no user was added lately', () => {
  const store = createTransactionStore(() => Array.from({ length: 9 }, (_none, i) => entry(i)))
  const early = store.users()

  store.add([entry(9)])
  expect(store.users()).toBe(early)
  store.add([entry(9, { transactionId: id(21), platformId: 'u2' })])
  expect([...store.users().keys()]).toEqual(['u1', 'u2'])
  expect(store.users()).toBe(store.users())
})
