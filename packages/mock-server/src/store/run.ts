import type { Sorted } from './order.ts'
import type { ValueAt } from './reverse-slice.ts'

/** Transactions next to each other in a sorted array: from position `from` up to, but not including, `to`. */
export interface Run {
  readonly sorted: Sorted
  readonly from: number
  readonly to: number
}

/** So few transactions are looked at one by one, within microseconds: no index is built or searched for them. */
export const few = 512

export const lengthOf = ({ from, to }: Run): number => to - from

export const indexesOf = ({ sorted, from, to }: Run): Uint32Array => sorted.indexes.subarray(from, to)

/** The first position of a run whose value passes a test that all later ones pass too. */
const firstWhere = ({ sorted, from, to }: Run, passes: (index: number) => boolean): number => {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (passes(sorted.indexes[middle] as number)) high = middle
    else low = middle + 1
  }
  return low
}

/** The part of a run in which the value that it is sorted by lies in a range. */
export const narrowed = (run: Run, valueAt: ValueAt, min: number, max: number): Run => {
  const from = firstWhere(run, (index) => valueAt(index) >= min)
  const to = firstWhere(run, (index) => !(valueAt(index) <= max))
  return { sorted: run.sorted, from, to: Math.max(from, to) }
}
