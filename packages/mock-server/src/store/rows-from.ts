import { inWords, type LedgerEntry } from '@guild-ledger/sdk/contract'
import { flawOf } from './check-rows.ts'

/** Something that should be a row, and where it stood. */
interface Found {
  readonly row: unknown
  readonly place: string
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const inGroup = (group: unknown, place: string): Found[] => {
  if (!isObject(group) || !Array.isArray(group['transactions'])) {
    throw new TypeError(`${place}: must have a list of transactions, not ${inWords(group)}`)
  }
  const { platformId, transactions } = group
  return transactions.map((transaction: unknown, i) => ({
    row: isObject(transaction) ? { ...transaction, platformId } : transaction,
    place: `${place}.transactions[${i}]`,
  }))
}

/** The rows in a reply of either operation; anything else is taken for a row itself. */
const inValue = (value: unknown, place: string): Found[] => {
  if (!isObject(value) || !('data' in value)) return [{ row: value, place }]
  const at = place === '' ? 'data' : `${place}: data`
  const { data } = value
  return Array.isArray(data) ? data.flatMap((group, i) => inGroup(group, `${at}[${i}]`)) : inGroup(data, at)
}

const inLine = (line: string, number: number): Found[] => {
  const text = line.trim()
  if (text === '') return []
  const value = parsed(text)
  if (value === undefined) throw new TypeError(`line ${number}: not JSON, but ${inWords(text)}`)
  return inValue(value, `line ${number}`)
}

const inLines = (text: string): Found[] => text.split('\n').flatMap((line, i) => inLine(line, i + 1))

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const inText = (text: string): Found[] => {
  const plain = text.replace(/^\uFEFF/, '')
  // One line is a line; more are lines unless they make one value together, as a reply does that was printed nicely.
  const whole = plain.trim().includes('\n') ? parsed(plain) : undefined
  if (whole === undefined) return inLines(plain)
  return Array.isArray(whole) ? inList(whole) : inValue(whole, '')
}

const inList = (list: readonly unknown[]): Found[] => list.flatMap((value, i) => inValue(value, `item ${i}`))

const found = (given: unknown): Found[] => {
  if (typeof given === 'string') return inText(given)
  return Array.isArray(given) ? inList(given) : inValue(given, '')
}

/** Takes what was found for rows, each id once. */
const createCheck = () => {
  const placeOf = new Map<string, string>()
  return ({ row, place }: Found): LedgerEntry => {
    const flaw = flawOf(row)
    if (flaw) throw new TypeError(place === '' ? flaw : `${place}: ${flaw}`)
    const entry = row as LedgerEntry
    const before = placeOf.get(entry.transactionId)
    if (before !== undefined)
      throw new TypeError(`${place}: the transactionId ${entry.transactionId} is that of ${before}`)
    placeOf.set(entry.transactionId, place)
    return entry
  }
}

/**
 * Reads rows from text with one JSON object a line (empty lines are passed over), from replies of the service in such
 * lines or by themselves, or from either of them already parsed.
 *
 * @throws {TypeError} Something is no JSON, breaks the contract or repeats a `transactionId`; the message starts with
 * the number of the line or the place in the reply.
 */
export const rowsFrom = (given: unknown): LedgerEntry[] => {
  const check = createCheck()
  return found(given).map((one) => check(one))
}

/** Reads rows as `rowsFrom` does, from one line after another: for a file that would be too long as one text. */
export const createLineReader = (): ((line: string) => LedgerEntry[]) => {
  const check = createCheck()
  let number = 0
  return (line) => inLine(line, ++number).map((one) => check(one))
}
