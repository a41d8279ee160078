import { limits } from '../contract/index.ts'
import { maxConcurrency } from './options.ts'

/** How many pages are worth having on their way at once. */
export interface Concurrency {
  /** Takes note of a round trip, in milliseconds. */
  readonly note: (roundTripMs: number) => void
  readonly pages: number
}

const mostByDefault = Math.min(32, maxConcurrency)

/**
 * As many as `given`, else what the throttle can use: a second's worth waits for the slots that come free, while those
 * of one round trip are under way. The round trip is averaged, later ones counting more.
 */
export const createConcurrency = (given: number | undefined): Concurrency => {
  let averageMs: number | undefined
  return {
    note(roundTripMs) {
      averageMs = averageMs === undefined ? roundTripMs : averageMs + (roundTripMs - averageMs) / 4
    },
    get pages() {
      const underWay = Math.ceil((limits.requestsPerSecond * (averageMs ?? 0)) / 1000)
      return given ?? Math.min(mostByDefault, limits.requestsPerSecond + underWay)
    },
  }
}
