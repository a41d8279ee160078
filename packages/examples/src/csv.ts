// Make a CSV file out of lines of JSON, whole or not at all.
//
// node csv.ts ledger.ndjson ledger.csv
import { open, rename } from 'node:fs/promises'
import type { LedgerEntry } from '@guild-ledger/sdk'

const columns = ['createdAt', 'platformId', 'source', 'name', 'amount', 'quantity', 'total', 'transactionId'] as const

/** RFC 4180, and no formulas: a spreadsheet would run an item that somebody has named `=HYPERLINK(…)`. */
const cell = (value: string | number): string => {
  if (typeof value === 'number') return String(value)
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

const rowOf = (values: readonly (string | number)[]): string => `${values.map(cell).join(',')}\r\n`

/** Reads `from`, a transaction a line, and writes `to`. */
export const writeCsv = async (from: string, to: string): Promise<void> => {
  // Under another name until it is complete: whoever sees the file sees all of it, and a kill leaves nothing to mend.
  const part = `${to}.part`
  const input = await open(from)
  const output = await open(part, 'w')
  try {
    await output.appendFile(rowOf(columns))
    // Not readLines(): it also ends lines at U+2028, which JSON leaves as it is in a name.
    let rest = ''
    for await (const chunk of input.createReadStream({ encoding: 'utf8', autoClose: false })) {
      const lines = `${rest}${String(chunk)}`.split('\n')
      rest = lines.pop() ?? ''
      const entries = lines.map((line) => JSON.parse(line) as LedgerEntry)
      await output.appendFile(entries.map((entry) => rowOf(columns.map((column) => entry[column]))).join(''))
    }
    await output.sync()
  } finally {
    await output.close()
    await input.close()
  }
  await rename(part, to)
}

if (import.meta.main) {
  const [from = 'ledger.ndjson', to = 'ledger.csv'] = process.argv.slice(2)
  await writeCsv(from, to)
  console.log(`wrote ${to}`)
}
