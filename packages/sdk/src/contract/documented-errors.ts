import type { Endpoint } from './paths.ts'

/** An error response that the spec documents. */
export interface DocumentedError {
  /** HTTP status. */
  readonly status: number
  /** The service's message. */
  readonly message: string
  /** `code` of the error that the SDK makes of it. */
  readonly code: string
  /** The operations that respond with it. */
  readonly endpoints: readonly Endpoint[]
}

/**
 * Every error response that the spec documents: the mock responds with them, the SDK classifies responses by them. The
 * response to a key that has expired or lacks the scope, to a request above the rate limit and to a malformed parameter is
 * unspecified. Spec: Errors.
 */
export const documentedErrors = {
  /** The guild identifier is missing. How it reaches the service other than through the key is unspecified. */
  missingGuildId: {
    status: 400,
    message: 'No guild ID provided',
    code: 'missing_guild_id',
    endpoints: ['guild', 'user'],
  },
  invalidApiKey: {
    status: 401,
    message: 'Unauthorized - invalid API key',
    code: 'invalid_api_key',
    endpoints: ['guild', 'user'],
  },
  noGuildTransactions: {
    status: 404,
    message: 'No transactions found for this guild',
    code: 'no_guild_transactions',
    endpoints: ['guild'],
  },
  noUserTransactions: {
    status: 404,
    message: 'No transactions found for this user',
    code: 'no_user_transactions',
    endpoints: ['user'],
  },
  guildTransactionsFailed: {
    status: 500,
    message: 'Failed to fetch guild transactions',
    code: 'guild_transactions_failed',
    endpoints: ['guild'],
  },
  userTransactionsFailed: {
    status: 500,
    message: 'Failed to fetch user transactions',
    code: 'user_transactions_failed',
    endpoints: ['user'],
  },
} as const satisfies Record<string, DocumentedError>

/** `code` of a documented error. */
export type DocumentedErrorCode = (typeof documentedErrors)[keyof typeof documentedErrors]['code']
