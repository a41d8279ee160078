/** The queries that the mock is measured with: twelve kinds, none of them easier than what clients send. */
import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import type { Filter, Sort, SortField } from '../../packages/mock-server/src/store/index.ts'
import { below, day, firstAt, ledgerDays, sources } from './mock-rows.ts'

export interface Query {
  readonly kind: string
  readonly filter: Filter
  readonly sort: Sort
  /** Counted from 1. */
  readonly page: number
}

export const limit = 20

const sorts: readonly SortField[] = ['createdAt', 'amount', 'total', 'quantity', 'name']
const orders = ['asc', 'desc'] as const

const sorted = (by: SortField): Sort => ({
  by,
  order: orders[below(2)] ?? 'desc',
  names: 'code-unit',
  ties: 'transaction-id',
})
const oneOf = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item
const source = (): Filter => ({ source: { text: oneOf(sources), match: 'exact' } })
const user = (transactions: readonly LedgerEntry[]): Filter => ({ platformId: oneOf(transactions).platformId })
const cents = (from: number, to: number) => from + below((to - from) * 100) / 100

const amounts = (least: number, most: number): Filter => {
  const width = cents(least, most)
  const minAmount = cents(0, 1000 - width)
  return { minAmount, maxAmount: minAmount + width }
}

const dates = (leastDays: number, mostDays: number): Filter => {
  const days = leastDays + below(mostDays - leastDays + 1)
  const minCreatedAt = firstAt + below((ledgerDays - days) * day)
  return { minCreatedAt, maxCreatedAt: minCreatedAt + days * day }
}

type Shape = (transactions: readonly LedgerEntry[]) => Omit<Query, 'kind'>

const shallow = () => 1 + below(10)

const kinds: Readonly<Record<string, Shape>> = {
  'first page': () => ({ filter: {}, sort: sorted('createdAt'), page: 1 }),
  'any page, any sort': ({ length }) => ({
    filter: {},
    sort: sorted(oneOf(sorts)),
    page: below(2) ? shallow() : 1 + below(length / limit),
  }),
  'one source': () => ({ filter: source(), sort: sorted('createdAt'), page: shallow() }),
  'one source, other sort': () => ({ filter: source(), sort: sorted(oneOf(sorts.slice(1))), page: shallow() }),
  'one user': (all) => ({ filter: user(all), sort: sorted('createdAt'), page: 1 }),
  'user + source by total': (all) => ({ filter: { ...user(all), ...source() }, sort: sorted('total'), page: 1 }),
  'narrow amount by amount': () => ({ filter: amounts(1, 20), sort: sorted('amount'), page: 1 }),
  'wide amount by date': () => ({ filter: amounts(200, 700), sort: sorted('createdAt'), page: shallow() }),
  'one month by date': () => ({ filter: dates(28, 31), sort: sorted('createdAt'), page: 1 }),
  'one year by total': () => ({ filter: dates(365, 366), sort: sorted('total'), page: shallow() }),
  'source + amount + dates by quantity': () => ({
    filter: { ...source(), ...amounts(100, 500), ...dates(30, 365) },
    sort: sorted('quantity'),
    page: 1,
  }),
  'amount + dates by name': () => ({
    filter: { ...amounts(100, 500), ...dates(30, 365) },
    sort: sorted('name'),
    page: 1,
  }),
}

export const kindNames = Object.keys(kinds)

/** So many queries of each kind, by turns. */
export const mixOf = (transactions: readonly LedgerEntry[], each: number): Query[] =>
  Array.from({ length: each }, () =>
    Object.entries(kinds).map(([kind, shape]) => ({ kind, ...shape(transactions) })),
  ).flat()

const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString())

/** Path and query string of a request. The extra parameter, which the mock ignores, keeps it out of the mock's cache. */
export const targetOf = ({ filter, sort, page }: Query, unique: number): string => {
  const { platformId, source: from, minAmount, maxAmount, minCreatedAt, maxCreatedAt } = filter
  const parameters = {
    page,
    limit,
    platformId,
    from: from?.text,
    minAmount,
    maxAmount,
    startDate: iso(minCreatedAt),
    endDate: iso(maxCreatedAt),
    sortBy: sort.by,
    sortOrder: sort.order,
    unique,
  }
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined)
  return `/guild/ledger/transactions?${new URLSearchParams(given as [string, string][]).toString()}`
}

/** What every peer has to find out about a query. */
export interface Found {
  readonly entries: readonly LedgerEntry[]
  readonly total: number
  readonly totalValue: number
  readonly uniqueUsers: number
}

/** The response body, as the service writes it. */
export const bodyOf = ({ entries, total, totalValue, uniqueUsers }: Found, page: number): string => {
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
  const pagination = { page, limit, total, totalPages: Math.ceil(total / limit) }
  return JSON.stringify({
    success: true,
    data,
    pagination,
    summary: { totalTransactions: total, totalValue, uniqueUsers },
  })
}
