import type { LedgerEntry } from '@guild-ledger/sdk/contract'
import type { LedgerCopy } from './model/ledger-copy.ts'
import type { Knowledge } from './knowledge.ts'
import { createPrecedence } from './order-constraints.ts'

/**
 * The transactions in an order in which they may have entered the ledger. That order cannot be seen, but it shows in ties
 * and in the order of groups if these follow it: a mock with this order responds the same.
 */
export const entriesInOrder = (copy: LedgerCopy, { space, order: { ties, users } }: Knowledge): LedgerEntry[] => {
  const shows = (variable: string): boolean => space.domains.get(variable)?.includes('ledger') ?? false
  const ids = [...copy.byId.keys()]
  const byTies = (shows('tieOrder') ? ties.sorted(ids) : undefined) ?? ids
  const ranked = shows('groupOrder') ? users.sorted([...copy.byUser.keys()]) : undefined
  if (!ranked) return byTies.flatMap((id) => copy.byId.get(id)?.entry ?? [])
  const both = createPrecedence()
  for (const [before, after] of shows('tieOrder') ? ties.edges() : []) both.add(before, after)
  const userOf = (id: string): string => copy.byId.get(id)?.entry.platformId ?? ''
  const first = new Map<string, string>()
  for (const id of byTies) if (!first.has(userOf(id))) first.set(userOf(id), id)
  for (const id of byTies) {
    const own = first.get(userOf(id)) ?? id
    if (own !== id) both.add(own, id)
  }
  for (const [i, user] of ranked.entries()) {
    const [before, after] = [first.get(ranked[i - 1] ?? ''), first.get(user)]
    if (before !== undefined && after !== undefined) both.add(before, after)
  }
  const sorted = both.sorted(byTies) ?? byTies
  return sorted.flatMap((id) => copy.byId.get(id)?.entry ?? [])
}
