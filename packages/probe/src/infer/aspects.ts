import type { ModelRequest } from '@guild-ledger/mock-server/assumptions'
import { isObject } from '@guild-ledger/validation'
import type { GuildResponse, LedgerEntry, Transaction, UserResponse } from '@guild-ledger/sdk/contract'
import type { Solution } from './domains.ts'

export interface Group {
  readonly platformId: string
  readonly transactions: readonly Transaction[]
}

/** The groups of a page; that of one user is one group. A service may send anything. */
export const groupsOf = (body: unknown): Group[] => {
  const { data } = (body ?? {}) as Partial<GuildResponse | UserResponse>
  const groups: readonly (Group | undefined)[] = Array.isArray(data) ? data : [data]
  return groups.filter(
    (group): group is Group => Array.isArray(group?.transactions) && group.transactions.every((one) => one !== null),
  )
}

export const entriesIn = (body: unknown): LedgerEntry[] =>
  groupsOf(body).flatMap(({ platformId, transactions }) => transactions.map((one) => ({ ...one, platformId })))

export const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

const transactionsIn = (groups: readonly Group[]) => groups.flatMap(({ transactions }) => transactions)

/** A text that is the same if lists are, without regard to the order. */
const inAnyOrder = (values: readonly string[]): string => JSON.stringify(values.toSorted(compareText))

/** Aspects that are a field of the transactions in each group. */
export const fields = {
  order: 'transactionId',
  amounts: 'amount',
  quantities: 'quantity',
  totals: 'total',
  names: 'name',
  namesInLowerCase: 'name',
} as const
/** Whether transactions are sorted by the field that an aspect is of: then the order of equal ones does not change it. */
export const isOfSort = (aspect: string, { endpoint, query }: ModelRequest, solution: Solution): boolean => {
  const sortBy = query?.['sortBy'] ?? (endpoint === 'user' ? solution.userSortBy : 'createdAt')
  // List-one cannot sort by name.
  if (endpoint === 'user' && sortBy === 'name') return false
  if (aspect === 'names' && solution.nameOrder === 'case-insensitive') return false
  return aspect in fields && fields[aspect as keyof typeof fields] === sortBy
}

const fieldAspects = Object.keys(fields) as (keyof typeof fields)[]

const inGroups = (groups: readonly Group[], field: keyof Transaction): string => {
  const full = groups.filter(({ transactions }) => transactions.length > 0)
  return inAnyOrder(full.map((one) => JSON.stringify([one.platformId, ...one.transactions.map((of) => of[field])])))
}
/** The aspects of data. Where equal sort values are in an unknown order, the order of the values is still known. */
const dataAspects: Readonly<Record<string, (groups: readonly Group[]) => string>> = {
  items: (groups) => inAnyOrder(transactionsIn(groups).map(({ transactionId }) => transactionId)),
  groups: (groups) => JSON.stringify(groups.map(({ platformId }) => platformId)),
  ...Object.fromEntries(fieldAspects.map((aspect) => [aspect, (groups) => inGroups(groups, fields[aspect])])),
  // Where names that differ by case are ties, their order is not known.
  namesInLowerCase: (groups) => inGroups(groups, 'name').toLowerCase(),
  createdAt: (groups) =>
    [...new Set(transactionsIn(groups).map(({ createdAt }) => createdAt.replaceAll(/\d/g, '0')))].toSorted().join(),
  transactionCount: (groups) => String(transactionsIn(groups).length),
  userCount: (groups) => String(groups.length),
}

const all = {
  data: ['status', 'items', 'groups', ...fieldAspects, 'transactionCount', 'userCount', 'createdAt'],
  pagination: ['page', 'limit', 'total', 'totalPages'],
  summary: ['totalTransactions', 'totalValue', 'uniqueUsers'],
} as const
/** A part of a response that a mock computes for itself. */
export type Part = keyof typeof all
/** A part of a response that is compared. */
export type Aspect = (typeof all)[Part][number]
/** The aspects of each part. The status is compared with the data. */
export const aspectsOf: Readonly<Record<Part, readonly Aspect[]>> = all
export const parts = Object.keys(aspectsOf) as readonly Part[]
/** The parts of a response that are compared, each for itself. */
export const aspects: readonly Aspect[] = parts.flatMap((part) => aspectsOf[part])
/** What may differ where transactions or groups are in another order. */
export const aspectsOfOrder: ReadonlySet<Aspect> = new Set(aspectsOf.data.slice(1, -1))

/** The aspects of one response, or of a part of it, as values that are the same if the aspects are. */
export class Aspects {
  readonly status: number
  readonly #groups: readonly Group[]
  readonly #counts: Readonly<Record<string, unknown>>
  /** Each is computed when it is compared for the first time. */
  readonly #known: Partial<Record<Aspect, string>> = {}

  constructor(status: number, body: unknown) {
    this.status = status
    const { pagination, summary, ...data }: Partial<GuildResponse> = status === 200 && isObject(body) ? body : {}
    this.#groups = groupsOf(data)
    this.#counts = { ...summary, ...pagination, status }
  }

  /** The same for equal predictions about one ledger, where an id stands for a transaction, and one time for the format. */
  get text(): string {
    const groups = this.#groups.map(({ platformId, transactions }) => [
      platformId,
      transactions[0]?.createdAt,
      ...transactions.map(({ transactionId }) => transactionId),
    ])
    return JSON.stringify([this.#counts, groups])
  }

  of(aspect: Aspect): string {
    return (this.#known[aspect] ??= dataAspects[aspect]?.(this.#groups) ?? String(this.#counts[aspect]))
  }
}

/** Whether two responses agree in an aspect. A finer aspect is compared only where the coarser one is the same. */
export const agreesIn = (aspect: Aspect, a: Aspects, b: Aspects): boolean => {
  if (a.status !== b.status) return aspect !== 'status'
  const [left, right] = [a.of(aspect), b.of(aspect)]
  if (left === right) return true
  if (aspect === 'groups' || aspect === 'order') return a.of('items') !== b.of('items')
  if (aspect === 'createdAt') return left === '' || right === ''
  return aspect === 'totalValue' && Math.abs(Number(left) - Number(right)) <= 1e-6 + Math.abs(Number(right)) * 1e-9
}

/** Whether two responses have the same text in an aspect. */
export const isSameIn = (aspect: Aspect, a: Aspects, b: Aspects): boolean =>
  a.status === b.status && a.of(aspect) === b.of(aspect)
