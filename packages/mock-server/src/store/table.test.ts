import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { expect, it, vi } from 'vitest'
import { createTable } from './table.ts'

const entry = (amount: number, platformId = 'ann') => ({ amount, platformId }) as LedgerEntry

it('reads its transactions when they are first needed, and once', () => {
  const read = vi.fn(() => [entry(1)])
  const table = createTable(read)
  expect(read).not.toHaveBeenCalled()

  expect([table.entries, table.entries]).toEqual([[entry(1)], [entry(1)]])
  expect(read).toHaveBeenCalledTimes(1)
})

it('computes something once and keeps it under its name', () => {
  const table = createTable(() => [])
  const compute = vi.fn(() => ({}))

  const first = table.once('name', compute)

  expect(table.once('name', compute)).toBe(first)
  expect(table.once('another name', compute)).not.toBe(first)
  expect(compute).toHaveBeenCalledTimes(2)
})

it('hands numbers, codes and orders on to a table with more transactions, once each, and nothing else', () => {
  const table = createTable(() => [entry(1)])
  const names = ['numbers amount', 'codes platformId', 'order amount', 'sums amount order amount', 'starts source']
  for (const name of names) table.once(name, () => name)

  const extended = table.extended([entry(2)])

  expect(names.map((name) => extended.inherited(name))).toEqual([...names.slice(0, 3), undefined, undefined])
  expect(names.map((name) => extended.inherited(name))).toEqual(names.map(() => undefined))
})

it('hands on what it was handed and has not used', () => {
  const table = createTable(() => [entry(1)])
  table.once('order amount', () => 'order')

  expect(
    table
      .extended([entry(2)])
      .extended([entry(3)])
      .inherited('order amount'),
  ).toBe('order')
})

it('extends numbers and codes by those of the new transactions', () => {
  const table = createTable(() => [entry(1), entry(2, 'bob')])
  table.numbers('amount')
  table.codes('platformId')

  const extended = table.extended([entry(3, 'eve'), entry(4, 'ann')])

  expect([...extended.numbers('amount')]).toEqual([1, 2, 3, 4])
  const { of, texts, codeOf } = extended.codes('platformId')
  expect([[...of], texts, [...codeOf]]).toEqual([
    [0, 1, 2, 0],
    ['ann', 'bob', 'eve'],
    [
      ['ann', 0],
      ['bob', 1],
      ['eve', 2],
    ],
  ])
})
