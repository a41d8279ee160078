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

class TieTest implements AspectTest {
  readonly name: string
  readonly #runs: ReadonlyMap<number, number>
  readonly #page: readonly Item[]
  readonly #isUser: boolean
  readonly #expected: readonly number[]

  constructor(ordered: Ordered, page: readonly Item[], isUser: boolean) {
    this.#runs = runsOf(ordered)
    this.#page = page
    this.#isUser = isUser
    this.#expected = page.map(({ index }) => this.#runOf(index)).toSorted((a, b) => a - b)
    this.name = `${numberOf(ordered)} ${page.length} ${this.#expected[0]}`
  }

  get example(): string {
    return exampleOf(this.#page, this.#isUser)
  }

  #runOf(index: number): number {
    return this.#runs.get(index) ?? -1
  }

  accepts(observed: string): boolean {
    const found: number[] = []
    for (const group of observed.split(';')) {
      let last = -1
      for (const index of indexesIn(group)) {
        const run = this.#runOf(index)
        if (run < last) return false
        found.push(run)
        last = run
      }
    }
    if (found.length !== this.#expected.length) return false
    found.sort((a, b) => a - b)
    return found.every((run, i) => run === this.#expected[i])
  }
}

/** A test of a page of some transactions where equal sort values may be in any order, in each of its groups. */
export const testOfTies = (ordered: Ordered, page: readonly Item[], isUser: boolean): AspectTest =>
  new TieTest(ordered, page, isUser)
