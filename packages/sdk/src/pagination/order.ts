import type { LedgerEntry, UserGroup } from '../contract/index.ts'

/** Sort parameters of a query. Spec: Endpoints. */
export interface Sort {
  readonly sortBy?: 'amount' | 'quantity' | 'total' | 'createdAt' | 'name' | undefined
  readonly sortOrder?: 'asc' | 'desc' | undefined
}

/** Makes one sequence of the groups of a page. */
export type Order = (groups: readonly UserGroup[]) => LedgerEntry[]

type Compare = (a: LedgerEntry, b: LedgerEntry) => number

// With `validation` other than 'strict' anything may be in a field.
const toText = (value: unknown): string => (typeof value === 'string' ? value : '')
const toNumber = (value: unknown): number => (typeof value === 'number' ? value : NaN)

const compareStrings = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** The transactions of groups, each with its user. */
const flatten: Order = (groups) =>
  groups.flatMap(({ platformId, transactions }) => transactions.map((transaction) => ({ ...transaction, platformId })))

/** Stable, so that equal values keep the service's order. Each key is computed once. */
const sortByKey = (
  entries: readonly LedgerEntry[],
  keyOf: (entry: LedgerEntry) => number,
  direction: number,
  compareEqual: Compare,
): LedgerEntry[] =>
  entries
    .map((entry) => ({ entry, key: keyOf(entry) }))
    .toSorted((a, b) => direction * (a.key - b.key || compareEqual(a.entry, b.entry)))
    .map(({ entry }) => entry)

// `Date.parse` reads no more than milliseconds; strings of one length differ in the digits behind them.
const compareFractions: Compare = ({ createdAt: a }, { createdAt: b }) =>
  toText(a).length === toText(b).length ? compareStrings(toText(a), toText(b)) : 0

/** Orders of names that services use. Which one this service uses is unspecified. */
const nameOrders: readonly Compare[] = [
  (a, b) => compareStrings(toText(a.name), toText(b.name)),
  (a, b) => compareStrings(toText(a.name).toLowerCase(), toText(b.name).toLowerCase()),
]

const isSorted = ({ transactions }: UserGroup, compare: Compare, direction: number): boolean =>
  transactions.every((transaction, i) => {
    const before = transactions[i - 1]
    return !before || direction * compare(before as LedgerEntry, transaction as LedgerEntry) <= 0
  })

/**
 * The order of a page in the requested sort. Responses are grouped by user, so the groups have to be merged again. Names
 * are merged only in an order that every group of the page is in; where there is none, the groups stay as they are. One
 * group stays as it is. Defaults: Spec: Endpoints, 1.
 */
export const orderOf = ({ sortBy = 'createdAt', sortOrder = 'desc' }: Sort): Order => {
  const direction = sortOrder === 'asc' ? 1 : -1
  return (groups) => {
    const entries = flatten(groups)
    if (groups.length < 2) return entries
    if (sortBy === 'createdAt') {
      return sortByKey(entries, ({ createdAt }) => Date.parse(toText(createdAt)), direction, compareFractions)
    }
    if (sortBy !== 'name')
      return sortByKey(
        entries,
        (entry) => toNumber(entry[sortBy]),
        direction,
        () => 0,
      )
    const compare = nameOrders.find((one) => groups.every((group) => isSorted(group, one, direction)))
    return compare ? entries.toSorted((a, b) => direction * compare(a, b)) : entries
  }
}
