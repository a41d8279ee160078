import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { describe, expect, it, vi } from 'vitest'
import { selectFrom } from './select.ts'
import type { Filter, Sort } from './selection.ts'
import { createTable } from './table.ts'

const day = Date.UTC(2026, 0, 1)
/** Transaction `i` of 2000 has the amount `i` and is `1999 - i` ms after midnight. Every tenth is bob's. */
const entries = Array.from({ length: 2000 }, (_none, i): LedgerEntry => ({
  platformId: i % 10 === 0 ? 'bob' : 'ann',
  transactionId: String(i),
  amount: i,
  quantity: 1,
  name: 'Item',
  source: 'shop',
  total: 1,
  createdAt: new Date(day + 1999 - i).toISOString(),
}))
const byTime: Sort = { by: 'createdAt', order: 'asc', names: 'code-unit', ties: 'ledger' }
const byAmount: Sort = { ...byTime, by: 'amount' }

/** The same table, which counts how often values and users of transactions are read. */
const createWatched = () => {
  const table = createTable(() => entries)
  let reads = 0
  const watched = <Values extends object>(values: Values): Values =>
    new Proxy(values, {
      get(target, name) {
        if (/^\d+$/.test(String(name))) reads++
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    })
  const [{ numbers, codes }, once] = [{ ...table }, vi.spyOn(table, 'once')]
  vi.spyOn(table, 'numbers').mockImplementation((field) => watched(numbers(field)))
  vi.spyOn(table, 'codes').mockImplementation((field) => ({ ...codes(field), of: watched(codes(field).of) }))
  const readsIn = (work: () => void): number => {
    reads = 0
    work()
    return reads
  }
  return { table, readsIn, keptNames: () => [...new Set(once.mock.calls.map(([name]) => name))] }
}

/** What a query reads when all indexes are there: to find the matches, for the first ten of them, and for the summary. */
const costOf = (filter: Filter, sort: Sort) => {
  const { table, readsIn, keptNames } = createWatched()
  const read = () => {
    let selection: ReturnType<typeof selectFrom>
    const find = readsIn(() => void (selection = selectFrom(table, filter, sort)))
    const page = readsIn(() => void selection?.page(0, 10))
    const users = readsIn(() => void selection?.countUsers())
    const sum = readsIn(() => void selection?.matches.integerSum('amount'))
    return { total: selection?.matches.total, find, page, users, sum }
  }
  read()
  return { ...read(), names: keptNames() }
}

// Halving finds an end of a run of 2000 in 11 reads, a prefix sum reads 127 values at most: an end each.
const [twoEnds, fourEnds, twoSums] = [22, 44, 254]

describe('a selection', () => {
  it.each<[string, Filter, Sort, number]>([
    ['all transactions', {}, byTime, 2000],
    ['all transactions in another order', {}, byAmount, 2000],
    ['one user', { platformId: 'ann' }, byAmount, 1800],
    ['a range in the order of the sort', { minAmount: 500 }, byAmount, 1500],
    ['a range of one user in the order of the sort', { platformId: 'ann', minAmount: 500 }, byAmount, 1350],
  ])('of %s is a run: nothing is read one by one', (_what, filter, sort, total) => {
    const cost = costOf(filter, sort)

    expect(cost).toMatchObject({ total, page: 0, users: 0 })
    expect(cost.find).toBeLessThanOrEqual(twoEnds)
    expect(cost.sum).toBeLessThanOrEqual(twoSums)
  })

  it.each<[string, Filter, number]>([
    ['a part', { minAmount: 500 }, 1500],
    ['all', { minAmount: 0 }, 2000],
    ['a part of one user', { platformId: 'ann', minAmount: 500 }, 1350],
  ])(
    'of a range in another order is a run for the summary, and is scanned for the page: %s',
    (_what, filter, total) => {
      const cost = costOf(filter, byTime)

      expect(cost).toMatchObject({ total, page: 10, users: 0 })
      expect(cost.find).toBeLessThanOrEqual(twoEnds)
      expect(cost.sum).toBeLessThanOrEqual(twoSums)
    },
  )

  const firstTimes = (count: number): Filter => ({ maxCreatedAt: day + count - 1 })

  it.each<[string, Filter, number]>([
    ['where the run in the order of the sort is shorter', { ...firstTimes(600), minAmount: 1000 }, 600],
    ['where both are as long', { ...firstTimes(600), minAmount: 1400 }, 600],
  ])('of two ranges filters the run in the order of the sort %s', (_what, filter, looked) => {
    const cost = costOf(filter, byTime)

    expect(cost).toMatchObject({ total: 600, page: 0 })
    expect(cost.find).toBeGreaterThanOrEqual(looked)
    expect(cost.find).toBeLessThanOrEqual(looked + fourEnds)
  })

  it.each<[string, Filter, number, number]>([
    ['of all', { ...firstTimes(600), minAmount: 1900 }, 100, 100],
    ['of one user', { ...firstTimes(1000), platformId: 'ann', minAmount: 1900 }, 90, 90],
  ])('of two ranges filters the shorter run %s', (_what, filter, total, looked) => {
    const cost = costOf(filter, byTime)

    expect(cost).toMatchObject({ total, page: 10 })
    expect(cost.find).toBeGreaterThanOrEqual(looked)
    expect(cost.find).toBeLessThanOrEqual(looked + fourEnds)
  })

  it('looks at 512 transactions one by one, and makes another index for more', () => {
    const namesOf = (count: number) => costOf({ ...firstTimes(count), minAmount: 1900 }, byTime).names

    expect(namesOf(512)).not.toContain('order amount  ledger')
    expect(namesOf(513)).toContain('order amount  ledger')
  })

  it('of one user has one user, who is not looked for', () => {
    expect(costOf({ platformId: 'ann', minAmount: 1900, ...firstTimes(600) }, byTime).users).toBe(0)
  })

  it('has sums from one index whatever the sort', () => {
    const { table, keptNames } = createWatched()
    for (const sort of [byTime, byAmount]) selectFrom(table, { platformId: 'ann' }, sort)?.matches.integerSum('amount')

    expect(keptNames().filter((name) => name.startsWith('sums '))).toHaveLength(1)
  })
})
