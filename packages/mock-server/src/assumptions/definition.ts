interface Question {
  /** What the spec leaves open, in its own words where it has any. */
  readonly question: string
  /** What code can do to work under every value. */
  readonly remedy: string
  /**
   * What shows the value of a service, where no response to one valid key does: a response to another key, requests above the
   * rate limit, or the dashboard.
   */
  readonly shownBy?: 'key' | 'burst' | 'dashboard'
}

/** An assumption with a few possible values. */
export interface Choice extends Question {
  /** Each value and what it means; the first is the default. */
  readonly values: readonly (readonly [value: string | number | boolean, meaning: string])[]
}

/** An assumption whose value is an integer. */
interface Amount extends Question {
  /** The value unless configured otherwise. */
  readonly default: number | null
  /** Smallest value. */
  readonly min: number
  /** Largest value. */
  readonly max: number
  /** Whether `null`, for "no such limit", is a value. */
  readonly orNull: boolean
  /** Whether it limits what a request may ask for: with the largest value, it changes nothing. */
  readonly isUpperBound?: true
  /** Other values worth a try, as a service is likely to have them. */
  readonly tried: readonly number[]
  /** What the number decides. */
  readonly meaning: string
}

/** One unspecified behaviour, and the values that the assumption about it can have. */
export type AssumptionDefinition = Choice | Amount
