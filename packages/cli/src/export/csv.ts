import type { LedgerEntry } from '@guild-ledger/sdk'
import { amounts, columns } from './tally.ts'

/** What a spreadsheet would run as a formula, and what begins with a tab already. */
const dangerous = /^[\t\r\n]|^\s*[=+\-@＝＋－＠]/
/** PostgreSQL takes an empty cell for NULL unless it has quotes. */
const special = /[",\r\n\t]|^$/

/** Whether a spreadsheet, which keeps 15 digits, would make this text another number: `00123`, `1E5`, or an ID of 18 digits. */
const isChangedNumber = (value: string): boolean =>
  value !== '' && Number.isFinite(Number(value)) && (value.length > 15 || String(Number(value)) !== value)

/** Writes CSV by RFC 4180. Text that must stay text gets a tab in front: whoever reads it takes one tab away. */
export const csvFormat = (isForExcel: boolean) => {
  const formatCell = (value: string | number): string => {
    if (typeof value === 'number') return String(value)
    const text = dangerous.test(value) || (isForExcel && isChangedNumber(value)) ? `\t${value}` : value
    return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  const formatRow = (cells: readonly (string | number)[]): string => `${cells.map(formatCell).join(',')}\r\n`
  return {
    head: `${isForExcel ? '\uFEFF' : ''}${formatRow(columns)}`,
    format: (entry: LedgerEntry): string => formatRow(columns.map((name) => entry[name])),
  }
}

/** Splits CSV into rows of cells. */
async function* rowsOf(chunks: AsyncIterable<string>): AsyncGenerator<string[]> {
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  let hasQuote = false // the quote before ends the cell, or stands for one
  for await (const chunk of chunks) {
    for (const character of chunk) {
      if (isQuoted && !hasQuote) {
        if (character === '"') hasQuote = true
        else cell += character
      } else if (character === '"') {
        if (hasQuote) cell += '"'
        isQuoted = true
        hasQuote = false
      } else if (character === ',' || character === '\n') {
        row.push(character === '\n' ? cell.replace(/\r$/, '') : cell)
        cell = ''
        isQuoted = false
        hasQuote = false
        if (character === '\n') {
          yield row
          row = []
        }
      } else cell += character
    }
  }
  if (cell !== '' || row.length > 0) yield [...row, cell]
}

const isAmount = (name: string): boolean => (amounts as readonly string[]).includes(name)

/** Reads what was written. @throws {SyntaxError} It is no such file. */
export async function* readCsv(chunks: AsyncIterable<string>): AsyncGenerator<LedgerEntry> {
  let line = 0
  for await (const cells of rowsOf(chunks)) {
    line++
    if (line === 1) {
      if (cells.join(',').replace('\uFEFF', '') !== columns.join(','))
        throw new SyntaxError('the first line is not the header')
      continue
    }
    if (cells.length !== columns.length)
      throw new SyntaxError(`row ${line} has ${cells.length} cells instead of ${columns.length}`)
    const fields = columns.map((name, i) => [name, isAmount(name) ? Number(cells[i]) : cells[i]?.replace(/^\t/, '')])
    yield Object.fromEntries(fields) as LedgerEntry
  }
}
