import type { LedgerEntry } from '@guild-ledger/sdk'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { csvHeader, formatCsv, readCsv } from './csv.ts'

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
  expect(csvHeader).toBe('platformId,transactionId,amount,quantity,name,source,total,createdAt\r\n')
})

it.each([
  ['plain text', 'Axe', 'Axe'],
  ['a comma', 'Axe, old', '"Axe, old"'],
  ['a quote', 'a 3" nail', '"a 3"" nail"'],
  ['a line break', 'a\nb', '"a\nb"'],
  ['a formula', '=HYPERLINK("x")', '"\t=HYPERLINK(""x"")"'],
  ['a formula behind spaces', '  @SUM(1)', '"\t  @SUM(1)"'],
  ['a formula in wide characters', '＝1', '"\t＝1"'],
  ['a sign', '-1', '"\t-1"'],
  ['a tab', '\tAxe', '"\t\tAxe"'],
])('writes %s', (_, name, cell) => {
  expect(formatCsv(entry(name))).toBe(row(cell))
})

it.each([
  [-5.25, '-5.25'],
  [0.1 + 0.2, '0.30000000000000004'],
  [1e21, '1e+21'],
])('writes the number %s as it is, without a tab', (amount, cell) => {
  expect(formatCsv(entry('Axe', amount))).toBe(row('Axe', cell))
})

const chunksOf = async function* (text: string, size: number) {
  const characters = Array.from(text)
  for (let i = 0; i < characters.length; i += size) yield characters.slice(i, i + size).join('')
}

it('reads what it writes, whatever the text and wherever it is cut', async () => {
  const texts = fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', '\t', '=', ' ', 'a', '😀', '＝') })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(texts, texts)), fc.integer({ min: 1, max: 9 }), async (pairs, size) => {
      const entries = pairs.map(([name, source]) => ({ ...entry(name), source }))
      const text = csvHeader + entries.map(formatCsv).join('')
      expect(await Array.fromAsync(readCsv(chunksOf(text, size)))).toEqual(entries)
    }),
  )
})
