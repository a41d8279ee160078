import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { describeValue } from '@guild-ledger/validation'
import { violationOf } from './validate-transactions.ts'

/** Something that should be a transaction, and where it was found. */
interface Found {
  readonly value: unknown
  readonly place: string
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface HarContent {
  readonly text?: unknown
  readonly encoding?: unknown
}

interface HarEntry {
  readonly response?: { readonly content?: unknown }
}

const inGroup = (group: unknown, place: string): Found[] => {
  if (!isObject(group) || !Array.isArray(group['transactions'])) {
    throw new TypeError(`${place} must be an object with an array \`transactions\`, got ${describeValue(group)}`)
  }
  const { platformId, transactions } = group
  return transactions.map((transaction: unknown, i) => ({
    value: isObject(transaction) ? { ...transaction, platformId } : transaction,
    place: `${place}.transactions[${i}]`,
  }))
}

/** The JSON body of a response in a HAR file; `undefined` if there is none. */
const bodyIn = (entry: unknown): unknown => {
  const { text, encoding } = ((entry as HarEntry | null)?.response?.content ?? {}) as HarContent
  if (typeof text !== 'string') return undefined
  return parsed(encoding === 'base64' ? new TextDecoder().decode(Uint8Array.from(atob(text), toCode)) : text)
}

const toCode = (character: string): number => character.charCodeAt(0)

/** The transactions of the responses in a HAR file. Of those that were read more than once, the last counts. */
const inHar = (entries: readonly unknown[], place: string): Found[] => {
  const byId = new Map<unknown, Found>()
  for (const [i, entry] of entries.entries()) {
    const body = bodyIn(entry)
    if (!isObject(body) || body['success'] !== true || !('data' in body)) continue
    for (const one of inValue(body, `${place}entries[${i}]`)) {
      byId.set(isObject(one.value) ? one.value['transactionId'] : one.place, one)
    }
  }
  if (byId.size === 0) throw new TypeError(`${place}the HAR file has no response of the service with transactions`)
  return [...byId.values()]
}

/** The transactions of a response of either operation, or of a HAR file; anything else is taken for a transaction itself. */
const inValue = (value: unknown, place: string): Found[] => {
  if (isObject(value) && isObject(value['log']) && Array.isArray(value['log']['entries'])) {
    return inHar(value['log']['entries'], place === '' ? '' : `${place}: `)
  }
  if (!isObject(value) || !('data' in value)) return [{ value, place }]
  const at = place === '' ? 'data' : `${place}: data`
  const { data } = value
  return Array.isArray(data) ? data.flatMap((group, i) => inGroup(group, `${at}[${i}]`)) : inGroup(data, at)
}

const inLine = (line: string, number: number): Found[] => {
  const text = line.trim()
  if (text === '') return []
  const value = parsed(text)
  if (value === undefined) throw new TypeError(`line ${number}: must be JSON, got ${describeValue(text)}`)
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
  // Several lines are one value if they are JSON together, such as a response with indentation.
  const whole = plain.trim().includes('\n') ? parsed(plain) : undefined
  if (whole === undefined) return inLines(plain)
  return Array.isArray(whole) ? inArray(whole) : inValue(whole, '')
}

const inArray = (list: readonly unknown[]): Found[] => list.flatMap((value, i) => inValue(value, `item ${i}`))

const found = (given: unknown): Found[] => {
  if (typeof given === 'string') return inText(given)
  return Array.isArray(given) ? inArray(given) : inValue(given, '')
}

/** Returns what was found as a transaction if it is valid and its id is new. */
const createCheck = () => {
  const placeOf = new Map<string, string>()
  return ({ value, place }: Found): LedgerEntry => {
    const violation = violationOf(value)
    if (violation) throw new TypeError(place === '' ? violation : `${place}: ${violation}`)
    const entry = value as LedgerEntry
    const before = placeOf.get(entry.transactionId)
    if (before !== undefined)
      throw new TypeError(`${place}: the transactionId ${entry.transactionId} is that of ${before}`)
    placeOf.set(entry.transactionId, place)
    return entry
  }
}

/**
 * Parses transactions: a string with a JSON object on each line (empty lines are skipped), where each may be a
 * transaction or a response of the service; a response, an array or a HAR file as JSON; or any of these already parsed.
 *
 * @throws {TypeError} Something is not JSON, breaks the contract or repeats a `transactionId`; the message starts with
 * the number of the line or the path in the response.
 */
export const parseTransactions = (given: unknown): LedgerEntry[] => {
  const check = createCheck()
  return found(given).map((one) => check(one))
}

/** Parses transactions as `parseTransactions` does, line by line: for files that are too long for one string. */
export const createLineReader = (): ((line: string) => LedgerEntry[]) => {
  const check = createCheck()
  let number = 0
  return (line) => inLine(line, ++number).map((one) => check(one))
}
