import { limits } from '../contract/index.ts'
import { defaults } from '../defaults.ts'

/** How many pages to keep in flight. */
export interface Concurrency {
  /** Records a round trip, in milliseconds. */
  readonly record: (roundTripMs: number) => void
  readonly pages: number
}

/**
 * As many as `given`, else as many as the throttle can use: a second's worth waits for slots, while those of one round
 * trip are in flight. The round trip is a moving average.
 */
export const createConcurrency = (given: number | undefined): Concurrency => {
  let averageMs: number | undefined
  return {
    record(roundTripMs) {
      if (!Number.isFinite(roundTripMs)) return
      averageMs = averageMs === undefined ? roundTripMs : averageMs + (roundTripMs - averageMs) / 4
    },
    get pages() {
      const inFlight = Math.max(0, Math.ceil((limits.requestsPerSecond * (averageMs ?? 0)) / 1000))
      return given ?? Math.min(defaults.pagination.maxConcurrency, limits.requestsPerSecond + inFlight)
    },
  }
}
