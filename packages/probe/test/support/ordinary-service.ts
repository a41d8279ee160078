import type { LedgerEntry } from '@guild-ledger/sdk/contract'

/** The value of each assumption that a service has. */
export type Values = Readonly<Record<string, unknown>>

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
  readonly startDate?: string
  readonly endDate?: string
}

export interface Group {
  platformId: string
  transactions: LedgerEntry[]
}

/** What a service is about to send. */
export interface Sent {
  status: number
  body: unknown
  headers?: Record<string, string>
}

/** An error response. */
export class Failure extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const fields = ['amount', 'quantity', 'total', 'createdAt']
const ofUsers = ['page', 'limit', 'from', 'minAmount', 'maxAmount', 'sortBy', 'sortOrder']
const parameters = { guild: [...ofUsers, 'platformId', 'startDate', 'endDate'], user: ofUsers }
const isoDateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/
export const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

const usersIn = (entries: readonly LedgerEntry[]): string[] => [...new Set(entries.map((one) => one.platformId))]
const sum = (values: readonly number[]): number =>
  Math.round(values.reduce((total, value) => total + value, 0) * 1e6) / 1e6

/** A service written from the spec, in which every step can be replaced. */
export class OrdinaryService {
  readonly values: Values
  /** In the order in which the transactions were entered. */
  ledger: LedgerEntry[]

  constructor(ledger: readonly LedgerEntry[], values: Values) {
    this.ledger = [...ledger]
    this.values = values
  }

  /** Responds to a path with a query string. */
  respond(target: string): Sent {
    const [path = '', search = ''] = target.split('?')
    const user = /^\/guild\/ledger\/(?:([^/]+)\/)?transactions$/.exec(path)?.[1]
    try {
      const query = this.read(user === undefined ? null : decodeURIComponent(user), new URLSearchParams(search))
      return { status: 200, body: query.user === null ? this.list(query) : this.listUser(query) }
    } catch (error) {
      if (error instanceof Failure) return this.fail(error)
      throw error
    }
  }

  fail({ status, message }: Failure): Sent {
    return { status, body: { success: false, message } }
  }

  allowed(user: string | null): readonly string[] {
    return user === null ? parameters.guild : parameters.user
  }

  read(user: string | null, search: URLSearchParams): Query {
    const sent: Record<string, string> = {}
    for (const name of new Set(search.keys())) {
      if (this.allowed(user).includes(name)) sent[name] = this.single(name, search.getAll(name))
      else if (this.values['unlistedParameter'] === 'reject') throw new Failure(400, `unknown parameter ${name}`)
    }
    const query = { ...this.defaults(user), user } as Record<string, unknown>
    for (const [name, text] of Object.entries(sent)) {
      const value = this.valueOf(name, text, user)
      if (value !== undefined) query[name] = value
    }
    this.checkRanges(query as unknown as Query)
    return query as unknown as Query
  }

  defaults(user: string | null): object {
    const { userLimit, userSortBy, userSortOrder } = this.values
    return user === null
      ? { page: 1, limit: 20, sortBy: 'createdAt', sortOrder: 'desc' }
      : { page: 1, limit: userLimit, sortBy: userSortBy, sortOrder: userSortOrder }
  }

  single(name: string, sent: readonly string[]): string {
    const { repeatedParameter } = this.values
    if (sent.length > 1 && repeatedParameter === 'reject') throw new Failure(400, `repeated parameter ${name}`)
    return sent.at(repeatedParameter === 'last' ? -1 : 0) ?? ''
  }

  valueOf(name: string, text: string, user: string | null): unknown {
    if (name === 'page') return this.number(name, text, 1, Number(this.values['maxPage'] ?? Infinity), true)
    if (name === 'limit') return this.number(name, text, 1, 100, true)
    if (name.endsWith('Amount')) return this.number(name, text, 0, Infinity)
    if (name.endsWith('Date')) return isoDateTime.test(text) ? text : this.invalid(name)
    if (name === 'sortOrder') return text === 'asc' || text === 'desc' ? text : this.invalid(name)
    if (name === 'sortBy')
      return [...fields, ...(user === null ? ['name'] : [])].includes(text) ? text : this.invalid(name)
    return text
  }

  number(name: string, text: string, min: number, max: number, isInteger = false): number | undefined {
    const isNumber = /^-?\d+(\.\d+)?$/.test(text)
    const value = Number(text)
    if (isNumber && value >= min && value <= max && (!isInteger || Number.isInteger(value))) return value
    return this.invalid(
      name,
      isNumber ? Math.max(min, Math.min(max, isInteger ? Math.round(value) : value)) : undefined,
    )
  }

  /** What an invalid value counts as. */
  invalid<Value>(name: string, nearest?: Value): Value | undefined {
    if (this.values['invalidParameter'] === 'reject') throw new Failure(400, `invalid value of ${name}`)
    return this.values['invalidParameter'] === 'clamp' ? nearest : undefined
  }

  checkRanges({ minAmount = 0, maxAmount = Infinity, startDate, endDate }: Query): void {
    if (this.values['invertedRange'] !== 'reject') return
    const isInverted = startDate !== undefined && endDate !== undefined && Date.parse(startDate) > Date.parse(endDate)
    if (isInverted || minAmount > maxAmount) throw new Failure(400, 'inverted range')
  }

  matching(query: Query): LedgerEntry[] {
    return this.visible(query)
      .filter((entry) => this.matches(entry, query))
      .toSorted((a, b) => this.compare(a, b, query))
  }

  /** What can be listed at all. */
  visible(query: Query): readonly LedgerEntry[] {
    return query.user === null ? this.ledger : this.ledger.filter(({ platformId }) => platformId === query.user)
  }

  matches(entry: LedgerEntry, query: Query): boolean {
    const { platformId, from, minAmount = 0, maxAmount = Infinity, startDate, endDate } = query
    return (
      (platformId === undefined || entry.platformId === platformId) &&
      (from === undefined || this.isFrom(entry.source, from)) &&
      entry.amount >= minAmount &&
      entry.amount <= maxAmount &&
      (startDate === undefined || this.isAfter(Date.parse(entry.createdAt), Date.parse(startDate))) &&
      (endDate === undefined || this.isBefore(Date.parse(entry.createdAt), Date.parse(endDate)))
    )
  }

  isFrom(source: string, from: string): boolean {
    const { sourceMatch } = this.values
    if (sourceMatch === 'contains') return source.includes(from)
    return sourceMatch === 'exact' ? source === from : source.toLowerCase() === from.toLowerCase()
  }

  isAfter(createdAt: number, start: number): boolean {
    return this.values['startDateBound'] === 'inclusive' ? createdAt >= start : createdAt > start
  }

  isBefore(createdAt: number, end: number): boolean {
    return this.values['endDateBound'] === 'inclusive' ? createdAt <= end : createdAt < end
  }

  compare(a: LedgerEntry, b: LedgerEntry, query: Query): number {
    const order = this.compareField(a, b, query.sortBy) * (query.sortOrder === 'desc' ? -1 : 1)
    return order || this.compareTies(a, b, query)
  }

  compareField(a: LedgerEntry, b: LedgerEntry, sortBy: string): number {
    if (sortBy === 'name') return this.compareNames(a.name, b.name)
    if (sortBy === 'createdAt') return Date.parse(a.createdAt) - Date.parse(b.createdAt)
    const field = sortBy as 'amount'
    return a[field] - b[field]
  }

  compareNames(a: string, b: string): number {
    if (this.values['nameOrder'] === 'language') return a.localeCompare(b, 'en')
    return this.values['nameOrder'] === 'code-unit' ? byCodeUnit(a, b) : byCodeUnit(a.toLowerCase(), b.toLowerCase())
  }

  compareTies(a: LedgerEntry, b: LedgerEntry, _query: Query): number {
    return this.values['tieOrder'] === 'transaction-id'
      ? byCodeUnit(a.transactionId, b.transactionId)
      : this.ledger.indexOf(a) - this.ledger.indexOf(b)
  }

  /** The users among these transactions, in the order of their groups. */
  orderedUsers(entries: readonly LedgerEntry[]): string[] {
    const users = usersIn(entries)
    const { groupOrder } = this.values
    if (groupOrder === 'first-transaction') return users
    if (groupOrder === 'platform-id') return users.toSorted(byCodeUnit)
    const ranks = usersIn(this.ledger)
    return users.toSorted((a, b) => ranks.indexOf(a) - ranks.indexOf(b))
  }

  group(entries: readonly LedgerEntry[]): Group[] {
    return this.orderedUsers(entries).map((platformId) => ({
      platformId,
      transactions: entries.filter((entry) => entry.platformId === platformId),
    }))
  }

  slice<Item>(items: readonly Item[], { page, limit }: Query): Item[] {
    return items.slice((page - 1) * limit, page * limit)
  }

  /** The groups on a page. */
  groupsOn(matching: readonly LedgerEntry[], query: Query): Group[] {
    return this.values['pageUnit'] === 'group'
      ? this.slice(this.group(matching), query)
      : this.group(this.slice(matching, query))
  }

  list(query: Query): unknown {
    const matching = this.matching(query)
    const groups = this.groupsOn(matching, query)
    const countsUsers = (this.values['pageUnit'] === 'group') === (this.values['totalUnit'] === 'page-unit')
    const total = countsUsers ? usersIn(matching).length : matching.length
    this.checkFound(total, groups.length, this.ledger.length, 'guild')
    return {
      success: true,
      data: groups.map(({ platformId, transactions }) => ({ platformId, transactions: transactions.map(this.show) })),
      pagination: this.pagination(query, total),
      summary: this.summary(matching, groups, query),
    }
  }

  listUser(query: Query): unknown {
    const matching = this.matching(query)
    const entries = this.slice(matching, query)
    this.checkFound(matching.length, entries.length, this.visible(query).length, 'user')
    return {
      success: true,
      data: { platformId: query.user, transactions: entries.map(this.show) },
      pagination: this.pagination(query, matching.length),
    }
  }

  checkFound(matching: number, onPage: number, inAll: number, whose: string): void {
    const { notFoundWhen } = this.values
    const found = { 'no-match': matching, 'empty-page': onPage, 'empty-ledger': inAll }[String(notFoundWhen)]
    if (found === 0) throw new Failure(404, `No transactions found for this ${whose}`)
  }

  pagination({ page, limit }: Query, total: number): object {
    const { emptyTotalPages } = this.values
    return { page, limit, total, totalPages: total === 0 ? emptyTotalPages : Math.ceil(total / limit) }
  }

  summary(matching: readonly LedgerEntry[], groups: readonly Group[], _query: Query): object {
    const { summaryScope, totalValueOf } = this.values
    const scopes = { match: matching, guild: this.ledger, page: groups.flatMap((group) => group.transactions) }
    const entries = scopes[summaryScope as 'match']
    return {
      totalTransactions: entries.length,
      totalValue: sum(entries.map((entry) => entry[totalValueOf as 'total'])),
      uniqueUsers: usersIn(entries).length,
    }
  }

  /** A transaction as responses have it. */
  show = ({ transactionId, amount, quantity, name, source, total, createdAt }: LedgerEntry): object => ({
    transactionId,
    amount,
    quantity,
    name,
    source,
    total,
    createdAt: this.showDate(createdAt),
  })

  showDate(createdAt: string): string {
    const { createdAtFormat } = this.values
    if (createdAtFormat === 'milliseconds') return createdAt
    return createdAtFormat === 'seconds' ? `${createdAt.slice(0, 19)}Z` : `${createdAt.slice(0, 23)}+00:00`
  }
}
