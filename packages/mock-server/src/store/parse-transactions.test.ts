import { transaction as sample } from '@guild-ledger/test-kit'
import { expect, it } from 'vitest'
import { createLineReader, parseTransactions } from './index.ts'

const transaction = { platformId: '8412', ...sample }
const good = JSON.stringify(transaction)

it('parseTransactions parses one transaction per line, with any line ends, and skips empty lines', () => {
  const other = { ...transaction, transactionId: transaction.transactionId.replace('0b9d', '0b9e') }

  expect(parseTransactions(`\uFEFF${good}\r\n\n${JSON.stringify(other)}\n`)).toEqual([transaction, other])
})

it.each([
  ['{"a":', 'line 3: must be JSON, got "{\\"a\\":"'],
  ['[]', 'line 3: a transaction must be'],
  [JSON.stringify({ ...transaction, amount: '1' }), 'line 3: `amount` must be a number, got "1"'],
  [good, 'line 3: the transactionId 0b9d1c1e-6f6a-4d3e-9c55-0a1f5f0c8a11 is that of line 1'],
])('parseTransactions names the number of an invalid line: %s', (line, message) => {
  expect(() => parseTransactions(`${good}\n\n${line}\n`)).toThrow(message)
})

const group = { platformId: '8412', transactions: [{ ...transaction, platformId: undefined }] }
const har = (...contents: object[]) => ({ log: { entries: contents.map((content) => ({ response: { content } })) } })
const body = (data: unknown) => JSON.stringify({ success: true, data })

it('parseTransactions parses the responses of a HAR file, of a transaction read twice the last, and skips other responses', () => {
  const changed = { ...group, transactions: [{ ...transaction, amount: 13 }] }
  const file = har(
    { text: '<html>' },
    { text: body([group]) },
    { text: JSON.stringify({ success: false, message: 'Failed' }) },
    {},
    { text: btoa(body(changed)), encoding: 'base64' },
  )

  expect(parseTransactions(JSON.stringify(file, null, 2))).toEqual([{ ...transaction, amount: 13 }])
  expect(() => parseTransactions(har({ text: '{}' }))).toThrow(
    'the HAR file has no response of the service with transactions',
  )
  expect(() => parseTransactions(har({ text: body([{ ...group, transactions: [{}] }]) }))).toThrow(
    'entries[0]: data[0].transactions[0]: `transactionId` must be',
  )
})

const second = { ...transaction, transactionId: transaction.transactionId.replace('0b9d', '0b9e') }

it.each<[string, unknown]>([
  ['a response of list-all', { success: true, data: [group] }],
  ['a response for one user', { data: group, pagination: {} }],
  ['a response as a string', JSON.stringify({ data: [group] })],
  ['a response as a string of many lines', JSON.stringify({ data: [group] }, null, 2)],
  ['an array of responses', [{ data: [group] }]],
  ['an array of transactions', [transaction]],
  ['an array of transactions as a string of many lines', JSON.stringify([transaction], null, 2)],
])('parseTransactions parses %s', (_what, given) => {
  expect(parseTransactions(given)).toEqual([transaction])
})

it('parseTransactions parses lines with responses and transactions', () => {
  expect(parseTransactions(`${JSON.stringify({ data: group })}\n${JSON.stringify(second)}`)).toEqual([
    transaction,
    second,
  ])
})

it.each<[unknown, string]>([
  [
    { data: [group, { platformId: '1' }] },
    'data[1] must be an object with an array `transactions`, got an object with 1 field',
  ],
  [
    { data: [{ ...group, transactions: [{ ...transaction, total: 'x' }] }] },
    'data[0].transactions[0]: `total` must be a number',
  ],
  [
    `${good}\n${JSON.stringify({ data: [3] })}`,
    'line 2: data[0] must be an object with an array `transactions`, got 3',
  ],
  [[transaction, transaction], 'item 1: the transactionId 0b9d1c1e-6f6a-4d3e-9c55-0a1f5f0c8a11 is that of item 0'],
  [{}, '`transactionId` must be'],
  [7, 'a transaction must be'],
])('parseTransactions names the place in %j that is invalid', (given, message) => {
  expect(() => parseTransactions(given)).toThrow(message)
})

const withoutTotal = { ...transaction, total: undefined }

it.each<[string, unknown, string]>([
  ['a transaction', withoutTotal, '`total` must be a number, got undefined'],
  ['a response', { data: [group, 3] }, 'data[1] must be an object with an array `transactions`, got 3'],
  ['one line', `${JSON.stringify(withoutTotal)}\n`, 'line 1: `total` must be a number, got undefined'],
  ['JSON of many lines', JSON.stringify(withoutTotal, null, 1), '`total` must be a number, got undefined'],
  ['a line with null', `${good}\nnull`, 'line 2: a transaction must be an object, got null'],
])('parseTransactions starts the message with the place, if there is more than one, in %s', (_what, given, message) => {
  expect(() => parseTransactions(given)).toThrow(expect.objectContaining({ message }))
})

it('parseTransactions skips a line of spaces, and drops a byte order mark at the start only', () => {
  const named = { ...transaction, name: 'a\uFEFFb' }

  expect(parseTransactions(`\uFEFF${JSON.stringify(named)}\n  \n`)).toEqual([named])
  expect(parseTransactions(JSON.stringify(named))).toEqual([named])
})

it('parseTransactions parses line by line what it parses at once, and names the number of a line', () => {
  const read = createLineReader()

  expect([good, '', JSON.stringify({ data: { ...group, transactions: [second] } })].map((line) => read(line))).toEqual([
    [transaction],
    [],
    [second],
  ])
  expect(() => read('{')).toThrow('line 4: must be JSON, got "{"')
  expect(() => read(good)).toThrow('line 5: the transactionId 0b9d1c1e-6f6a-4d3e-9c55-0a1f5f0c8a11 is that of line 1')
})
