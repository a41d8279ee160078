import type { LedgerEntry } from '../contract/index.ts'
import { momentOf } from './moment.ts'

// How far a `createdAt` that shows no parts of a second may lie before what the service compares.
const secondMs = 1000

/** What a watch knows: from when on it reads, and what of that it has yielded. */
export interface Position {
  /** Milliseconds since 1970; null for the beginning. */
  readonly from: number | null
  readonly seen: ReadonlyMap<string, number>
  /** Whether a transaction is one to yield. */
  readonly isNew: (entry: LedgerEntry) => boolean
  /** Whether all that would come after this one, newest first, is older than what is read. */
  readonly isBehind: (entry: LedgerEntry) => boolean
  /** Takes note of a transaction as yielded, or as old. */
  readonly add: (entry: LedgerEntry) => void
  /**
   * Everything has been met that was created up to the newest met so far: what is old enough can be forgotten. After a
   * whole look, also what a checkpoint held and nobody has met.
   */
  readonly advance: (isWhole: boolean) => void
}

export const createPosition = (from: number | null, seenBefore: readonly string[], overlapMs: number): Position => {
  // When those of a checkpoint were created is not known until they are met again.
  const seen = new Map(seenBefore.map((id) => [id, Infinity]))
  let begin = from
  let newest = -Infinity
  return {
    get from() {
      return begin
    },
    seen,
    isNew: ({ transactionId, createdAt }) =>
      !seen.has(transactionId) && (begin === null || momentOf(createdAt).latest >= begin),
    isBehind: ({ createdAt }) => begin !== null && momentOf(createdAt).latest + secondMs < begin,
    add({ transactionId, createdAt }) {
      const { earliest } = momentOf(createdAt)
      seen.set(transactionId, earliest)
      if (earliest > newest) newest = earliest // not where it is no date: then there would never be a newest again
    },
    advance(isWhole) {
      if (newest > -Infinity) begin = Math.max(begin ?? -Infinity, newest - overlapMs)
      const oldest = (begin ?? -Infinity) - 2 * secondMs
      for (const [id, at] of seen) if (at < oldest || (isWhole && at === Infinity)) seen.delete(id)
    },
  }
}
