import { comparisonOf, valueAtOf } from './order.ts'
import { edgeOf, reverseSlice } from './reverse-slice.ts'
import type { Sort } from './selection.ts'
import type { Table } from './table.ts'

/** The indexes of matches in the order of a sort, from position `start` up to, but not including, `end`. */
export type Page = (start: number, end: number) => ArrayLike<number>

/** Reads matches that are in ascending order. */
export const pageOfSorted = (table: Table, indexes: Uint32Array, sort: Sort): Page => {
  if (sort.order === 'asc') return (start, end) => indexes.subarray(start, end)
  const valueAt = valueAtOf(table, sort)
  return (start, end) => reverseSlice(indexes, valueAt, start, end)
}

/** Reads on in an array and returns the matches found so far, as soon as there are enough of them. */
type Scan = (count: number) => number[]

const scanUp = (indexes: Uint32Array, pass: (index: number) => boolean): Scan => {
  const found: number[] = []
  let at = 0
  return (count) => {
    for (; at < indexes.length && found.length < count; at++) {
      const index = indexes[at] as number
      if (pass(index)) found.push(index)
    }
    return found
  }
}

/** Reads runs of equal values forwards, the last run first: see `reverseSlice`. */
const scanDown = (indexes: Uint32Array, pass: (index: number) => boolean, table: Table, sort: Sort): Scan => {
  const valueAt = valueAtOf(table, sort)
  const found: number[] = []
  let [first, last, at] = [indexes.length, indexes.length - 1, indexes.length]
  return (count) => {
    while (found.length < count) {
      if (at > last) {
        if (first === 0) break
        last = first - 1
        first = edgeOf(indexes, valueAt, last, -1)
        at = first
      }
      const index = indexes[at++] as number
      if (pass(index)) found.push(index)
    }
    return found
  }
}

/** All there is to know about matches whose order is not that of the sort. */
export interface Unsorted {
  /** The matches in any order. */
  readonly matches: Uint32Array
  /** The shortest array in the order of the sort that has all of them. */
  readonly ordered: Uint32Array
  readonly pass: (index: number) => boolean
}

// The measured cost of comparing two transactions, in transactions that a scan passes.
const comparisonCost = 15

/**
 * Reads matches that are in another order, in the cheaper of two ways: it scans the ordered array until the page is
 * full, which suits many matches, or it sorts the matches. The next pages continue from there.
 */
export const pageOfUnsorted = (table: Table, { matches, ordered, pass }: Unsorted, sort: Sort): Page => {
  const total = matches.length
  const scan = sort.order === 'asc' ? scanUp(ordered, pass) : scanDown(ordered, pass, table, sort)
  const costOfSorting = total * Math.log2(total + 1) * comparisonCost
  let sorted: Page | undefined
  return (start, end) => {
    const count = Math.min(end, total)
    if (!sorted && costOfSorting >= (count / total) * ordered.length) return scan(count).slice(start, count)
    sorted ??= pageOfSorted(table, matches.toSorted(comparisonOf(table, sort)), sort)
    return sorted(start, count)
  }
}
