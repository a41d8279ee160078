/** A row that is decided by picking one of a few readings. */
export interface Choice {
  /** The document's open question, in its own words where it has any. */
  readonly question: string
  /** Each reading and what it means; the first is the default. */
  readonly readings: readonly (readonly [value: string | number | boolean, meaning: string])[]
}

/** A row that is decided by a whole number. */
interface Amount {
  /** The document's open question, in its own words where it has any. */
  readonly question: string
  /** The number the mock goes by unless told otherwise. */
  readonly default: number | null
  /** Smallest number allowed. */
  readonly min: number
  /** Largest number allowed. */
  readonly max: number
  /** Whether `null`, for "no such limit", is allowed. */
  readonly orNull: boolean
  /** What the number decides. */
  readonly meaning: string
}

/** One thing the document leaves open, and the readings the mock can take of it. */
export type AssumptionRow = Choice | Amount
