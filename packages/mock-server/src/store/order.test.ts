import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { describe, expect, it } from 'vitest'
import { groupsOf, orderOf } from './order.ts'
import type { Sort } from './selection.ts'
import { createTable } from './table.ts'

const second = (n: number) => `2026-01-01T00:00:0${n}.000Z`
/** Transactions with these values and ids. */
const entries = (...given: readonly (readonly [value: number, id: string, user?: string])[]): LedgerEntry[] =>
  given.map(([value, transactionId, platformId = 'ann']) => ({
    platformId,
    transactionId,
    amount: value,
    quantity: value,
    name: `${'aB'[value % 2]}${value}`,
    source: 'shop',
    total: value,
    createdAt: second(value),
  }))
const first = entries([5, 'e'], [2, 'b'], [7, 'g', 'bob'], [2, 'a'])
const more = entries([2, 'aa', 'bob'], [9, 'i'], [1, 'z'], [7, 'c'])
const sort: Sort = { by: 'amount', order: 'asc', names: 'code-unit', ties: 'ledger' }

/** Tables with the same transactions: made at once, extended before anything was read, and extended after that. */
const tables = (by: Partial<Sort>) => {
  const fresh = createTable(() => first)
  const known = createTable(() => first)
  orderOf(known, { ...sort, ...by })
  return [createTable(() => [...first, ...more]), fresh.extended(more), known.extended(more)]
}

describe('the order of transactions', () => {
  it.each<[Partial<Sort>, number[]]>([
    [{ by: 'amount' }, [6, 1, 3, 4, 0, 2, 7, 5]],
    [{ by: 'quantity' }, [6, 1, 3, 4, 0, 2, 7, 5]],
    [{ by: 'total' }, [6, 1, 3, 4, 0, 2, 7, 5]],
    [{ by: 'createdAt' }, [6, 1, 3, 4, 0, 2, 7, 5]],
    [{ by: 'amount', ties: 'transaction-id' }, [6, 3, 4, 1, 0, 7, 2, 5]],
    // B1, B5, B7, B7, B9, a2, a2, a2
    [{ by: 'name' }, [6, 0, 2, 7, 5, 1, 3, 4]],
    // a2, a2, a2, b1, b5, b7, b7, b9
    [{ by: 'name', names: 'case-insensitive' }, [1, 3, 4, 6, 0, 2, 7, 5]],
  ])('by %o is the same whether all were there at once or some were added', (by, expected) => {
    for (const table of tables(by)) expect([...orderOf(table, { ...sort, ...by }).indexes]).toEqual(expected)
  })

  it('has last what comes after all that were added', () => {
    const table = createTable(() => entries([1, 'a'], [9, 'i'], [8, 'h']))
    orderOf(table, sort)

    expect([...orderOf(table.extended(entries([3, 'c'], [2, 'b'])), sort).indexes]).toEqual([0, 4, 3, 2, 1])
  })

  it('is one array for both orders of names, unless names are sorted', () => {
    const table = createTable(() => first)
    const byBoth = (by: Sort['by']) =>
      (['code-unit', 'case-insensitive'] as const).map((names) => orderOf(table, { ...sort, by, names }))

    const [amounts, sameAmounts] = byBoth('amount')
    expect(amounts?.indexes).toBe(sameAmounts?.indexes)
    const [names, otherNames] = byBoth('name')
    expect(names?.indexes).not.toBe(otherNames?.indexes)
  })

  it('is kept in the groups of each user, which follow one another', () => {
    for (const table of tables({})) {
      const { indexes, starts } = groupsOf(table, 'platformId', sort)

      expect([...indexes]).toEqual([6, 1, 3, 0, 7, 5, 4, 2])
      expect([...starts]).toEqual([0, 6, 8])
    }
  })
})
