import type { LedgerEntry } from '@guild-ledger/sdk'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { csvFormat, readCsv } from './csv.ts'

const csv = csvFormat(false)
const excel = csvFormat(true)

const entry = (name: string, amount = 1): LedgerEntry => ({
  platformId: '8412',
  transactionId: '0b9d1c1e-6f6a-4d3e-9c55-0a1f5f0c8a11',
  amount,
  quantity: 1,
  name,
  source: 'shop',
  total: 1,
  createdAt: '2026-01-31T10:00:00.000Z',
})
const row = (name: string, amount = '1') =>
  `8412,0b9d1c1e-6f6a-4d3e-9c55-0a1f5f0c8a11,${amount},1,${name},shop,1,2026-01-31T10:00:00.000Z\r\n`

it('begins with the names of the spec', () => {
  const header = 'platformId,transactionId,amount,quantity,name,source,total,createdAt\r\n'
  expect(csv.head).toBe(header)
  expect(excel.head).toBe(`\uFEFF${header}`)
})

it.each([
  ['plain text', 'Axe', 'Axe'],
  ['no text', '', '""'],
  ['a comma', 'Axe, old', '"Axe, old"'],
  ['a quote', 'a 3" nail', '"a 3"" nail"'],
  ['a line break', 'a\nb', '"a\nb"'],
  ['a formula', '=HYPERLINK("x")', '"\t=HYPERLINK(""x"")"'],
  ['a formula behind spaces', '  @SUM(1)', '"\t  @SUM(1)"'],
  ['a formula in wide characters', '＝1', '"\t＝1"'],
  ['a sign', '-1', '"\t-1"'],
  ['a tab', '\tAxe', '"\t\tAxe"'],
])('writes %s', (_, name, cell) => {
  expect(csv.format(entry(name))).toBe(row(cell))
})

it.each([
  [-5.25, '-5.25'],
  [0.1 + 0.2, '0.30000000000000004'],
  [1e21, '1e+21'],
])('writes the number %s as it is, without a tab', (amount, cell) => {
  expect(csv.format(entry('Axe', amount))).toBe(row('Axe', cell))
})

it.each([
  ['an ID of 18 digits', '942118128392539345'],
  ['an ID of 16 digits', '1234567890123456'],
  ['zeros in front', '00123'],
  ['an exponent', '1E5'],
])('keeps %s as text in a spreadsheet', (_, text) => {
  expect(excel.format(entry(text))).toBe(row(`"\t${text}"`))
  expect(csv.format(entry(text))).toBe(row(text))
})

it.each(['8412', '123456789012345', 'Axe', '10 axes'])('writes %j to a spreadsheet as it is', (text) => {
  expect(excel.format(entry(text))).toBe(row(text))
})

const chunksOf = async function* (text: string, size: number) {
  const characters = Array.from(text)
  for (let i = 0; i < characters.length; i += size) yield characters.slice(i, i + size).join('')
}

it.each([
  ['CSV', csv],
  ['CSV for Excel', excel],
])('reads the %s that it writes, whatever the text and wherever it is cut', async (_, { head, format }) => {
  const texts = fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', '\t', '=', ' ', 'a', '0', '😀', '＝') })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(texts, texts)), fc.integer({ min: 1, max: 9 }), async (pairs, size) => {
      const entries = pairs.map(([name, source]) => ({ ...entry(name), source }))
      const text = head + entries.map(format).join('')
      expect(await Array.fromAsync(readCsv(chunksOf(text, size)))).toEqual(entries)
    }),
  )
})
