import { isObject } from '@guild-ledger/validation'
import type { GuildResponse, LedgerEntry, Transaction, UserResponse } from '@guild-ledger/sdk/contract'

interface Group {
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

/** The transactions of a page with their users. */
export const entriesIn = (body: unknown): LedgerEntry[] =>
  groupsOf(body).flatMap(({ platformId, transactions }) => transactions.map((one) => ({ ...one, platformId })))

/** Compares by code units. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
const formOf = (createdAt: string): string => createdAt.replaceAll(/\d/g, '0')
const formsOf = (groups: readonly Group[]): string => {
  const times = groups.flatMap(({ transactions }) => transactions.map(({ createdAt }) => createdAt))
  // Nearly all times have the form of the first.
  const forms = times.filter((time, i) => i === 0 || time?.length !== times[0]?.length).map(formOf)
  return [...new Set(forms)].toSorted(compareText).join()
}
const inOrder =
  (field: keyof Transaction) =>
  (groups: readonly Group[]): string =>
    groups
      .filter(({ transactions }) => transactions.length > 0)
      .toSorted((a, b) => compareText(a.platformId, b.platformId))
      .map(({ transactions }) => transactions.map((one) => one[field]).join())
      .join(';')
type Body = Partial<GuildResponse>
const inPagination =
  (name: keyof GuildResponse['pagination']) =>
  (_groups: readonly Group[], { pagination }: Body) =>
    String(pagination?.[name])
const inSummary =
  (name: keyof GuildResponse['summary']) =>
  (_groups: readonly Group[], { summary }: Body) =>
    String(summary?.[name])

const readers = {
  items: (groups: readonly Group[]) =>
    groups
      .flatMap(({ transactions }) => transactions.map(({ transactionId }) => transactionId))
      .toSorted(compareText)
      .join(),
  groups: (groups: readonly Group[]) => groups.map(({ platformId }) => platformId).join(),
  order: inOrder('transactionId'),
  // Where equal sort values have an order that is not known, the order of the values still is.
  amounts: inOrder('amount'),
  quantities: inOrder('quantity'),
  totalsInOrder: inOrder('total'),
  names: inOrder('name'),
  createdAt: formsOf,
  page: inPagination('page'),
  limit: inPagination('limit'),
  total: inPagination('total'),
  totalPages: inPagination('totalPages'),
  totalTransactions: inSummary('totalTransactions'),
  totalValue: inSummary('totalValue'),
  uniqueUsers: inSummary('uniqueUsers'),
} satisfies Record<string, (groups: readonly Group[], body: Body) => string>

/** A part of a response that is compared. */
export type Aspect = 'status' | keyof typeof readers
/** The parts of a response that are compared, each for itself. */
export const aspects = ['status', ...Object.keys(readers)] as readonly Aspect[]

/** A part of a response that a mock computes for itself. */
export type Part = 'data' | 'pagination' | 'summary'
/** The aspects of each part. The status is compared with the data. */
export const aspectsOf: Readonly<Record<Part, readonly Aspect[]>> = {
  data: aspects.slice(0, -7),
  pagination: ['page', 'limit', 'total', 'totalPages'],
  summary: ['totalTransactions', 'totalValue', 'uniqueUsers'],
}
export const parts = Object.keys(aspectsOf) as readonly Part[]

/** The aspects of one response, as text. */
export class Aspects {
  readonly status: number
  readonly #body: Body
  readonly groups: readonly Group[]
  readonly #kept = new Map<Aspect, string>()

  constructor(status: number, body: unknown) {
    this.status = status
    this.#body = status === 200 && isObject(body) ? body : {}
    this.groups = groupsOf(this.#body)
  }

  of(aspect: Aspect): string {
    if (aspect === 'status') return String(this.status)
    const text = this.#kept.get(aspect) ?? readers[aspect](this.groups, this.#body)
    this.#kept.set(aspect, text)
    return text
  }

  /** The users on the page, without their order. */
  get users(): string {
    return this.groups
      .map(({ platformId }) => platformId)
      .toSorted(compareText)
      .join()
  }

  /** The number of transactions on the page. */
  get count(): number {
    return this.groups.reduce((sum, { transactions }) => sum + transactions.length, 0)
  }
}

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-6 + Math.abs(b) * 1e-9

/** Whether two responses agree in an aspect. A finer aspect is compared only where the coarser one is the same. */
export const agreesIn = (aspect: Aspect, a: Aspects, b: Aspects): boolean => {
  if (a.status !== b.status) return aspect !== 'status'
  const [left, right] = [a.of(aspect), b.of(aspect)]
  if (left === right) return true
  if (aspect === 'groups') return a.users !== b.users
  if (aspect === 'order') return a.of('items') !== b.of('items')
  if (aspect === 'createdAt') return left === '' || right === ''
  return aspect === 'totalValue' && isNear(Number(left), Number(right))
}

/** Whether two responses have the same text in an aspect. */
export const isSameIn = (aspect: Aspect, a: Aspects, b: Aspects): boolean =>
  a.status === b.status && a.of(aspect) === b.of(aspect)
