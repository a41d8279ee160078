import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { describe, expect, it } from 'vitest'
import { createRows, type Filter, type Sort } from './index.ts'

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
  const rows = createRows()
  rows.add(entries)
  return rows
}
const amounts = (rows: ReturnType<typeof createRows>, filter: Filter, sort: Sort = byAmount) =>
  rows
    .select(filter, sort)
    .slice(0, Infinity)
    .map((row) => row.amount)

describe('adding', () => {
  it('keeps the documented fields and createdAt to the millisecond', () => {
    const rows = ledgerOf({ ...entry(1, { createdAt: '2026-01-01T00:00:00,5+00:00' }), extra: 1 } as LedgerEntry)

    expect(rows.entries()).toEqual([entry(1, { createdAt: '2026-01-01T00:00:00.500Z' })])
  })

  it.each([
    ['a broken row', entry(2, { amount: Number.NaN }), 'Row 1 of 2 breaks the contract: amount must be a number'],
    ['a day that is not', entry(2, { createdAt: '2026-02-30T00:00:00Z' }), 'createdAt must be a day of the calendar'],
    ['an empty user', entry(2, { platformId: '' }), 'platformId must be a user identifier'],
    ['a taken id', entry(1), `transactionId ${id(1)}, which is taken. Nothing was added.`],
    ['an id twice in the batch', entry(5), `transactionId ${id(5)}, which is taken`],
  ])('refuses %s and adds nothing', (_what, broken, message) => {
    const rows = ledgerOf(entry(1))

    expect(() => rows.add([entry(5), broken])).toThrow(message)
    expect(rows.entries()).toEqual([entry(1)])
    expect(() => rows.add([entry(5)])).not.toThrow()
  })
})

describe('removing', () => {
  it('again and again, looked at between or not, keeps the order and refuses every id that is there', () => {
    const rows = ledgerOf(entry(1), entry(2))
    rows.add([entry(3)])
    rows.add([entry(4), entry(5)])
    const earlier = rows.state()

    rows.add([entry(6)])
    expect([rows.size, amounts(rows, {})]).toEqual([6, [1, 2, 3, 4, 5, 6]])
    rows.restore(earlier)
    rows.add([entry(7)])

    expect([rows.size, amounts(rows, {})]).toEqual([6, [1, 2, 3, 4, 5, 7]])
    expect(() => rows.add([entry(3)])).toThrow('is taken')
    expect(() => rows.add([entry(7)])).toThrow('is taken')
    rows.add([entry(6)])
    expect(rows.entries().map(({ amount }) => amount)).toEqual([1, 2, 3, 4, 5, 7, 6])
  })

  it('takes rows out, and lets their ids be used again', () => {
    const rows = ledgerOf(entry(1), entry(2), entry(3))

    rows.remove([id(2)])

    expect(amounts(rows, {})).toEqual([1, 3])
    rows.add([entry(2)])
    expect(rows.size).toBe(3)
  })

  it('refuses an unknown id and removes nothing', () => {
    const rows = ledgerOf(entry(1))

    expect(() => rows.remove([id(1), id(9)])).toThrow(`No row has the transactionId "${id(9)}". Nothing was removed.`)
    expect(rows.size).toBe(1)
  })
})

describe('selecting', () => {
  const rows = ledgerOf(
    entry(1, { source: 'Shop' }),
    entry(2, { platformId: 'u2' }),
    entry(3, { source: 'workshop' }),
    entry(4),
  )

  it.each<[string, Filter, number[]]>([
    ['everything', {}, [1, 2, 3, 4]],
    ['one user', { platformId: 'u2' }, [2]],
    ['an unknown user', { platformId: 'u3' }, []],
    ['a source exactly', { source: { text: 'shop', match: 'exact' } }, [2, 4]],
    ['a source in any case', { source: { text: 'SHOP', match: 'case-insensitive' } }, [1, 2, 4]],
    ['a part of the source', { source: { text: 'shop', match: 'contains' } }, [2, 3, 4]],
    ['amounts, bounds included', { minAmount: 2, maxAmount: 3 }, [2, 3]],
    ['times, bounds included', { minCreatedAt: Date.UTC(2026, 0, 1, 0, 0, 3), maxCreatedAt: Date.UTC(2027) }, [3, 4]],
  ])('finds %s', (_what, filter, expected) => {
    expect(amounts(rows, filter)).toEqual(expected)
    expect(rows.select(filter, byAmount).total).toBe(expected.length)
  })

  it('sees what was added and removed since the last time', () => {
    const growing = ledgerOf(entry(1))
    expect(amounts(growing, {})).toEqual([1])

    growing.add([entry(2)])
    expect(amounts(growing, {})).toEqual([1, 2])
    growing.remove([id(1)])

    expect(amounts(growing, {})).toEqual([2])
    expect([...growing.users()]).toEqual([['u1', 0]])
  })

  it('adds up a column', () => {
    const cents = ledgerOf(entry(1, { total: 0.1 }), entry(2, { total: 0.2 }))

    expect(cents.select({}, byAmount).sum('total')).toBe(0.3)
    expect(cents.select({}, byAmount).sum('amount')).toBe(3)
  })

  it('names users by their first match in the order asked for', () => {
    expect(rows.select({}, { ...byAmount, order: 'desc' }).users).toEqual(['u1', 'u2'])
    expect(rows.select({ minAmount: 2 }, byAmount).users).toEqual(['u2', 'u1'])
  })
})

describe('sorting', () => {
  const rows = ledgerOf(
    entry(3, { amount: 5, name: 'b' }),
    entry(1, { amount: 5, name: 'C' }),
    entry(2, { amount: 1, name: 'a' }),
  )
  const ids = (sort: Partial<Sort>) =>
    rows
      .select({}, { ...byAmount, ...sort })
      .slice(0, 9)
      .map((row) => Number(row.transactionId.slice(-1)))

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
  ])('orders by %o', (sort, expected) => {
    expect(ids(sort)).toEqual(expected)
  })
})
