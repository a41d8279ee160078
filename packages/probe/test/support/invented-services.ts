import { DatabaseSync } from 'node:sqlite'
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { Failure, type Sent } from './ordinary-service.ts'
import type { OracleService } from './oracle-services.ts'
import { createDice, type Respond } from './random-service.ts'

/** A transaction as the database has it. */
type Row = Omit<LedgerEntry, 'createdAt'> & { readonly seq: number; readonly at: number; readonly created: string }
interface Group {
  readonly platformId: string
  readonly transactions: readonly Row[]
}
/** `undefined` counts as not sent. */
type Value = string | number | undefined

/** What nothing found, a page and the ledger have: counts of transactions. */
interface Counts {
  readonly matching: number
  readonly onPage: number
  readonly all: number
}

/** The rules of a service; each has a usual form. */
interface Rules {
  /** Reads a value that was sent. */
  readonly read?: (name: string, text: string, user: string | null) => Value
  /** A parameter that was sent more than once. */
  readonly repeated?: (name: string, texts: readonly string[]) => string
  readonly unlisted?: (name: string, user: string | null) => void
  readonly check?: (query: Readonly<Record<string, Value>>) => void
  /** SQL: which sources a filter matches. */
  readonly from?: string
  /** SQL: bounds of dates; the parameter is milliseconds. */
  readonly startDate?: string
  readonly endDate?: string
  /** SQL: what is sorted by. */
  readonly orderBy?: Readonly<Record<string, string>>
  /** SQL: the order of ties. */
  readonly ties?: string
  readonly compareNames?: (a: string, b: string) => number
  readonly groups?: (groups: readonly Group[]) => readonly Group[]
  readonly pagesOfUsers?: boolean
  readonly isMissing?: (user: string | null, counts: Counts) => boolean
  readonly most?: number
  readonly userDefaults?: Readonly<Record<string, Value>>
  readonly createdAt?: (row: Row) => string
  /** Changes a page before it is sent. */
  readonly page?: (body: Body, user: string | null, service: Service) => void
}

interface Body {
  pagination: { page: number; limit: number; total: number; totalPages: number }
  summary?: { totalTransactions: number; totalValue: number; uniqueUsers: number }
}

const ofUser = ['page', 'limit', 'from', 'minAmount', 'maxAmount', 'sortBy', 'sortOrder']
const ofGuild = [...ofUser, 'platformId', 'startDate', 'endDate']
const columns: Readonly<Record<string, string>> = {
  amount: 'amount',
  quantity: 'quantity',
  total: 'total',
  createdAt: 'at',
  name: 'name',
}
const bad = (name: string): never => {
  throw new Failure(400, `${name} is invalid`)
}
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/

/** Reads a value as the spec has it; `or` says what becomes of any other. */
const strictly = (name: string, text: string, user: string | null, or: (name: string) => Value = bad): Value => {
  const number = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (name === 'page') return Number.isInteger(number) && number >= 1 ? number : or(name)
  if (name === 'limit') return Number.isInteger(number) && number >= 1 && number <= 100 ? number : or(name)
  if (name.endsWith('Amount')) return number >= 0 ? number : or(name)
  if (name.endsWith('Date')) return dateTime.test(text) ? Date.parse(text) : or(name)
  if (name === 'sortOrder') return ['asc', 'desc'].includes(text) ? text : or(name)
  if (name === 'sortBy') return text in columns && (text !== 'name' || user === null) ? text : or(name)
  return text
}

const groupsOf = (rows: readonly Row[]): Group[] =>
  [...Map.groupBy(rows, ({ platformId }) => platformId)].map(([platformId, transactions]) => ({
    platformId,
    transactions,
  }))

/** A service with SQLite behind it, as somebody could write it from the spec. */
class Service {
  readonly db = new DatabaseSync(':memory:')
  readonly rules: Rules

  constructor(ledger: readonly LedgerEntry[], rules: Rules) {
    this.rules = rules
    this.db.exec(
      'CREATE TABLE tx (seq INTEGER PRIMARY KEY, transactionId TEXT, platformId TEXT, amount REAL, quantity REAL, name TEXT, source TEXT, total REAL, at INTEGER, created TEXT)',
    )
    const insert = this.db.prepare('INSERT INTO tx VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    for (const { transactionId, platformId, amount, quantity, name, source, total, createdAt } of ledger)
      insert.run(transactionId, platformId, amount, quantity, name, source, total, Date.parse(createdAt), createdAt)
  }

  rows(where = '1', values: (string | number)[] = [], order = 'seq'): Row[] {
    return this.db.prepare(`SELECT * FROM tx WHERE ${where} ORDER BY ${order}`).all(...values) as unknown as Row[]
  }

  respond(target: string): Sent {
    const url = new URL(target, 'http://localhost')
    const [, , , third = '', fourth] = url.pathname.split('/')
    const user = fourth === undefined ? null : decodeURIComponent(third)
    try {
      return { status: 200, body: this.list(user, url.searchParams) }
    } catch (error) {
      const status = error instanceof Failure ? error.status : 500
      return { status, body: { success: false, message: (error as Error).message } }
    }
  }

  query(user: string | null, sent: URLSearchParams): Record<string, Value> {
    const { read = strictly, repeated = (_, [text = '']) => text, unlisted, check } = this.rules
    const query: Record<string, Value> = {}
    for (const name of new Set(sent.keys())) {
      if (!(user === null ? ofGuild : ofUser).includes(name)) {
        unlisted?.(name, user)
        continue
      }
      const texts = sent.getAll(name)
      const value = read(name, texts.length > 1 ? repeated(name, texts) : (texts[0] ?? ''), user)
      if (value !== undefined) query[name] = value
    }
    check?.(query)
    const usual = { page: 1, limit: 20, sortBy: 'createdAt', sortOrder: 'desc' }
    return { ...usual, ...(user !== null && this.rules.userDefaults), ...query }
  }

  list(user: string | null, sent: URLSearchParams): unknown {
    const { rules } = this
    const query = this.query(user, sent)
    const conditions: readonly (readonly [sql: string, value: Value])[] = [
      ['platformId = ?', user ?? query['platformId']],
      [rules.from ?? 'source = ?', query['from']],
      ['amount >= ?', query['minAmount']],
      ['amount <= ?', query['maxAmount']],
      [rules.startDate ?? 'at >= ?', query['startDate']],
      [rules.endDate ?? 'at <= ?', query['endDate']],
    ]
    const used = conditions.filter(([, value]) => value !== undefined)
    const [sortBy, order] = [String(query['sortBy']), String(query['sortOrder'])]
    const by = rules.orderBy?.[sortBy] ?? columns[sortBy]
    const rows = this.rows(
      used.map(([sql]) => sql).join(' AND ') || '1',
      used.map(([, value]) => value as string),
      `${by} ${order}, ${rules.ties ?? 'transactionId'}`,
    )
    const { compareNames } = rules
    if (sortBy === 'name' && compareNames)
      rows.sort((a, b) => compareNames(a.name, b.name) * (order === 'desc' ? -1 : 1))
    const limit = Math.min(Number(query['limit']), rules.most ?? Infinity)
    const page = Number(query['page'])
    const cut = <Item>(items: readonly Item[]): Item[] =>
      limit <= 0 ? [...items] : items.slice(Math.max(0, page - 1) * limit, Math.max(1, page) * limit)
    const inOrder = rules.groups ?? ((groups: readonly Group[]) => groups)
    const isOfUsers = user === null && rules.pagesOfUsers === true
    const groups = isOfUsers ? cut(inOrder(groupsOf(rows))) : inOrder(groupsOf(cut(rows)))
    const onPage = groups.flatMap(({ transactions }) => transactions)
    const all = this.rows(user === null ? '1' : 'platformId = ?', user === null ? [] : [user]).length
    const counts = { matching: rows.length, onPage: onPage.length, all }
    const { isMissing = (_, { matching }) => matching === 0 } = rules
    if (isMissing(user, counts))
      throw new Failure(404, `No transactions found for this ${user === null ? 'guild' : 'user'}`)
    const total = isOfUsers ? groupsOf(rows).length : rows.length
    const body: Body = { pagination: { page, limit, total, totalPages: Math.ceil(total / limit) } }
    const shown = (row: Row) => {
      const { transactionId, amount, quantity, name, source } = row
      const createdAt = rules.createdAt?.(row) ?? new Date(row.at).toISOString()
      return { transactionId, amount, quantity, name, source, total: row.total, createdAt }
    }
    if (user === null)
      body.summary = {
        totalTransactions: rows.length,
        totalValue: Math.round(rows.reduce((sum, row) => sum + row.total, 0) * 1e6) / 1e6,
        uniqueUsers: groupsOf(rows).length,
      }
    rules.page?.(body, user, this)
    const data =
      user === null
        ? groups.map((group) => ({ ...group, transactions: group.transactions.map(shown) }))
        : { platformId: user, transactions: onPage.map(shown) }
    return { success: true, data, ...body }
  }
}

interface Invented extends Omit<OracleService, 'create'> {
  readonly rules: Rules
}

const byLanguage = new Intl.Collator('en').compare
const ignoring = (): undefined => undefined
const number = (text: string): number => Number.parseFloat(text)
/** As `Number(text) || usual` and `Math.min(Math.max(…))` read a number. */
const clamped = (name: string, text: string, user: string | null): Value => {
  const value = Number(text)
  if (text === '' || Number.isNaN(value)) return strictly(name, text, user, ignoring)
  if (name === 'page') return Math.max(1, Math.round(value))
  if (name === 'limit') return Math.min(100, Math.max(1, Math.round(value)))
  return name.endsWith('Amount') ? Math.max(0, value) : strictly(name, text, user, ignoring)
}
const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

/** Changes a valid limit. */
const limiting = (change: (limit: number) => number): Rules => ({
  read(name, text, user) {
    const value = strictly(name, text, user)
    return name === 'limit' ? change(Number(value)) : value
  },
})

const invented: readonly Invented[] = [
  {
    title: 'sorts names with localeCompare, ties as they were entered',
    without: [],
    described: { nameOrder: 'language', tieOrder: 'ledger' },
    rules: { compareNames: byLanguage, ties: 'seq' },
  },
  {
    title: 'sorts names with localeCompare, ties by id',
    without: [],
    described: { nameOrder: 'language' },
    rules: { compareNames: byLanguage },
  },
  {
    title: 'sorts names with the numbers in them',
    without: ['nameOrder'],
    described: { tieOrder: 'ledger' },
    rules: { compareNames: new Intl.Collator('en', { numeric: true }).compare, ties: 'seq' },
  },
  {
    title: 'sorts names with COLLATE NOCASE',
    without: ['nameOrder'],
    rules: { orderBy: { name: 'name COLLATE NOCASE' } },
  },
  {
    title: 'has pages of users in the order of the sort, and names by language',
    without: [],
    described: { nameOrder: 'language', pageUnit: 'group', tieOrder: 'ledger' },
    rules: { compareNames: byLanguage, pagesOfUsers: true, ties: 'seq' },
  },
  {
    title: 'has pages of users, and names with the numbers in them',
    without: ['nameOrder'],
    described: { pageUnit: 'group' },
    rules: { compareNames: new Intl.Collator('en', { numeric: true }).compare, pagesOfUsers: true },
  },
  {
    title: 'clamps numbers, and never rejects',
    without: [],
    described: { invalidParameter: 'clamp' },
    rules: { read: clamped },
  },
  {
    title: 'clamps numbers that parseInt reads, and never rejects',
    without: [],
    described: { invalidParameter: 'clamp' },
    rules: {
      read: (name, text, user) =>
        /^(page|limit)$/.test(name) && /^-?\d/.test(text)
          ? clamped(name, String(Number.parseInt(text, 10)), user)
          : clamped(name, text, user),
    },
  },
  {
    title: 'takes an empty page for the first, and rejects what else is invalid',
    without: [],
    described: { invalidParameter: 'reject' },
    rules: { read: (name, text, user) => (name === 'page' && text === '' ? undefined : strictly(name, text, user)) },
  },
  {
    title: 'takes any empty value for not sent, and rejects what else is invalid',
    without: [],
    described: { invalidParameter: 'reject' },
    rules: { read: (name, text, user) => (text === '' ? undefined : strictly(name, text, user)) },
  },
  {
    title: 'responds with 422 to amounts, with nothing to dates, and with 400 to the rest',
    without: [],
    described: { invalidParameter: 'reject', notFoundWhen: 'empty-ledger' },
    rules: {
      read: (name, text, user) =>
        strictly(name, text, user, (of) => {
          if (of.endsWith('Amount')) throw new Failure(422, 'unprocessable')
          if (of === 'startDate') return Number.MAX_SAFE_INTEGER
          return of === 'endDate' ? -1 : bad(of)
        }),
      isMissing: (_, { all }) => all === 0,
    },
  },
  {
    title: 'sorts numbers as text',
    without: [],
    rules: {
      orderBy: { amount: 'CAST(amount AS TEXT)', quantity: 'CAST(quantity AS TEXT)', total: 'CAST(total AS TEXT)' },
    },
  },
  {
    title: 'takes a date alone as endDate for the end of that day',
    without: [],
    described: { dateTimeForms: 'date' },
    rules: {
      read(name, text, user) {
        if (name.endsWith('Date') && isDay(text)) return Date.parse(text) + (name === 'endDate' ? 86_399_999 : 0)
        const isBare = name.endsWith('Date') && !/(Z|[+-]\d\d:\d\d)$/.test(text) && dateTime.test(`${text}Z`)
        return isBare ? Date.parse(`${text}Z`) : strictly(name, text, user)
      },
    },
  },
  {
    title: 'responds with 404 for the guild, and with an empty list for a user',
    without: ['notFoundWhen'],
    rules: { isMissing: (user, { matching }) => user === null && matching === 0 },
  },
  {
    title: 'has totals from a cache',
    without: ['summaryScope'],
    rules: {
      page(body, user, { db }) {
        if (!body.summary || user !== null) return
        const row = db.prepare('SELECT COUNT(*) AS n, SUM(total) AS s FROM tx WHERE seq < 50').get()
        body.summary = { totalTransactions: Number(row?.['n']), totalValue: Number(row?.['s']), uniqueUsers: 3 }
      },
    },
  },
  {
    title: 'reverses the groups',
    without: ['groupOrder'],
    rules: { groups: (groups) => groups.toReversed() },
  },
  {
    title: 'orders ties at random',
    without: ['tieOrder'],
    rules: { ties: 'RANDOM()' },
  },
  {
    title: 'orders ties by the latest entry',
    without: ['tieOrder'],
    rules: { ties: 'seq DESC' },
  },
  {
    title: 'orders ties by the time of creation',
    without: ['tieOrder'],
    rules: { ties: 'at DESC, transactionId' },
  },
  {
    title: 'responds with 500 to repeated parameters, as Express with SQLite',
    without: ['repeatedParameter'],
    rules: {
      repeated: () => {
        throw new TypeError('cannot bind an array')
      },
    },
  },
  {
    title: 'joins repeated parameters, and matches with LIKE',
    without: [],
    described: { repeatedParameter: 'joined', sourceMatch: 'like' },
    rules: { repeated: (_, texts) => texts.join(','), from: 'source LIKE ?' },
  },
  {
    title: 'takes a limit of 0 for no limit',
    without: [],
    described: { invalidParameter: 'reject' },
    rules: {
      read: (name, text, user) => (name === 'limit' && text === '0' ? 0 : strictly(name, text, user)),
      page(body) {
        if (body.pagination.limit === 0) Object.assign(body.pagination, { totalPages: 1 })
      },
    },
  },
  {
    title: 'takes a page below 1 for the first, and shows it as it was sent',
    without: [],
    described: { invalidParameter: 'reject' },
    rules: {
      read: (name, text, user) =>
        name === 'page' && /^(0|-\d+)$/.test(text) ? Number(text) : strictly(name, text, user),
    },
  },
  {
    title: 'rejects pages after the last with 404 for the guild only',
    without: ['notFoundWhen'],
    rules: {
      isMissing: (user, { matching, onPage }) => (user === null ? onPage === 0 : matching === 0),
    },
  },
  {
    title: 'has createdAt in seconds, and stores milliseconds',
    without: [],
    described: { createdAtFormat: 'seconds' },
    rules: { createdAt: ({ created }) => `${created.slice(0, 19)}Z` },
  },
  {
    title: 'rejects unlisted parameters of the guild only',
    without: ['unlistedParameter'],
    rules: { unlisted: (name, user) => void (user === null && bad(name)) },
  },
  {
    title: 'rejects inverted dates, and finds nothing for inverted amounts',
    without: ['invertedRange'],
    rules: {
      check: ({ startDate, endDate }) =>
        void (startDate !== undefined && endDate !== undefined && startDate > endDate && bad('endDate')),
    },
  },
  {
    title: 'takes sortBy and sortOrder in any case',
    without: [],
    described: { invalidParameter: 'reject' },
    rules: {
      read(name, text, user) {
        if (name === 'sortOrder') return strictly(name, text.toLowerCase(), user)
        const sort = Object.keys(columns).find((one) => one.toLowerCase() === text.toLowerCase())
        return strictly(name, name === 'sortBy' ? (sort ?? text) : text, user)
      },
    },
  },
  {
    title: 'compares dates as text',
    without: ['dateTimeForms'],
    rules: {
      read: (name, text, user) => (name.endsWith('Date') ? text : strictly(name, text, user)),
      startDate: 'created >= ?',
      endDate: 'created <= ?',
    },
  },
  {
    title: 'counts the users of the guild whatever the filters',
    without: ['summaryScope'],
    rules: {
      page(body, _, service) {
        if (body.summary) body.summary.uniqueUsers = groupsOf(service.rows()).length
      },
    },
  },
  {
    title: 'has pages of at most 30, and lists the cheapest first for a user',
    without: [],
    described: { maxLimit: 30, userLimit: 10, userSortBy: 'amount', userSortOrder: 'asc' },
    rules: { most: 30, userDefaults: { limit: 10, sortBy: 'amount', sortOrder: 'asc' } },
  },
  {
    title: 'ignores amounts that are negative, and rejects what else is invalid',
    without: [],
    described: { invalidParameter: 'reject' },
    rules: {
      read: (name, text, user) =>
        name.endsWith('Amount') && number(text) < 0 ? undefined : strictly(name, text, user),
    },
  },
  {
    title: 'sorts by an unknown field as if by createdAt, and rejects what else is invalid',
    without: [],
    described: { invalidParameter: 'reject' },
    rules: {
      read: (name, text, user) => strictly(name, text, user, (of) => (of.startsWith('sort') ? undefined : bad(of))),
    },
  },
  {
    title: 'rounds the limit up to tens',
    without: [],
    described: { maxLimit: 100 },
    rules: limiting((limit) => Math.ceil(limit / 10) * 10),
  },
  {
    title: 'rounds the limit down to a power of two',
    without: ['maxLimit'],
    rules: limiting((limit) => 2 ** Math.floor(Math.log2(limit))),
  },
  {
    title: 'has pages of at least 10',
    without: [],
    described: { maxLimit: 100 },
    rules: limiting((limit) => Math.max(10, limit)),
  },
  {
    title: 'orders groups at random, and ties at random',
    without: ['groupOrder', 'tieOrder'],
    rules: { ties: 'RANDOM()', groups: (groups) => createDice(Math.floor(performance.now())).shuffle(groups) },
  },
]

/** Services written with SQL from the spec, as others would write them, with rules that are common elsewhere. */
export const inventedServices: readonly OracleService[] = invented.map(({ rules, ...more }) => ({
  ...more,
  create(ledger): Respond {
    const service = new Service(ledger, rules)
    return (target) => {
      const { body, ...rest } = service.respond(target)
      return { ...rest, body: JSON.stringify(body) }
    }
  },
}))
