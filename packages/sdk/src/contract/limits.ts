/** The numbers the document limits requests by. Spec: Limits. */
export const limits = {
  /** Requests per second on both endpoints; what it is counted by (key, guild or address) is not shown. */
  requestsPerSecond: 10,
  /** Smallest `page`. The largest is not shown. */
  minPage: 1,
  /** Smallest `limit`. */
  minLimit: 1,
  /** Largest `limit`. */
  maxLimit: 100,
  /** The `limit` of list-all when none is given. That of one user is not shown. */
  defaultLimit: 20,
  /** Smallest `minAmount` and `maxAmount`. */
  minAmount: 0,
} as const
