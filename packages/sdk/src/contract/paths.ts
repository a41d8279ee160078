/** Paths of the two operations, as the spec writes them. Both use GET. Spec: Endpoints, 1 and 2. */
export const paths = {
  /** All transactions of the guild. Spec: Endpoints, 1. */
  guild: '/guild/ledger/transactions',
  /** The transactions of one user. Spec: Endpoints, 2. */
  user: '/guild/ledger/{platformId}/transactions',
} as const

/** One of the documented operations: all transactions of the guild, or those of one user. Spec: Endpoints. */
export type Endpoint = keyof typeof paths

/** The header that carries the API key. Spec: Authentication, 1. */
export const apiKeyHeader = 'x-api-key'

/** The scope that both operations require; names of other scopes are unspecified. Spec: Authentication, 7 and 8. */
export const requiredScope = 'guild:read'
