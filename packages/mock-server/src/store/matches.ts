import { countDistinct, countDistinctOf, previousPositions } from './distinct.ts'
import { prefixSumsOf, sumBetween } from './prefix-sums.ts'
import { few, indexesOf, lengthOf, type Run } from './run.ts'
import type { SumField } from './selection.ts'
import type { Table } from './table.ts'

/** Transactions of a table that match a filter, in no particular order: what a summary is made of. */
export interface Matches {
  readonly total: number
  /** The number of users among them. */
  countUsers(): number
  /** The sum of a field as an integer, where the table has a scale for it. */
  integerSum(field: SumField): number
  /** A field of all of them, for sums without a scale. */
  values(field: SumField): Float64Array
}

/** The values of a field as integers, where the table has a scale for it. */
const integerAtOf = (table: Table, field: SumField): ((index: number) => number) => {
  const values = table.numbers(field)
  const factor = table.scale(field)?.factor ?? Number.NaN
  return (index) => Math.round((values[index] as number) * factor)
}

/** Matches one by one. */
export const matchesInList = (table: Table, indexes: Uint32Array): Matches => ({
  total: indexes.length,
  countUsers() {
    const { of, texts } = table.codes('platformId')
    return countDistinctOf(indexes, of, texts.length)
  },
  integerSum(field) {
    const integerAt = integerAtOf(table, field)
    let sum = 0
    for (let i = 0; i < indexes.length; i++) sum += integerAt(indexes[i] as number)
    return sum
  },
  values(field) {
    const values = table.numbers(field)
    return Float64Array.from(indexes, (index) => values[index] as number)
  },
})

/** Matches that are a run: whatever its length, the summary takes about as long. */
export const matchesInRun = (table: Table, run: Run): Matches => {
  const { sorted, from, to } = run
  const list = matchesInList(table, indexesOf(run))
  if (lengthOf(run) <= few) return list
  return {
    total: lengthOf(run),
    countUsers() {
      const { of, texts } = table.codes('platformId')
      if (lengthOf(run) === of.length) return texts.length
      const previous = table.once(`previous ${sorted.name}`, () => previousPositions(sorted.indexes, of, texts.length))
      return countDistinct(previous, from, to)
    },
    integerSum(field) {
      const integerAt = integerAtOf(table, field)
      const sums = table.once(`sums ${field} ${sorted.name}`, () => prefixSumsOf(sorted.indexes, integerAt))
      return sumBetween(sums, sorted.indexes, integerAt, from, to)
    },
    values: (field) => list.values(field),
  }
}
