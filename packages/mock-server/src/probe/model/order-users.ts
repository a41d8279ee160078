import type { Item, LedgerCopy } from './ledger-copy.ts'
import type { Ordered } from './order-items.ts'
import type { Value } from './variables.ts'
import { keptFor } from './kept-results.ts'

/** A test of an order that is not known in full. */
export type OrderTest = (users: readonly string[]) => boolean

const usersIn = (items: readonly Item[]): string[] => [...new Set(items.map(({ entry }) => entry.platformId))]

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const natural = new Intl.Collator('en', { numeric: true })

/** Users by when they were last or first seen in the whole ledger, latest first. */
const latestFirst = (copy: LedgerCopy, which: 'first' | 'last'): ReadonlyMap<string, number> =>
  keptFor(copy, [which], () => {
    const timeOf = (items: readonly Item[]) => items.at(which === 'first' ? 0 : -1)?.at ?? 0
    const users = [...copy.byUser].toSorted(([, a], [, b]) => timeOf(b) - timeOf(a))
    return new Map(users.map(([user], rank) => [user, rank]))
  })

const byRank = (users: readonly string[], ranks: ReadonlyMap<string, number>): string[] =>
  users.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0))

/** Whether transactions of several users have equal sort values, so that it cannot be known who is first. */
const blursUsers = ({ items, blurs }: Ordered): boolean =>
  blurs.some(([start, end]) => new Set(items.slice(start, end).map(({ entry }) => entry.platformId)).size > 1)

/** Users whose first, or last, transactions have equal sort values may be in any order. */
const byRuns = ({ items, blurs }: Ordered, isLast: boolean): OrderTest => {
  const startOf = (position: number) =>
    blurs.find(([start, end]) => position >= start && position < end)?.[0] ?? position
  const ranks = new Map<string, number>()
  for (const [position, { entry }] of items.entries()) {
    if (isLast || !ranks.has(entry.platformId)) ranks.set(entry.platformId, startOf(position))
  }
  const rankOf = (user = ''): number => ranks.get(user) ?? -1
  return (users) => users.every((user, i) => i === 0 || rankOf(user) >= rankOf(users[i - 1]))
}

const mostFirst = ({ items }: Ordered): OrderTest => {
  const counts = new Map<string, number>()
  for (const { entry } of items) counts.set(entry.platformId, (counts.get(entry.platformId) ?? 0) + 1)
  const countOf = (user: string | undefined) => counts.get(user ?? '') ?? 0
  return (users) => users.every((user, i) => i === 0 || countOf(user) <= countOf(users[i - 1]))
}

type UserOrder = (users: string[], ordered: Ordered, copy: LedgerCopy) => readonly string[] | OrderTest | undefined

const userOrders: Readonly<Record<string, UserOrder>> = {
  'first-transaction': (users, ordered) => (blursUsers(ordered) ? byRuns(ordered, false) : users),
  'last-transaction': (_users, ordered) =>
    blursUsers(ordered) ? byRuns(ordered, true) : usersIn(ordered.items.toReversed()).toReversed(),
  'platform-id': (users) => users.toSorted(compareText),
  'id-descending': (users) => users.toSorted((a, b) => compareText(b, a)),
  'id-numeric': (users) => users.toSorted((a, b) => natural.compare(a, b)),
  'id-any-case': (users) => users.toSorted((a, b) => compareText(a.toLowerCase(), b.toLowerCase())),
  // A window does not show when users were last seen.
  'latest-first': (users, _ordered, copy) => (copy.window ? undefined : byRank(users, latestFirst(copy, 'last'))),
  'newest-first': (users, _ordered, copy) => byRank(users, latestFirst(copy, 'first')),
  'most-transactions': (_users, ordered) => mostFirst(ordered),
}

/** The order of the groups: users, a test, or `undefined` where it cannot be known, as the order they appeared in. */
export const orderUsers = (
  copy: LedgerCopy,
  ordered: Ordered,
  groupOrder: Value,
): readonly string[] | OrderTest | undefined => userOrders[String(groupOrder)]?.(usersIn(ordered.items), ordered, copy)
