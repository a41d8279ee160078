import { inWords, type LedgerEntry } from '@guild-ledger/sdk/contract'
import { flawOf } from './check-rows.ts'

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line) as unknown
  } catch {
    throw new TypeError(`not JSON, but ${inWords(line)}`)
  }
}

/**
 * Reads rows from text with one JSON object a line; empty lines are passed over.
 *
 * @throws {TypeError} A line is no JSON, breaks the contract or repeats a `transactionId`; the message starts with its number.
 */
export const rowsFromNdjson = (text: string): LedgerEntry[] => {
  const lineOf = new Map<string, number>()
  const rows: LedgerEntry[] = []
  for (const [i, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (line.trim() === '') continue
    const number = i + 1
    try {
      const row = parsed(line.trim())
      const flaw = flawOf(row)
      if (flaw) throw new TypeError(flaw)
      const entry = row as LedgerEntry
      const before = lineOf.get(entry.transactionId)
      if (before !== undefined)
        throw new TypeError(`the transactionId ${entry.transactionId} is that of line ${before}`)
      lineOf.set(entry.transactionId, number)
      rows.push(entry)
    } catch (error) {
      throw new TypeError(`line ${number}: ${(error as Error).message}`, { cause: error })
    }
  }
  return rows
}
