/** The limits of requests. Spec: Limits. */
export const limits = {
  /** Requests per second on both endpoints; whether it is counted per key, guild or address is unspecified. */
  requestsPerSecond: 10,
  /** Smallest `page`. The largest is unspecified. */
  minPage: 1,
  /** Smallest `limit`. */
  minLimit: 1,
  /** Largest `limit`. */
  maxLimit: 100,
  /** The `limit` of list-all when none is given. That of one user's list is unspecified. */
  defaultLimit: 20,
  /** Smallest `minAmount` and `maxAmount`. */
  minAmount: 0,
} as const
