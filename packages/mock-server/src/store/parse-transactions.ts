import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import {
  decodeText,
  describeValue,
  formatIssue,
  formatPath,
  formatPlace,
  isObject,
  offsetOf,
  parseJsonValues,
  stepsIn,
  withoutByteOrderMark,
} from '@guild-ledger/validation'
import { issueOf } from './validate-transactions.ts'

/** The steps to a value: which of the values in a text, then names and indexes. */
type Path = readonly [root: number, ...steps: PropertyKey[]]

/** Something that should be a transaction, and where it was found. */
interface Found {
  readonly value: unknown
  readonly path: Path
  /** Whether it is in a response of the service: there, several pages may have it. */
  readonly isRead?: boolean
}

class Misplaced extends Error {
  readonly path: Path
  constructor(path: Path, message: string) {
    super(message)
    this.path = path
  }
}

const nameOf = ([, ...steps]: Path): string => formatPath(steps)

const mustBe = (path: Path, expected: string, value: unknown): Misplaced =>
  new Misplaced(path, formatIssue({ path: nameOf(path), expected, received: describeValue(value) }, 'it'))

const isField = (value: unknown): value is Readonly<Record<string, unknown>> => isObject(value)

type Find = (value: unknown, path: Path) => Found[]

const inGroup: Find = (group, path) => {
  if (!isField(group) || !Array.isArray(group['transactions']))
    throw mustBe(path, 'an object with an array `transactions`', group)
  const { platformId, transactions } = group
  return transactions.map((one: unknown, i) => ({
    value: isField(one) ? { ...one, platformId } : one,
    path: [...path, 'transactions', i],
    isRead: true,
  }))
}

interface HarEntry {
  readonly response?: { readonly content?: { readonly text?: unknown; readonly encoding?: unknown } }
}

/** The JSON body of a response in a HAR file; `undefined` if there is none. */
const bodyIn = (entry: unknown): unknown => {
  const { text, encoding } = (entry as HarEntry | null)?.response?.content ?? {}
  if (typeof text !== 'string') return undefined
  try {
    const bytes =
      encoding === 'base64' ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0)) : undefined
    return JSON.parse(bytes ? decodeText(bytes) : text) as unknown
  } catch {
    return undefined
  }
}

/** The transactions in the responses of a HAR file. Other responses are skipped. */
const inHar: Find = (entries, path) => {
  const found = (entries as readonly unknown[]).flatMap((entry, i) => {
    const body = bodyIn(entry)
    const isList = isField(body) && body['success'] === true && 'data' in body
    return isList ? inValue(body, [...path, i, 'response', 'content', 'text']) : []
  })
  if (found.length === 0) throw new Misplaced(path, 'the HAR file has no response of the service with transactions')
  return found
}

/** The transactions of an array, a response of either operation, a user, a HAR file or a line; or the value itself. */
const inValue: Find = (value, path) => {
  if (Array.isArray(value)) return value.flatMap((one, i) => inValue(one, [...path, i]))
  if (!isField(value)) return [{ value, path }]
  const { log, data, ended, type } = value
  // Lines of the gateway, of its feeds, and of Singer.
  if (ended === 'complete' || type === 'SCHEMA' || type === 'STATE') return []
  const inner = ['transaction', 'record'].find((name) => isField(value[name]))
  if (inner) return inValue(value[inner], [...path, inner])
  if (isField(log) && Array.isArray(log['entries'])) return inHar(log['entries'], [...path, 'log', 'entries'])
  if (value['success'] === false) {
    throw new Misplaced(
      path,
      `an error response of the service has no transactions: ${describeValue(value['message'])}`,
    )
  }
  if (Array.isArray(data)) return data.flatMap((group, i) => inGroup(group, [...path, 'data', i]))
  if ('data' in value) return inGroup(data, [...path, 'data'])
  return Array.isArray(value['transactions']) ? inGroup(value, path) : [{ value, path }]
}

interface Given {
  readonly values: readonly unknown[]
  readonly placeOf: (path: Path) => string
}

const fromText = (text: string): Given => {
  const parsed = parseJsonValues(text)
  return {
    values: parsed.map(({ value }) => value),
    placeOf: ([root, ...steps]) => formatPlace(text, offsetOf(text, parsed[root]?.offset ?? 0, steps)),
  }
}

/** The bytes of a view or a buffer, also of another realm. */
const bytesOf = (given: unknown): Uint8Array | undefined => {
  if (ArrayBuffer.isView(given)) return new Uint8Array(given.buffer, given.byteOffset, given.byteLength)
  const isBuffer = Object.prototype.toString.call(given).endsWith('ArrayBuffer]')
  return isBuffer ? new Uint8Array(given as ArrayBuffer) : undefined
}

const read = (given: unknown): Given => {
  if (typeof given === 'string') return fromText(withoutByteOrderMark(given))
  const bytes = bytesOf(given)
  if (bytes) return fromText(decodeText(bytes))
  if (typeof (given as { then?: unknown } | null)?.then === 'function')
    throw new TypeError('What is loaded must be text, bytes or parsed JSON, got a promise: await it first.')
  return { values: [given], placeOf: nameOf }
}

/** The transactions by their ids. Of those that were read more than once, the last counts. */
const byId = (found: readonly Found[], placeOf: Given['placeOf']): LedgerEntry[] => {
  const known = new Map<string, Found>()
  for (const one of found) {
    const { value, path, isRead } = one
    const issue = issueOf(value)
    if (issue) {
      const at: Path = [...path, ...stepsIn(issue.path)]
      throw new Misplaced(at, formatIssue({ ...issue, path: nameOf(at) }, 'a transaction'))
    }
    const { transactionId } = value as LedgerEntry
    const before = known.get(transactionId)
    if (before && !(isRead && before.isRead))
      throw new Misplaced(path, `the transactionId ${transactionId} is that of ${placeOf(before.path)}`)
    known.set(transactionId, one)
  }
  return Array.from(known.values(), ({ value }) => value as LedgerEntry)
}

/** Parses what `load` of a guild takes. A mistake in a text is named with line and column, and with its path. */
export const parseTransactions = (given: unknown): LedgerEntry[] => {
  const { values, placeOf } = read(given)
  try {
    return byId(
      values.flatMap((value, root) => inValue(value, [root])),
      placeOf,
    )
  } catch (error) {
    if (error instanceof RangeError) throw new TypeError('What is loaded is nested too deeply.', { cause: error })
    if (!(error instanceof Misplaced)) throw error
    const { path, message } = error
    // Without a text, the message has the place.
    const place = placeOf === nameOf ? '' : `${placeOf(path)}: `
    throw new TypeError(place + message, { cause: error })
  }
}
