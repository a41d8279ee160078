import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { checkReceipt } from '../src/export/receipt.ts'
import { runInTurn, runProgram, startService, temporaryFolder } from './support.ts'

const linesOf = (text: string) => text.split(/(?<=\n)/)

/** What somebody may do to the last line of a text file, and the difference that a check names. */
const textChanges: Record<string, readonly [change: (line: string) => string, named: RegExp]> = {
  'a changed byte': [
    (line) => line.replace(/shop|quest|trade|refund|daily-reward/, (source) => source.toUpperCase()),
    /^[^;]*: sha256: "[\da-f]{64}" instead of "[\da-f]{64}"$/,
  ],
  'a changed amount': [
    (line) => line.replace(/(?<=[:,])\d+(\.\d+)?(?=,)/, '987654.5'),
    /sum of (amount|quantity|total): "\d+(\.\d+)?" instead of/,
  ],
  'a missing row': [() => '', /rows: 39 instead of 40; /],
  'a doubled row': [(line) => line + line, /rows: 41 instead of 40; /],
  'a row that is cut off': [() => '{"', /./],
}

/** Checks a file; resolves with the line for a good one, or the sentence about a difference. */
const check = (folder: ReturnType<typeof temporaryFolder>) =>
  checkReceipt(folder.file('receipt'), folder.file('out')).catch((error: Error) => error.message)

const exported = async (format: string, transactions: number) => {
  const { mock, env } = await startService({ users: 3, transactions })
  const folder = temporaryFolder()
  await runInTurn(['export', '--format', format, '--out', folder.file('out'), '--receipt', folder.file('receipt')], env)
  return { mock, folder }
}

it.each(['csv', 'ndjson', 'singer'])(
  'a receipt of %s says what others compute, and catches each change',
  async (format) => {
    const { mock, folder } = await exported(format, 40)
    const out = folder.file('out')
    const receipt = JSON.parse(folder.read('receipt')) as { file: { sha256: string; sums: { total: string } } }

    const cents = mock.guild.transactions.reduce((sum, { total }) => sum + Math.round(total * 100), 0)
    expect(Number(receipt.file.sums.total)).toBe(cents / 100)
    expect(await runProgram('sha256sum', [out])).toBe(`${receipt.file.sha256}  ${out}\n`)
    expect(await check(folder)).toMatch(/is what .* says: 40 transactions, total/)

    const lines = linesOf(folder.read('out')).filter((line) => line !== '' && !line.includes('"STATE"'))
    for (const [what, [change, named]] of Object.entries(textChanges)) {
      writeFileSync(out, [...lines.slice(0, -1), change(lines.at(-1) ?? '')].join(''))
      const expected = what === 'a changed byte' && format === 'singer' ? /is not what/ : named
      expect([what, await check(folder)]).toEqual([what, expect.stringMatching(expected)])
    }
  },
)

const sqlChanges = [
  [
    'a changed text',
    `UPDATE transactions SET name = 'x' WHERE transactionId = (SELECT min(transactionId) FROM transactions)`,
  ],
  [
    'a changed number',
    'UPDATE transactions SET amount = amount + 0.25 WHERE amount = (SELECT max(amount) FROM transactions)',
  ],
  ['a missing row', 'DELETE FROM transactions WHERE createdAt = (SELECT max(createdAt) FROM transactions)'],
  [
    'a doubled row',
    `INSERT INTO transactions SELECT platformId, transactionId || '0', amount, amountText, quantity, quantityText, name, source,
       total, totalText, createdAt FROM transactions LIMIT 1`,
  ],
] as const

it('a receipt of SQLite catches each change', async () => {
  const { folder } = await exported('sqlite', 40)
  expect(await check(folder)).toMatch(/is what .* says: 40 transactions, total/)
  const original = readFileSync(folder.file('out'))
  for (const [what, statement] of sqlChanges) {
    writeFileSync(folder.file('out'), original)
    const database = new DatabaseSync(folder.file('out'))
    database.exec(statement)
    database.close()
    expect([what, await check(folder)]).toEqual([what, expect.stringMatching(/is not what .*sha256/)])
  }
})

it('a receipt of SQLite catches damage and another file, with exit code 4', async () => {
  const { folder } = await exported('sqlite', 400)
  const bytes = readFileSync(folder.file('out'))
  bytes.fill(0, bytes.length - 3000)
  writeFileSync(folder.file('out'), bytes)
  expect(await check(folder)).toContain('is not what')

  copyFileSync(folder.file('receipt'), folder.file('out'))
  const { code, err } = await runInTurn(['export', '--check', folder.file('receipt'), folder.file('out')], {})
  expect([code, err]).toEqual([4, expect.stringMatching(/is not what .* says: file is not a database\n$/)])
})

it('checks regular files only', async () => {
  const { folder } = await exported('csv', 3)

  await expect(checkReceipt(folder.file('receipt'), folder.path)).rejects.toThrow('must be a regular file')
})
