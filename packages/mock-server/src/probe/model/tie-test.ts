import type { AspectTest } from './aspects.ts'
import type { Item } from './ledger-copy.ts'
import { cached, numberOf } from './kept-results.ts'
import type { Ordered } from './order-items.ts'

/** For each transaction, by its position in the copy, which of the runs of equal sort values it is in. */
const runsOf = cached(({ items, blurs }: Ordered) => {
  const runs = new Map<number, number>()
  const starts = new Map(blurs.map(([start, end]) => [start, end]))
  let end = 0
  let run = 0
  for (const [position, { index }] of items.entries()) {
    if (position >= end) {
      run = position
      end = starts.get(position) ?? position + 1
    }
    runs.set(index, run)
  }
  return runs
})

const indexesIn = (group: string): number[] => (group === '' ? [] : group.split(',').map(Number))

/** The order of a page as it is, each user's group by itself. */
const exampleOf = (page: readonly Item[], isUser: boolean): string => {
  if (isUser) return page.map(({ index }) => index).join()
  const groups = new Map<string, number[]>()
  for (const { entry, index } of page) {
    const group = groups.get(entry.platformId)
    if (group) group.push(index)
    else groups.set(entry.platformId, [index])
  }
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, indexes]) => indexes.join())
    .join(';')
}

/** A test of a page of some transactions where equal sort values may be in any order, in each of its groups. */
export const testOfTies = (ordered: Ordered, page: readonly Item[], isUser: boolean): AspectTest => {
  const runs = runsOf(ordered)
  const runOf = (index: number): number => runs.get(index) ?? -1
  const expected = page.map(({ index }) => runOf(index)).toSorted((a, b) => a - b)
  return {
    name: `${numberOf(ordered)} ${page.length} ${expected[0]}`,
    get example() {
      return exampleOf(page, isUser)
    },
    accepts(observed) {
      const groups = observed.split(';').map((group) => indexesIn(group).map(runOf))
      const isSorted = groups.every((group) => group.every((run, i) => i === 0 || run >= (group[i - 1] ?? -1)))
      return (
        isSorted &&
        groups
          .flat()
          .toSorted((a, b) => a - b)
          .join() === expected.join()
      )
    },
  }
}
