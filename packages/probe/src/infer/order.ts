import type { LedgerEntry, Transaction } from '@guild-ledger/sdk/contract'
import type { Observation } from './observation.ts'

/** An accident less likely than one in ten to this many is taken for impossible. */
const impossible = -6.5
// Fewer steps in one direction would agree by accident once in a thousand times.
const minInOrder = 7
const deviations = 3.3

/** The decimal logarithm of the chance that so many things are in a certain order by accident. */
const chanceOf = (count: number): number =>
  -Array.from({ length: count }, (_, i) => Math.log10(i + 1)).reduce((sum, log) => sum + log, 0)

const isAscending = (texts: readonly string[]): boolean =>
  texts.every((text, i) => i === 0 || text > (texts[i - 1] ?? ''))
const shareOf = (texts: readonly string[]): number =>
  texts.filter((text, i) => i > 0 && text > (texts[i - 1] ?? '')).length / Math.max(1, texts.length - 1)

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/** Whether ids are random: then their order says nothing about the order in which transactions entered the ledger. */
export const areRandom = (ids: readonly string[]): boolean => {
  const starts = new Set(ids.map((id) => id.slice(0, 2).toLowerCase()))
  return ids.every((id) => uuid4.test(id)) && starts.size >= Math.min(ids.length, 256) * 0.4 && shareOf(ids) < 0.9
}

/** Whether an order follows time: too closely for an accident. */
const followsTime = (times: readonly (readonly [before: number, after: number])[]): boolean => {
  const rising = times.filter(([before, after]) => after > before).length
  const falling = times.filter(([before, after]) => after < before).length
  return falling === 0 ? rising + 1 >= minInOrder : rising - falling >= deviations * Math.sqrt(rising + falling)
}

const pairsOf = <Item>(items: readonly Item[]): (readonly [Item, Item])[] =>
  items.slice(1).map((item, i) => [items[i] as Item, item])

/** Transactions of a group with equal sort values. Equal names are ties however names are compared. */
const runsIn = (group: readonly Transaction[], sortBy: keyof Transaction): Transaction[][] => {
  const runs: Transaction[][] = []
  for (const [i, entry] of group.entries()) {
    if (i > 0 && group[i - 1]?.[sortBy] === entry[sortBy]) runs.at(-1)?.push(entry)
    else runs.push([entry])
  }
  return runs.filter(({ length }) => length > 1)
}

/** Fields by which both endpoints sort for certain if asked to. */
const sortable = new Set(['createdAt', 'amount', 'quantity', 'total', 'name'])

/** Ties in the order of a response. */
const tiesIn = ({ request, groups }: Observation, hidesDigits: boolean): string[][] => {
  const { sortBy } = request.query ?? {}
  if (typeof sortBy !== 'string' || !sortable.has(sortBy)) return []
  if ((sortBy === 'name' && request.endpoint === 'user') || (sortBy === 'createdAt' && hidesDigits)) return []
  return groups
    .flatMap(({ transactions }) => runsIn(transactions, sortBy as keyof Transaction))
    .map((run) => run.map(({ transactionId }) => transactionId))
}

/** Whether some things are in two orders. */
const areContradictory = (lists: readonly string[][]): boolean => {
  const pairs = new Set(lists.flatMap(pairsOf).map((pair) => pair.join('\n')))
  return lists.some((list) => pairsOf(list).some(([before, after]) => pairs.has(`${after}\n${before}`)))
}

/**
 * What responses show about the order in which transactions entered the ledger, which is invisible: as a value, it would
 * explain any order that is the same in all of them. `isExcluded` tells whether ties or groups cannot be in this order, given
 * whether they may be in the order of ids; `followsTime`, whether they are in the order of their times.
 */
export const entryOrderIn = (
  observations: readonly Observation[],
  entries: readonly LedgerEntry[],
  hidesDigits: boolean,
) => {
  const at = new Map(entries.map(({ transactionId, createdAt }) => [transactionId, Date.parse(createdAt)]))
  const seen = new Map<string, number>()
  for (const { platformId, createdAt } of entries)
    seen.set(platformId, Math.min(Date.parse(createdAt), seen.get(platformId) ?? Infinity))
  const ties = observations.map((one) => tiesIn(one, hidesDigits))
  const usersOf = ({ groups }: Observation) => groups.map(({ platformId }) => platformId)
  const users = observations.map(usersOf)
  // Where a user's first transaction is removed, the order of users changes.
  const usersByLedger = [...new Set(observations.flatMap(({ copies }) => copies))].map((copy) =>
    observations.filter(({ copies }) => copies.length === 1 && copies[0] === copy).map(usersOf),
  )
  const areByAccident = (runs: readonly string[][]) =>
    runs.every(isAscending) && runs.reduce((sum, run) => sum + chanceOf(run.length), 0) < impossible
  return {
    isExcluded: {
      tieOrder: (mayBeById: boolean): boolean =>
        areContradictory(ties.flat()) || (mayBeById && areRandom([...at.keys()]) && ties.some(areByAccident)),
      groupOrder(mayBeById: boolean): boolean {
        const share = shareOf([...seen].toSorted(([, a], [, b]) => a - b).map(([user]) => user))
        const areById = users.some((list) => areByAccident([list]) || areByAccident([list.toReversed()]))
        return usersByLedger.some(areContradictory) || (mayBeById && areById && share < 0.8 && share > 0.2)
      },
    },
    followsTime: {
      tieOrder(): boolean {
        const pairs = new Map(ties.flat().flatMap((run) => pairsOf(run).map((pair) => [pair.join(), pair])))
        return followsTime([...pairs.values()].map(([before, after]) => [at.get(before) ?? 0, at.get(after) ?? 0]))
      },
      groupOrder(): boolean {
        const longest = users.toSorted((a, b) => b.length - a.length)[0] ?? []
        return followsTime(pairsOf(longest.map((user) => seen.get(user) ?? 0)))
      },
    },
  }
}
