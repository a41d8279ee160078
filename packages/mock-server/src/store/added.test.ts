import { expect, it } from 'vitest'
import { createTransactionFactory } from '../seed/transaction-factory.ts'
import { createTransactionStore } from './transactions.ts'

it.each<[string, (n: number) => number, number[], number]>([
  ['integers and cents', (n) => n, [0.25, 0.5], 136.75],
  ['cents and integers', (n) => n / 4, [1, 2], 37],
  ['values of many digits and integers', (n) => (n === 1 ? 1 / 3 : 1), [1, 2], 18.333333333333332],
  ['integers and values of many digits', () => 1, [1 / 3, 1], 17.333333333333332],
  ['integers that are too large for cents, and cents', (n) => (n === 1 ? 8e14 : 0), [0.3], 8e14 + 0.3],
])('transactions that are added are added up with the others: %s', (_what, totalOf, addedTotals, expected) => {
  const transaction = createTransactionFactory()
  const store = createTransactionStore(() =>
    Array.from({ length: 16 }, (_, i) => transaction({ total: totalOf(i + 1) })),
  )
  store.add(addedTotals.map((total) => transaction({ total })))

  const { sum } = store.select([], { by: 'amount', order: 'asc', names: 'code-unit', ties: 'ledger' })

  expect(sum('total')).toBe(expected)
})
