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

/** A test of a page of some transactions where equal sort values may be in any order, in each of its groups. */
export const testOfTies = (ordered: Ordered, page: readonly Item[]): AspectTest => {
  const runs = runsOf(ordered)
  const runOf = (index: number): number => runs.get(index) ?? -1
  const expected = page.map(({ index }) => runOf(index)).toSorted((a, b) => a - b)
  return {
    name: `${numberOf(ordered)} ${page.length} ${expected[0]}`,
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
