import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { expect, it, vi } from 'vitest'
import { matchesInList, matchesInRun } from './matches.ts'
import { indexesOf } from './run.ts'
import { createTable } from './table.ts'

/** Transaction `i` of 1200 has the amount `i` and a total of twice as many cents; the users take turns, three of them. */
const table = createTable(() =>
  Array.from({ length: 1200 }, (_none, i) => {
    const fields = { transactionId: String(i), amount: i, total: i / 50, platformId: `user ${i % 3}` }
    return fields as LedgerEntry
  }),
)
/** Backwards, so that positions are no indexes. */
const sorted = { name: 'order test', indexes: Uint32Array.from({ length: 1200 }, (_none, i) => 1199 - i) }

it.each([
  [0, 1200, 3, 719_400],
  [0, 513, 3, 483_759],
  [0, 512, 3, 483_072],
  [187, 1200, 3, 512_578],
  [600, 602, 2, 1197],
  [600, 600, 0, 0],
])('has the same summary of the transactions from %i to %i, however many these are', (from, to, users, sum) => {
  const run = { sorted, from, to }
  for (const matches of [matchesInRun(table, run), matchesInList(table, indexesOf(run))]) {
    expect([matches.total, matches.countUsers()]).toEqual([to - from, users])
    expect([matches.integerSum('amount'), matches.integerSum('total')]).toEqual([sum, 2 * sum])
    expect(matches.values('total')).toEqual(Float64Array.from(indexesOf(run), (index) => index / 50))
  }
})

it('counts the users of runs in two orders of one table', () => {
  const twice = createTable(() =>
    Array.from({ length: 1200 }, (_none, i) => ({ transactionId: String(i), platformId: `${i % 600}` }) as LedgerEntry),
  )
  const usersIn = (name: string, indexAt: (position: number) => number) => {
    const indexes = Uint32Array.from({ length: 1200 }, (_none, position) => indexAt(position))
    return matchesInRun(twice, { sorted: { name, indexes }, from: 0, to: 600 }).countUsers()
  }

  expect(usersIn('each user once, then each once more', (position) => position)).toBe(600)
  expect(usersIn('each user twice', (position) => Math.floor(position / 2) + 600 * (position % 2))).toBe(300)
})

it.each<[string, number, string[]]>([
  ['512 transactions', 512, []],
  ['513 transactions', 513, ['previous order test', 'sums amount order test', 'sums total order test']],
  ['all transactions', 1200, ['sums amount order test', 'sums total order test']],
])('keeps for the summary of %s only the indexes that make it faster', (_what, to, expected) => {
  const once = vi.spyOn(table, 'once')

  const matches = matchesInRun(table, { sorted, from: 0, to })
  matches.countUsers()
  matches.integerSum('amount')
  matches.integerSum('total')

  const names = once.mock.calls.map(([name]) => name)
  expect(names.filter((name) => /^(previous|sums)/.test(name))).toEqual(expected)
})
