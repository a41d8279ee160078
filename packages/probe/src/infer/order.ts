import type { LedgerEntry, Transaction } from '@guild-ledger/sdk/contract'
import type { Copy } from './copy.ts'
import type { Observation } from './observation.ts'

/** An accident less likely than one in ten to this many is taken for impossible. */
const impossible = 6.5
// Fewer steps in one direction would agree by accident once in a thousand times.
const minInOrder = 7
const deviations = 3.3

/** Neighbours in a list. */
export const pairsOf = <Item>(items: readonly Item[]): [before: Item, after: Item][] =>
  items.slice(1).map((item, i) => [items[i] as Item, item])

const shareOf = (texts: readonly string[]): number =>
  pairsOf(texts).filter(([before, after]) => after > before).length / Math.max(1, texts.length - 1)

/** Whether lists are in ascending order, and too long for an accident: n texts are in order by accident once in n! times. */
const areSorted = (lists: readonly string[][]): boolean =>
  lists.flatMap(pairsOf).every(([before, after]) => after > before) &&
  lists.flatMap((list) => list.map((_, i) => Math.log10(i + 1))).reduce((sum, log) => sum + log, 0) > impossible

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/** Whether ids are random: then their order says nothing about the order in which transactions entered the ledger. */
export const areRandom = (ids: readonly string[]): boolean => {
  const starts = new Set(ids.map((id) => id.slice(0, 2).toLowerCase()))
  return ids.every((id) => uuid4.test(id)) && starts.size >= Math.min(ids.length, 256) * 0.4 && shareOf(ids) < 0.9
}

/** Whether an order follows time: too closely for an accident. */
const followsTime = (times: readonly [before: number, after: number][]): boolean => {
  const rising = times.filter(([before, after]) => after > before).length
  const falling = times.filter(([before, after]) => after < before).length
  return falling === 0 ? rising + 1 >= minInOrder : rising - falling >= deviations * Math.sqrt(rising + falling)
}

/** Fields by which both endpoints sort for certain if asked to. */
const sortable = new Set(['createdAt', 'amount', 'quantity', 'total', 'name'])

/** Runs of transactions with equal sort values, by id. Equal names are ties however names are compared. */
const tiesIn = ({ request, groups }: Observation, hidesDigits: boolean): string[][] => {
  const { sortBy } = request.query ?? {}
  if (typeof sortBy !== 'string' || !sortable.has(sortBy)) return []
  if ((sortBy === 'name' && request.endpoint === 'user') || (sortBy === 'createdAt' && hidesDigits)) return []
  return groups.flatMap(({ transactions }) => {
    const values = transactions.map((one) => one[sortBy as keyof Transaction])
    const starts = values.flatMap((value, i) => (i > 0 && values[i - 1] === value ? [] : [i]))
    const ids = transactions.map(({ transactionId }) => transactionId)
    return starts.map((start, i) => ids.slice(start, starts[i + 1]))
  })
}

/** Whether some things are in two orders. */
const areContradictory = (lists: readonly string[][]): boolean => {
  const pairs = lists.flatMap(pairsOf)
  const known = new Set(pairs.map((pair) => pair.join('\n')))
  return pairs.some(([before, after]) => known.has(`${after}\n${before}`))
}

const usersOf = ({ groups }: Observation): string[] => groups.map(({ platformId }) => platformId)
const timeOf = (entry: LedgerEntry | undefined): number => (entry ? Date.parse(entry.createdAt) : 0)

/**
 * What responses show about the order in which transactions entered the ledger, which is invisible: as a value, it would
 * explain any order that is the same in all of them. `isExcluded` tells whether ties or groups cannot be in this order, given
 * whether they may be in the order of ids; `followsTime`, whether they are in the order of their times. `entries` are in the
 * order of time.
 */
export const entryOrderIn = (
  observations: readonly Observation[],
  { entries, hidesDigits }: Pick<Copy, 'entries' | 'hidesDigits'>,
) => {
  const byId = new Map(entries.map((entry) => [entry.transactionId, entry]))
  const byUser = Map.groupBy(entries, ({ platformId }) => platformId)
  const ties = observations.map((one) => tiesIn(one, hidesDigits))
  const users = observations.map(usersOf)
  return {
    isExcluded: {
      tieOrder: (mayBeById: boolean): boolean =>
        areContradictory(ties.flat()) || (mayBeById && areRandom([...byId.keys()]) && ties.some(areSorted)),
      groupOrder(mayBeById: boolean): boolean {
        const share = shareOf([...byUser.keys()])
        const areById = users.some((list) => areSorted([list]) || areSorted([list.toReversed()]))
        // Where a user's first transaction is removed, the order of users changes.
        const certain = observations.filter(({ copies }) => copies.length === 1)
        const byLedger = [...Map.groupBy(certain, ({ copies }) => copies[0]).values()]
        const isContradictory = byLedger.some((ofOne) => areContradictory(ofOne.map(usersOf)))
        return isContradictory || (mayBeById && areById && share < 0.8 && share > 0.2)
      },
    },
    followsTime: {
      tieOrder(): boolean {
        const pairs = new Map(ties.flat().flatMap((run) => pairsOf(run).map((pair) => [pair.join(), pair])))
        return followsTime([...pairs.values()].map(([a, b]) => [timeOf(byId.get(a)), timeOf(byId.get(b))]))
      },
      groupOrder(): boolean {
        const [longest = []] = users.toSorted((a, b) => b.length - a.length)
        return followsTime(pairsOf(longest.map((user) => timeOf(byUser.get(user)?.[0]))))
      },
    },
  }
}
