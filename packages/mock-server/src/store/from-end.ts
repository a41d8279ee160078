/** What rows are sorted by, as a number, by where a row stands in the table. */
export type ValueAt = (row: number) => number

/**
 * How far a run of equal values reaches from one of its members, up or down. Steps that double and then halve find the
 * edge of a short run at once and that of a long one soon.
 */
const edgeOf = (rows: Uint32Array, valueAt: ValueAt, member: number, way: 1 | -1): number => {
  const value = valueAt(rows[member] ?? 0)
  const isSame = (at: number) => at >= 0 && at < rows.length && valueAt(rows[at] ?? 0) === value
  let edge = member
  let step = 1
  for (; isSame(edge + way * step); step *= 2) edge += way * step
  for (step >>>= 1; step > 0; step >>>= 1) if (isSame(edge + way * step)) edge += way * step
  return edge
}

/**
 * Rows sorted upwards, as they stand when sorted downwards: from the `start`th to before the `end`th, counted from 0.
 * Ties stand the same way round in both directions, so runs of equal values are read forwards, the last run first. That
 * way one list serves both directions.
 */
export const fromEnd = (rows: Uint32Array, valueAt: ValueAt, start: number, end: number): number[] => {
  const wanted = Math.min(end, rows.length) - start
  const found: number[] = []
  if (wanted <= 0) return found
  const mirrored = rows.length - 1 - start
  let last = edgeOf(rows, valueAt, mirrored, 1)
  let first = edgeOf(rows, valueAt, mirrored, -1)
  let at = first + last - mirrored
  while (found.length < wanted) {
    if (at > last) {
      last = first - 1
      first = edgeOf(rows, valueAt, last, -1)
      at = first
    }
    found.push(rows[at++] ?? 0)
  }
  return found
}
