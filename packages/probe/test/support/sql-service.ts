import { DatabaseSync } from 'node:sqlite'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { createDice, type Respond } from './random-service.ts'

/** `undefined` counts as not sent. */
type Value = string | number | undefined

/** A request as a service reads it. */
export interface Query {
  readonly user: string | null
  readonly page: number
  readonly limit: number
  readonly sortBy: string
  readonly sortOrder: string
  readonly platformId?: string
  readonly from?: string
  readonly minAmount?: number
  readonly maxAmount?: number
  readonly startDate?: number
  readonly endDate?: number
}

export interface Group {
  readonly platformId: string
  readonly transactions: readonly LedgerEntry[]
}

/** How many transactions match, are on the page, and are of the user that is asked for, if any. */
interface Counts {
  readonly matching: number
  readonly onPage: number
  readonly ofUser: number
  readonly all: number
}

export interface Body {
  pagination: { page: number; limit: number; total: number; totalPages: number }
  summary?: { totalTransactions: number; totalValue: number; uniqueUsers: number }
}

type Ledger = readonly LedgerEntry[]
/** SQL with a parameter; those of dates are milliseconds. */
type Condition = string | ((query: Query) => string)

/** The rules of a service; each has a usual form. */
export interface Rules {
  /** Reads a value that was sent. */
  readonly read?: (name: string, text: string, user: string | null) => Value
  /** A parameter that was sent more than once. */
  readonly repeated?: (name: string, texts: readonly string[]) => string | undefined
  readonly unlisted?: (name: string, user: string | null, text: string) => void
  readonly defaults?: (sent: Partial<Query>, user: string | null) => Partial<Query>
  /** Changes or rejects what was read. */
  readonly adapt?: (query: Query, ledger: Ledger) => Query
  readonly from?: string | ((source: string, from: string) => boolean)
  readonly startDate?: Condition
  readonly endDate?: Condition
  /** SQL: what is sorted by. */
  readonly orderBy?: Readonly<Record<string, string>>
  /** SQL: the order of ties. */
  readonly ties?: Condition
  readonly compareNames?: (a: string, b: string) => number
  readonly groups?: (groups: readonly Group[], ledger: Ledger) => readonly Group[]
  readonly pagesOfUsers?: (query: Query) => boolean
  readonly pageOf?: (page: number, totalPages: number) => number
  readonly isMissing?: (query: Query, counts: Counts) => boolean
  /** Changes a page before it is sent. */
  readonly body?: (body: Body, query: Query, ledger: Ledger) => void
  readonly status?: (status: number) => number
}

/** An error response. */
export class Failure extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
export const bad = (name: string): never => {
  throw new Failure(400, `${name} is invalid`)
}
export const ignoring = (): undefined => undefined

const ofUser = ['page', 'limit', 'from', 'minAmount', 'maxAmount', 'sortBy', 'sortOrder']
const parameters = { guild: [...ofUser, 'platformId', 'startDate', 'endDate'], user: ofUser }
const columns = new Map(['amount', 'quantity', 'total', 'createdAt', 'name'].map((name) => [name, name]))
columns.set('createdAt', 'at')
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/

/** Reads a value as the spec has it; `or` says what becomes of any other. */
export const strictly = (name: string, text: string, user: string | null, or: (name: string) => Value = bad): Value => {
  const number = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (name === 'page') return Number.isInteger(number) && number >= 1 ? number : or(name)
  if (name === 'limit') return Number.isInteger(number) && number >= 1 && number <= 100 ? number : or(name)
  if (name.endsWith('Amount')) return number >= 0 ? number : or(name)
  if (name.endsWith('Date')) return dateTime.test(text) ? Date.parse(text) : or(name)
  if (name === 'sortOrder') return ['asc', 'desc'].includes(text) ? text : or(name)
  if (name === 'sortBy') return columns.has(text) && (text !== 'name' || user === null) ? text : or(name)
  return text
}

export const usersIn = (entries: Ledger): string[] => [...new Set(entries.map(({ platformId }) => platformId))]
const grouped = (entries: Ledger): Group[] =>
  usersIn(entries).map((user) => ({
    platformId: user,
    transactions: entries.filter(({ platformId }) => platformId === user),
  }))

const schema =
  'CREATE TABLE tx (seq INTEGER PRIMARY KEY, transactionId, platformId, amount REAL, quantity REAL, name, source, total REAL, at INTEGER, createdAt)'

/** A service with SQLite behind it, as somebody could write it from the spec. It has the transactions in their order. */
export const serve = (ledger: Ledger, rules: Rules = {}): Respond => {
  const db = new DatabaseSync(':memory:')
  db.exec(schema)
  const insert = db.prepare('INSERT INTO tx VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  for (const { transactionId, platformId, amount, quantity, name, source, total, createdAt } of ledger)
    insert.run(transactionId, platformId, amount, quantity, name, source, total, Date.parse(createdAt), createdAt)
  const { from = 'source = ?', ties = 'transactionId', startDate = 'at >= ?', endDate = 'at <= ?' } = rules
  const { read = strictly, repeated = (_, [text]) => text, groups: inOrder = (groups) => groups } = rules
  const { isMissing = (_, { matching }) => matching === 0, compareNames } = rules
  if (typeof from === 'function') db.function('is_from', (source, text) => Number(from(String(source), String(text))))
  const { random } = createDice(1)
  db.function('random_number', () => random())
  const sqlOf = (condition: Condition, query: Query) => (typeof condition === 'string' ? condition : condition(query))

  const readAll = (user: string | null, sent: URLSearchParams): Query => {
    const query: Record<string, Value> = {}
    for (const name of new Set(sent.keys())) {
      const texts = sent.getAll(name)
      const [first = ''] = texts
      if (!parameters[user === null ? 'guild' : 'user'].includes(name)) {
        rules.unlisted?.(name, user, first)
        continue
      }
      const value = read(name, texts.length > 1 ? (repeated(name, texts) ?? '') : first, user)
      if (value !== undefined) query[name] = value
    }
    const usual = { page: 1, limit: 20, sortBy: 'createdAt', sortOrder: 'desc', user }
    const whole: Query = { ...usual, ...rules.defaults?.(query, user), ...query }
    return rules.adapt?.(whole, ledger) ?? whole
  }

  const select = (query: Query): LedgerEntry[] => {
    const { sortBy, sortOrder } = query
    const conditions: readonly (readonly [sql: string, value: Value])[] = [
      ['platformId = ?', query.user ?? query.platformId],
      [typeof from === 'string' ? from : 'is_from(source, ?)', query.from],
      ['amount >= ?', query.minAmount],
      ['amount <= ?', query.maxAmount],
      [sqlOf(startDate, query), query.startDate],
      [sqlOf(endDate, query), query.endDate],
    ]
    const used = conditions.filter(([, value]) => value !== undefined)
    const where = ['1', ...used.map(([sql]) => sql)].join(' AND ')
    const isOwn = sortBy === 'name' && compareNames !== undefined
    const order = `${isOwn ? '' : `${rules.orderBy?.[sortBy] ?? columns.get(sortBy)} ${sortOrder}, `}${sqlOf(ties, query)}`
    const values = used.map(([, value]) => value as string)
    const rows = db.prepare(`SELECT * FROM tx WHERE ${where} ORDER BY ${order}`).all(...values)
    const entries = rows as unknown as LedgerEntry[]
    const direction = sortOrder === 'desc' ? -1 : 1
    return isOwn ? entries.toSorted((a, b) => direction * compareNames(a.name, b.name)) : entries
  }

  const shown = ({ transactionId, amount, quantity, name, source, total, createdAt }: LedgerEntry) => {
    return { transactionId, amount, quantity, name, source, total, createdAt }
  }

  const list = (query: Query): unknown => {
    const { user, limit } = query
    const matching = select(query)
    const isOfUsers = user === null && rules.pagesOfUsers?.(query) === true
    const total = isOfUsers ? usersIn(matching).length : matching.length
    const totalPages = Math.ceil(total / limit)
    const page = rules.pageOf?.(query.page, totalPages) ?? query.page
    const cut = <Item>(items: readonly Item[]): Item[] =>
      items.slice(Math.max(0, page - 1) * limit, Math.max(1, page) * limit)
    const groups = isOfUsers ? cut(inOrder(grouped(matching), ledger)) : inOrder(grouped(cut(matching)), ledger)
    const onPage = isOfUsers ? groups.flatMap(({ transactions }) => transactions) : cut(matching)
    const asked = user ?? query.platformId
    const own = asked === undefined ? ledger : ledger.filter(({ platformId }) => platformId === asked)
    const counts = { matching: matching.length, onPage: onPage.length, ofUser: own.length, all: ledger.length }
    if (isMissing(query, counts))
      throw new Failure(404, `No transactions found for this ${user === null ? 'guild' : 'user'}`)
    const totalValue = Math.round(matching.reduce((sum, one) => sum + one.total, 0) * 1e6) / 1e6
    const summary = { totalTransactions: matching.length, totalValue, uniqueUsers: usersIn(matching).length }
    const body: Body = { pagination: { page, limit, total, totalPages }, ...(user === null && { summary }) }
    rules.body?.(body, query, ledger)
    const data =
      user === null
        ? groups.map(({ platformId, transactions }) => ({ platformId, transactions: transactions.map(shown) }))
        : { platformId: user, transactions: onPage.map(shown) }
    return { success: true, data, ...body }
  }

  const { status: statusOf = (status) => status } = rules
  return (target) => {
    const url = new URL(target, 'http://localhost')
    const [, , , third = '', fourth] = url.pathname.split('/')
    try {
      const query = readAll(fourth === undefined ? null : decodeURIComponent(third), url.searchParams)
      return { status: statusOf(200), body: JSON.stringify(list(query)) }
    } catch (error) {
      const status = error instanceof Failure ? error.status : 500
      return { status: statusOf(status), body: JSON.stringify({ success: false, message: (error as Error).message }) }
    }
  }
}
