import type { Endpoint } from './paths.ts'

/** A documented error reply: when, with which status, in which words. */
export interface Refusal {
  /** HTTP status. */
  readonly status: number
  /** The service's own words. */
  readonly message: string
  /** Ours, for programs to branch on. */
  readonly code: string
  /** The operations that answer with it. */
  readonly endpoints: readonly Endpoint[]
}

/**
 * Every error reply the document lists. The mock answers from it, the SDK reads replies by it. Spec: Errors.
 *
 * What a key that has expired or lacks the scope, a request above the rate limit or a malformed parameter is answered
 * is not shown.
 */
export const refusals = {
  /** The guild identifier is missing. How it reaches the service other than through the key is not shown. */
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
} as const satisfies Record<string, Refusal>

/** Code of a documented refusal. */
export type RefusalCode = (typeof refusals)[keyof typeof refusals]['code']
