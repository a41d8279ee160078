import { expect, it } from 'vitest'
import { rowsFrom } from './index.ts'

const row = {
  platformId: '8412',
  transactionId: '0b9d1c1e-6f6a-4d3e-9c55-0a1f5f0c8a11',
  amount: 12.5,
  quantity: 2,
  name: 'Iron Sword',
  source: 'shop',
  total: 25,
  createdAt: '2026-01-31T10:00:00.000Z',
}
const good = JSON.stringify(row)

it('reads one row a line, whatever the line ends and empty lines', () => {
  const other = { ...row, transactionId: row.transactionId.replace('0b9d', '0b9e') }

  expect(rowsFrom(`\uFEFF${good}\r\n\n${JSON.stringify(other)}\n`)).toEqual([row, other])
})

it.each([
  ['{"a":', 'line 3: not JSON, but "{\\"a\\":"'],
  ['[]', 'line 3: a row must be'],
  [JSON.stringify({ ...row, amount: '1' }), 'line 3: amount must be a number, not "1"'],
  [good, 'line 3: the transactionId 0b9d1c1e-6f6a-4d3e-9c55-0a1f5f0c8a11 is that of line 1'],
])('tells the number of a bad line: %s', (line, message) => {
  expect(() => rowsFrom(`${good}\n\n${line}\n`)).toThrow(message)
})

const group = { platformId: '8412', transactions: [{ ...row, platformId: undefined }] }
const second = { ...row, transactionId: row.transactionId.replace('0b9d', '0b9e') }

it.each<[string, unknown]>([
  ['a reply of list-all', { success: true, data: [group] }],
  ['a reply of one user', { data: group, pagination: {} }],
  ['a reply as text', JSON.stringify({ data: [group] })],
  ['a reply as text over many lines', JSON.stringify({ data: [group] }, null, 2)],
  ['a list of replies', [{ data: [group] }]],
  ['a list of rows', [row]],
  ['a list of rows as text over many lines', JSON.stringify([row], null, 2)],
])('reads %s', (_what, given) => {
  expect(rowsFrom(given)).toEqual([row])
})

it('reads replies and rows from lines', () => {
  expect(rowsFrom(`${JSON.stringify({ data: group })}\n${JSON.stringify(second)}`)).toEqual([row, second])
})

it.each<[unknown, string]>([
  [{ data: [group, { platformId: '1' }] }, 'data[1]: must have a list of transactions, not an object with 1 fields'],
  [{ data: [{ ...group, transactions: [{ ...row, total: 'x' }] }] }, 'data[0].transactions[0]: total must be a number'],
  [`${good}\n${JSON.stringify({ data: [3] })}`, 'line 2: data[0]: must have a list of transactions, not 3'],
  [[row, row], 'item 1: the transactionId 0b9d1c1e-6f6a-4d3e-9c55-0a1f5f0c8a11 is that of item 0'],
  [{}, 'transactionId must be'],
  [7, 'a row must be'],
])('tells where in %j something is wrong', (given, message) => {
  expect(() => rowsFrom(given)).toThrow(message)
})
