/** One of the two documented operations: all transactions of the guild, or those of one user. Spec: Endpoints. */
export type Endpoint = 'guild' | 'user'

/** Paths of the two operations, as the document writes them. Both are asked with GET. Spec: Endpoints, 1 and 2. */
export const paths = {
  /** List all. Spec: Endpoints, 1. */
  guild: '/guild/ledger/transactions',
  /** List one user's. Spec: Endpoints, 2. */
  user: '/guild/ledger/{platformId}/transactions',
} as const satisfies Record<Endpoint, string>

/** The header that carries the API key. Spec: Authentication, 1. */
export const apiKeyHeader = 'x-api-key'

/** The scope a key needs for both operations; names of other scopes are not shown. Spec: Authentication, 7 and 8. */
export const requiredScope = 'guild:read'
