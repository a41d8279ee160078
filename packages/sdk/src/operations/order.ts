import type { GuildQuery, LedgerEntry } from '../contract/index.ts'

type Sort = Pick<GuildQuery, 'sortBy' | 'sortOrder'>

type Compare = (a: LedgerEntry, b: LedgerEntry) => number

// With `validation` other than 'strict' anything may be in a field.
const toText = (value: unknown): string => (typeof value === 'string' ? value : '')
const toNumber = (value: unknown): number => (typeof value === 'number' ? value : NaN)

const compare = <T extends number | string>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0)
const byNumber = (name: 'amount' | 'quantity' | 'total'): Compare => {
  return (a, b) => compare(toNumber(a[name]), toNumber(b[name]))
}
const byTime: Compare = (a, b) => {
  const [was, is] = [toText(a.createdAt), toText(b.createdAt)]
  // `Date.parse` reads no more than milliseconds; strings of one length differ in the digits behind them.
  return compare(Date.parse(was), Date.parse(is)) || (was.length === is.length ? compare(was, is) : 0)
}
const byName: Compare = (a, b) => compare(toText(a.name), toText(b.name))
const byNameInLowerCase: Compare = (a, b) => compare(toText(a.name).toLowerCase(), toText(b.name).toLowerCase())
// Made when it is first needed: it takes some milliseconds.
let collator: Intl.Collator | undefined
const byNameByLanguage: Compare = (a, b) => {
  collator ??= new Intl.Collator('en')
  return collator.compare(toText(a.name), toText(b.name))
}

/** Orders that services use. Which order of names this service uses is unspecified. */
const orders: Record<NonNullable<Sort['sortBy']>, readonly Compare[]> = {
  amount: [byNumber('amount')],
  quantity: [byNumber('quantity')],
  total: [byNumber('total')],
  createdAt: [byTime],
  // An order by language is by lower case too where names differ in case only, but not the other way round.
  name: [byName, byNameByLanguage, byNameInLowerCase],
}

/**
 * Responses are grouped by user, so the groups of a page are merged again, which keeps the order of equal values. Names
 * are merged only in an order that every group of the page is in. Defaults: Spec: Endpoints, 1.
 */
export const orderOf = ({ sortBy = 'createdAt', sortOrder = 'desc' }: Sort) => {
  const direction = sortOrder === 'asc' ? 1 : -1
  const candidates = orders[sortBy]
  return (users: readonly (readonly LedgerEntry[])[]): LedgerEntry[] => {
    const isSorted = (one: Compare) =>
      users.every((entries) => entries.every((entry, i) => direction * one(entries[i - 1] ?? entry, entry) <= 0))
    const order = candidates.length === 1 ? candidates[0] : candidates.find(isSorted)
    const entries = users.flat()
    return order && users.length > 1 ? entries.toSorted((a, b) => direction * order(a, b)) : entries
  }
}
