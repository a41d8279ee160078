/** The queries that the mock is measured with: twelve kinds, none of them easier than what clients send. */
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import { below, day, firstAt, ledgerDays, sources } from './mock-rows.ts'

export type SortField = 'createdAt' | 'amount' | 'total' | 'quantity' | 'name'

/** Which transactions a query is for. Dates are ISO 8601 with milliseconds, in UTC. */
export interface Filters {
  readonly platformId?: string
  readonly from?: string
  readonly minAmount?: number
  readonly maxAmount?: number
  readonly startDate?: string
  readonly endDate?: string
}

/** One page of a list of all transactions. */
export interface Query extends Filters {
  readonly sortBy: SortField
  readonly sortOrder: 'asc' | 'desc'
  /** Counted from 1. */
  readonly page: number
  readonly limit: number
}

const limit = 20

const sorts: readonly SortField[] = ['createdAt', 'amount', 'total', 'quantity', 'name']
const orders = ['asc', 'desc'] as const

const oneOf = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item
const source = (): Filters => ({ from: oneOf(sources) })
const user = (transactions: readonly LedgerEntry[]): Filters => ({ platformId: oneOf(transactions).platformId })
const cents = (from: number, to: number) => from + below((to - from) * 100) / 100

const amounts = (least: number, most: number): Filters => {
  const width = cents(least, most)
  const minAmount = cents(0, 1000 - width)
  return { minAmount, maxAmount: minAmount + width }
}

const dates = (leastDays: number, mostDays: number): Filters => {
  const days = leastDays + below(mostDays - leastDays + 1)
  const from = firstAt + below((ledgerDays - days) * day)
  return { startDate: new Date(from).toISOString(), endDate: new Date(from + days * day).toISOString() }
}

type Shape = (transactions: readonly LedgerEntry[]) => readonly [filters: Filters, sortBy: SortField, page: number]

const shallow = () => 1 + below(10)

const kinds: Readonly<Record<string, Shape>> = {
  'first page': () => [{}, 'createdAt', 1],
  'any page, any sort': ({ length }) => [{}, oneOf(sorts), below(2) ? shallow() : 1 + below(length / limit)],
  'one source': () => [source(), 'createdAt', shallow()],
  'one source, other sort': () => [source(), oneOf(sorts.slice(1)), shallow()],
  'one user': (all) => [user(all), 'createdAt', 1],
  'user + source by total': (all) => [{ ...user(all), ...source() }, 'total', 1],
  'narrow amount by amount': () => [amounts(1, 20), 'amount', 1],
  'wide amount by date': () => [amounts(200, 700), 'createdAt', shallow()],
  'one month by date': () => [dates(28, 31), 'createdAt', 1],
  'one year by total': () => [dates(365, 366), 'total', shallow()],
  'source + amount + dates by quantity': () => [
    { ...source(), ...amounts(100, 500), ...dates(30, 365) },
    'quantity',
    1,
  ],
  'amount + dates by name': () => [{ ...amounts(100, 500), ...dates(30, 365) }, 'name', 1],
}

/** So many queries of each kind, by turns. */
export const mixOf = (transactions: readonly LedgerEntry[], each: number): Query[] =>
  Array.from({ length: each }, () =>
    Object.values(kinds).map((shape) => {
      const [filters, sortBy, page] = shape(transactions)
      return { ...filters, sortBy, sortOrder: oneOf(orders), page, limit }
    }),
  ).flat()

/** All pages of a ledger, as an export reads them. */
export const exportOf = (count: number): Query[] =>
  Array.from({ length: Math.ceil(count / 100) }, (_none, i) => ({
    sortBy: 'createdAt',
    sortOrder: 'desc',
    page: i + 1,
    limit: 100,
  }))

/** Path and query string of a request. */
export const targetOf = (query: Query): string =>
  `/guild/ledger/transactions?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`

/** What every peer has to find out about a query. */
export interface Found {
  readonly entries: readonly LedgerEntry[]
  readonly total: number
  readonly totalValue: number
  readonly uniqueUsers: number
}

/** The response body, as the service writes it. */
export const bodyOf = ({ entries, total, totalValue, uniqueUsers }: Found, { page, limit: size }: Query): string => {
  const groups = Map.groupBy(entries, ({ platformId }) => platformId)
  const data = [...groups].map(([platformId, transactions]) => ({
    platformId,
    transactions: transactions.map(
      ({ transactionId, amount, quantity, name, source: from, total: sum, createdAt }) => ({
        transactionId,
        amount,
        quantity,
        name,
        source: from,
        total: sum,
        createdAt,
      }),
    ),
  }))
  const pagination = { page, limit: size, total, totalPages: Math.ceil(total / size) }
  return JSON.stringify({
    success: true,
    data,
    pagination,
    summary: { totalTransactions: total, totalValue, uniqueUsers },
  })
}
