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

/** What transactions are sorted by, as its values are compared: each is an aspect of the transactions in each group. */
export const fields = {
  order: ({ transactionId }) => transactionId,
  amounts: ({ amount }) => amount,
  quantities: ({ quantity }) => quantity,
  totals: ({ total }) => total,
  names: ({ name }) => name,
  namesInLowerCase: ({ name }) => name.toLowerCase(),
  times: ({ createdAt }) => Date.parse(createdAt),
  seconds: ({ createdAt }) => Math.floor(Date.parse(createdAt) / 1000),
} as const satisfies Readonly<Record<string, (transaction: Transaction) => string | number>>
type Field = keyof typeof fields
const fieldAspects = Object.keys(fields) as Field[]
const sortAspects = fieldAspects.slice(1)
/** The values on the whole page, in any order: those of a page of transactions are known whatever the order of ties. */
export const pageAspect = <Of extends Field>(aspect: Of) => `${aspect} of the page` as const
/** The first value of each group, in any order: those of a page of users are known if groups follow the sort. */
export const firstAspect = <Of extends Field>(aspect: Of) => `first ${aspect}` as const

/** Whether an aspect is one that counts only where the transactions of a page are not known. */
export const isOfPage = (aspect: Aspect): boolean => aspect.includes(' ')

/** The aspects that are sorted by a field. Where names that differ by case are ties, their order is not known. */
const sortedBy: Readonly<Record<string, readonly Field[]>> = {
  amount: ['amounts'],
  quantity: ['quantities'],
  total: ['totals'],
  name: ['names', 'namesInLowerCase'],
  createdAt: ['times', 'seconds'],
}
/** The aspects whose order does not depend on that of ties: what transactions are sorted by. */
export const aspectsOfSort = ({ endpoint, query }: ModelRequest, solution: Solution): readonly Field[] => {
  const sortBy = query?.['sortBy'] ?? (endpoint === 'user' ? solution.userSortBy : 'createdAt')
  // List-one cannot sort by name.
  if (typeof sortBy !== 'string' || (endpoint === 'user' && sortBy === 'name')) return []
  return (sortedBy[sortBy] ?? []).filter((aspect) => aspect !== 'names' || solution.nameOrder !== 'case-insensitive')
}

const inGroups = (groups: readonly Group[], valueOf: (of: Transaction) => unknown): string => {
  const full = groups.filter(({ transactions }) => transactions.length > 0)
  return inAnyOrder(full.map((one) => JSON.stringify([one.platformId, ...one.transactions.map(valueOf)])))
}
const onPage = (transactions: readonly Transaction[], valueOf: (of: Transaction) => unknown): string =>
  inAnyOrder(transactions.map((one) => JSON.stringify(valueOf(one))))

/** The aspects of data. Where equal sort values are in an unknown order, the order of the values is still known. */
const dataAspects: Readonly<Record<string, (groups: readonly Group[]) => string>> = {
  items: (groups) => inAnyOrder(transactionsIn(groups).map(({ transactionId }) => transactionId)),
  groups: (groups) => JSON.stringify(groups.map(({ platformId }) => platformId)),
  ...Object.fromEntries(fieldAspects.map((aspect) => [aspect, (groups) => inGroups(groups, fields[aspect])])),
  ...Object.fromEntries(
    sortAspects.flatMap((aspect) => [
      [pageAspect(aspect), (groups) => onPage(transactionsIn(groups), fields[aspect])],
      [
        firstAspect(aspect),
        (groups) =>
          onPage(
            groups.flatMap((one) => one.transactions[0] ?? []),
            fields[aspect],
          ),
      ],
    ]),
  ),
  createdAt: (groups) =>
    [...new Set(transactionsIn(groups).map(({ createdAt }) => createdAt.replaceAll(/\d/g, '0')))].toSorted().join(),
  transactionCount: (groups) => String(transactionsIn(groups).length),
  userCount: (groups) => String(groups.length),
}

const all = {
  data: [
    'status',
    'items',
    'groups',
    ...fieldAspects,
    ...sortAspects.map(pageAspect),
    ...sortAspects.map(firstAspect),
    'transactionCount',
    'userCount',
    'createdAt',
  ],
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
export const partOf = (aspect: Aspect): Part => parts.find((part) => aspectsOf[part].includes(aspect)) ?? 'data'
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
  #text: string | undefined

  constructor(status: number, body: unknown) {
    this.status = status
    const { pagination, summary, ...data }: Partial<GuildResponse> = status === 200 && isObject(body) ? body : {}
    this.#groups = groupsOf(data)
    this.#counts = { ...summary, ...pagination, status }
  }

  /** The same for equal responses about one ledger, where an id stands for a transaction, and one time for the format. */
  get text(): string {
    return (this.#text ??= this.#toText())
  }

  #toText(): string {
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
