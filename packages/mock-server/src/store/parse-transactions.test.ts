import { transaction as sample } from '@guild-ledger/test-kit'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { parseTransactions } from './parse-transactions.ts'

const transaction = { platformId: '8412', ...sample }
const good = JSON.stringify(transaction)

it('parseTransactions parses one transaction per line, with any line ends, and skips empty lines', () => {
  const other = { ...transaction, transactionId: transaction.transactionId.replace('0b9d', '0b9e') }

  expect(parseTransactions(`\uFEFF${good}\r\n\n${JSON.stringify(other)}\n`)).toEqual([transaction, other])
})

it.each([
  ['{"a":}', 'line 3, column 6: must be JSON: expected a value, got "}"'],
  ['{"a":', 'line 4, column 1: the text ends within a JSON value, so it is incomplete'],
  ['[3]', 'line 3, column 2: `[0]` must be an object, got 3'],
  ['{ "amount": "1" }', 'line 3, column 1: `transactionId` must be a string, got undefined'],
  [JSON.stringify({ ...transaction, total: '2' }), 'line 3, column 148: `total` must be a number, got "2"'],
  [good, 'line 3, column 1: the transactionId 0b9d1c1e-6f6a-4d3e-9c55-0a1f5f0c8a11 is that of line 1, column 1'],
])('parseTransactions names line and column of a mistake: %s', (line, message) => {
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
  expect(() => parseTransactions(har({ text: '{}' }))).toThrow('the HAR file has no response of')
  expect(() => parseTransactions(har({ text: body([{ ...group, transactions: [{}] }]) }))).toThrow(
    '`log.entries[0].response.content.text.data[0].transactions[0].transactionId` must be',
  )
})

const second = { ...transaction, transactionId: transaction.transactionId.replace('0b9d', '0b9e') }

it.each<[string, unknown]>([
  ['what the gateway and its feeds stream', `{"transaction":${good}}\n{"ended":"complete"}\n`],
  ['messages of Singer', [{ type: 'SCHEMA' }, { type: 'RECORD', record: transaction }, { type: 'STATE' }]],
  ['a response of list-all', { success: true, data: [group] }],
  ['a response for one user', { data: group, pagination: {} }],
  ['a response as a string', JSON.stringify({ data: [group] })],
  ['a response as a string of many lines', JSON.stringify({ data: [group] }, null, 2)],
  ['an array of responses', [{ data: [group] }]],
  ['a response read twice', `${body([group])}\n${body([group])}`],
  ['pages one after the other, without an end of line', `${body([group])}${body([group])}`],
  ['an array of pages as a string', JSON.stringify([{ data: [group] }, { data: [group] }])],
  ['the data of a response', [group]],
  ['an array of transactions', [transaction]],
  ['an array of transactions as a string of one line', JSON.stringify([transaction])],
  ['an array of transactions as a string of many lines', JSON.stringify([transaction], null, 2)],
  ['a Buffer', Buffer.from(good)],
  ['bytes in the middle of a buffer', Buffer.from(` ${good} `).subarray(1, -1)],
  ['an ArrayBuffer', new TextEncoder().encode(good).buffer],
  ['an ArrayBuffer of another realm', runInNewContext('Uint8Array.from(bytes).buffer', { bytes: Buffer.from(good) })],
  ['bytes in UTF-16', Buffer.from(`\uFEFF${good}`, 'utf16le')],
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
    '`data[1]` must be an object with an array `transactions`, got an object with 1 field',
  ],
  [
    { data: [{ ...group, transactions: [{ ...transaction, total: 'x' }] }] },
    '`data[0].transactions[0].total` must be a number',
  ],
  [
    `${good}\n${JSON.stringify({ data: [3] })}`,
    'line 2, column 10: `data[0]` must be an object with an array `transactions`, got 3',
  ],
  [[transaction, transaction], 'the transactionId 0b9d1c1e-6f6a-4d3e-9c55-0a1f5f0c8a11 is that of [0]'],
  [{}, '`transactionId` must be'],
  [7, 'a transaction must be'],
  [{ success: false, message: 'Failed' }, 'an error response of the service has no transactions: "Failed"'],
  [Promise.resolve(''), 'got a promise: await it first'],
])('parseTransactions names the place in %j that is invalid', (given, message) => {
  expect(() => parseTransactions(given)).toThrow(message)
})

it('parseTransactions skips a line of spaces, and drops a byte order mark at the start only', () => {
  const named = { ...transaction, name: 'a\uFEFFb' }

  expect(parseTransactions(`\uFEFF${JSON.stringify(named)}\n  \n`)).toEqual([named])
  expect(parseTransactions(JSON.stringify(named))).toEqual([named])
})

it('parseTransactions rejects arrays that are nested too deeply', () => {
  expect(() => parseTransactions('['.repeat(50_000) + ']'.repeat(50_000))).toThrow('nested too deeply')
})
