import { expect, it } from 'vitest'
import { rowsFromNdjson } from './index.ts'

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

  expect(rowsFromNdjson(`\uFEFF${good}\r\n\n${JSON.stringify(other)}\n`)).toEqual([row, other])
})

it.each([
  ['{"a":', 'line 3: not JSON, but "{\\"a\\":"'],
  ['[]', 'line 3: a row must be'],
  [JSON.stringify({ ...row, amount: '1' }), 'line 3: amount must be a number, not "1"'],
  [good, 'line 3: the transactionId 0b9d1c1e-6f6a-4d3e-9c55-0a1f5f0c8a11 is that of line 1'],
])('tells the number of a bad line: %s', (line, message) => {
  expect(() => rowsFromNdjson(`${good}\n\n${line}\n`)).toThrow(message)
})
