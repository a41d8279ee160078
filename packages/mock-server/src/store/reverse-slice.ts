/** The number that a transaction is sorted by, by its index in the table. */
export type ValueAt = (index: number) => number

/**
 * The last position of a run of equal values, up (1) or down (-1) from one of its positions. Steps double and then
 * halve: the edge of a short run is found at once and that of a long one in few steps.
 */
export const edgeOf = (indexes: Uint32Array, valueAt: ValueAt, member: number, way: 1 | -1): number => {
  const value = valueAt(indexes[member] ?? 0)
  const isSame = (at: number) => at >= 0 && at < indexes.length && valueAt(indexes[at] ?? 0) === value
  let edge = member
  let step = 1
  for (; isSame(edge + way * step); step *= 2) edge += way * step
  for (step >>>= 1; step > 0; step >>>= 1) if (isSame(edge + way * step)) edge += way * step
  return edge
}

/**
 * Transactions in ascending order, read in descending order: from position `start` up to, but not including, `end`.
 * Ties have the same order in both directions, so runs of equal values are read forwards, the last run first. That way
 * one array serves both directions.
 */
export const reverseSlice = (indexes: Uint32Array, valueAt: ValueAt, start: number, end: number): number[] => {
  const count = Math.min(end, indexes.length) - start
  const found: number[] = []
  const mirrored = indexes.length - 1 - start
  let last = edgeOf(indexes, valueAt, mirrored, 1)
  let first = edgeOf(indexes, valueAt, mirrored, -1)
  let at = first + last - mirrored
  while (found.length < count) {
    if (at > last) {
      last = first - 1
      first = edgeOf(indexes, valueAt, last, -1)
      at = first
    }
    found.push(indexes[at++] ?? 0)
  }
  return found
}
