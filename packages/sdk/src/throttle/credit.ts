const remembered = 100
const learningMs = 10_000

/**
 * How much earlier than with `arrival` a slot may come free: a time that is sure to pass between the arrival of a
 * request and the sight of its response, or between a send and its arrival.
 */
export interface Credit {
  /** Takes note of the round trip of a response seen `at`, both in milliseconds. */
  add(roundTripMs: number, at: number): void
  /** 2 × smallest ever − 90th percentile of the last 100 round trips; 0 before 100 responses within 10 seconds or more. */
  readonly ms: number
}

/**
 * A round trip that varies earns nothing, hence the percentile. A short look at a network says little about its
 * shortest delay, hence the 100 responses and the 10 seconds.
 */
export const createCredit = (): Credit => {
  const latest: number[] = []
  const sorted: number[] = []
  let oldest = 0
  let smallest = Infinity
  let firstAt = Infinity
  let lastAt = -Infinity

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
    add(roundTripMs, at) {
      smallest = Math.min(smallest, roundTripMs)
      firstAt = Math.min(firstAt, at)
      lastAt = Math.max(lastAt, at)
      const dropped = latest[oldest]
      if (dropped !== undefined) sorted.splice(place(dropped), 1)
      latest[oldest] = roundTripMs
      oldest = (oldest + 1) % remembered
      sorted.splice(place(roundTripMs), 0, roundTripMs)
    },
    get ms() {
      const slow = sorted[remembered * 0.9]
      if (slow === undefined || sorted.length < remembered || lastAt - firstAt < learningMs) return 0
      return Math.max(0, 2 * smallest - slow)
    },
  }
}
