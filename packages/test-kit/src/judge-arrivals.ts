/** How requests arrived at a service. */
export interface Arrivals {
  /** Requests that arrived as the eleventh or later in some half-open second. */
  readonly over: number
  /** Most arrivals in any half-open second. */
  readonly most: number
  readonly arrivals: number
  readonly perSecond: number
}

/** Judges arrivals, in milliseconds, as an exact sliding window does, without any tolerance. */
export const judgeArrivals = (times: ArrayLike<number>, limit = 10): Arrivals => {
  const sorted = Float64Array.from(times).toSorted()
  let over = 0
  let most = 0
  let first = 0
  sorted.forEach((time, i) => {
    while (time - (sorted[first] ?? 0) >= 1000) first++
    most = Math.max(most, i - first + 1)
    if (i - first >= limit) over++
  })
  const span = (sorted.at(-1) ?? 0) - (sorted[0] ?? 0)
  return { over, most, arrivals: sorted.length, perSecond: (sorted.length / span) * 1000 }
}
