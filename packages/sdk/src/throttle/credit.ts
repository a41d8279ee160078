const remembered = 100
const fewest = 20

/** How much of a round trip to give back: what even the fastest way always takes, less when the ways differ. */
export interface Credit {
  add(roundTripMs: number): void
  /** 2 x smallest round trip ever - median of the last 100, never below 0; 0 for the first 20 answers. */
  readonly ms: number
}

/** Cold connections must not set the floor, hence the first 20; a noisy way earns nothing, hence the median. */
export const createCredit = (): Credit => {
  const latest: number[] = []
  const sorted: number[] = []
  let oldest = 0
  let smallest = Infinity

  /** Where `value` stands, or belongs, in `sorted`. */
  const place = (value: number): number => {
    let low = 0
    for (let high = sorted.length; low < high;) {
      const middle = (low + high) >> 1
      if ((sorted[middle] ?? 0) < value) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    add(roundTripMs) {
      smallest = Math.min(smallest, roundTripMs)
      const dropped = latest[oldest]
      if (dropped !== undefined) sorted.splice(place(dropped), 1)
      latest[oldest] = roundTripMs
      oldest = (oldest + 1) % remembered
      sorted.splice(place(roundTripMs), 0, roundTripMs)
    },
    get ms() {
      // The upper one of two middles, so that the median is never below the smallest.
      const median = sorted[sorted.length >> 1]
      return median === undefined || sorted.length < fewest ? 0 : Math.max(0, 2 * smallest - median)
    },
  }
}
