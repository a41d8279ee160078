// Convert NDJSON to CSV with an atomic write.
//
// node csv.ts ledger.ndjson ledger.csv
import { open, rename } from 'node:fs/promises'
import type { LedgerEntry } from '@guild-ledger/sdk'

const columns = ['createdAt', 'platformId', 'source', 'name', 'amount', 'quantity', 'total', 'transactionId'] as const

/** Formats a cell by RFC 4180. Formulas are escaped: a spreadsheet would run an item named `=HYPERLINK(…)`. */
const cell = (value: string | number): string => {
  if (typeof value === 'number') return String(value)
  const escaped = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped
}

const formatRow = (values: readonly (string | number)[]): string => `${values.map(cell).join(',')}\r\n`

/** Reads `from`, one transaction per line, and writes `to`. */
export const writeCsv = async (from: string, to: string): Promise<void> => {
  // The file gets its name when it is complete, so it is never seen incomplete, even after a kill.
  const part = `${to}.part`
  const input = await open(from)
  const output = await open(part, 'w')
  try {
    await output.appendFile(formatRow(columns))
    // Not readLines(): it splits lines at U+2028 too, which JSON does not escape.
    let rest = ''
    for await (const chunk of input.createReadStream({ encoding: 'utf8', autoClose: false })) {
      const lines = `${rest}${String(chunk)}`.split('\n')
      rest = lines.pop() ?? ''
      const transactions = lines.map((line) => JSON.parse(line) as LedgerEntry)
      await output.appendFile(
        transactions.map((transaction) => formatRow(columns.map((column) => transaction[column]))).join(''),
      )
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
