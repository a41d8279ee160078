import { aFunction, oneOf, wholeNumber, type Check } from '../checks.ts'
import { limits } from '../contract/index.ts'
import { callChecks, type CallOptions } from '../transport/index.ts'

/** Something has vanished from the result while a walk was going through it. */
export interface Drift {
  /** `removed`: there is less than before. `replaced`: as much as before, but not the same. */
  readonly kind: 'removed' | 'replaced'
  /** Number of the page it was noticed at. */
  readonly page: number
  /** How many fewer results there are than a page before: transactions, or users where pages count those. */
  readonly lost: number
  /** The page from which the walk read again to find what had slipped past; undefined if it did not (`pages`). */
  readonly rereadFrom: number | undefined
  /**
   * Whether everything that was there all the time is still yielded. False where pages are only passed on (`pages`),
   * where more vanished at once than is remembered, and where things went on vanishing until the walk gave up.
   */
  readonly repaired: boolean
}

/** Options of a walk, beside those of each of its calls. */
export interface WalkOptions extends CallOptions {
  /**
   * Pages on their way at once. With 1, the next page is asked for while the one before is consumed.
   *
   * @default as many as keep the throttle busy at the round trip measured so far: 10 and one more for each 100 ms, at most 32
   */
  readonly concurrency?: number | undefined
  /**
   * What a result without any transactions does: ends the walk, or throws the service's "no transactions found" (a
   * `WalkError` if the service answered with an empty page instead; which of the two it does is not shown).
   *
   * @default 'end'
   */
  readonly onEmpty?: 'end' | 'throw' | undefined
  /** Told when something vanishes from the result during the walk. What it throws ends the walk. */
  readonly onDrift?: ((drift: Drift) => void) | undefined
}

export const maxConcurrency = 100

/** Options of a walk and of its calls. */
export const walkChecks: Record<keyof WalkOptions, Check> = {
  ...callChecks,
  concurrency: wholeNumber(1, maxConcurrency),
  onEmpty: oneOf('end', 'throw'),
  onDrift: aFunction,
}

/** The query of a walk with what it takes for granted filled in. */
export const filledIn = <Q extends { page?: number | undefined; limit?: number | undefined }>(query: Q) => ({
  ...query,
  page: query.page ?? limits.minPage,
  limit: query.limit ?? limits.maxLimit,
})
