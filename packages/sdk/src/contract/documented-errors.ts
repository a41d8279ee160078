/**
 * Who can do something about an error: the `author` of the program, the `manager` of the guild in the service's dashboard,
 * or `nobody`, because it passes by itself or is no failure.
 */
export type Actor = 'author' | 'manager' | 'nobody'

/** What a `code` means for the caller. */
export interface ErrorFacts {
  /** Who can do something about it. */
  readonly actor: Actor
  /** Whether the same call may succeed later, without any change. */
  readonly retryable: boolean
}

/** An error response that the spec documents. */
export interface DocumentedError extends ErrorFacts {
  /** HTTP status. */
  readonly status: number
  /** The service's message. */
  readonly message: string
  /** `code` of the error that the SDK makes of it. */
  readonly code: string
  /** What the caller can do: the last sentence of the error's message. */
  readonly advice: string
}

const manager = { actor: 'manager', retryable: false } as const
const nobody = { actor: 'nobody', retryable: false } as const
const later = { actor: 'nobody', retryable: true, advice: 'Try again later.' } as const

/**
 * Every error response that the spec documents. The mock responds with them, the SDK makes errors of them, and OpenAPI and
 * docs/errors.md describe them with their `cause` in `errorCodes`. The response to a key that has expired or lacks the scope,
 * to a request above the rate limit and to a malformed parameter is unspecified. Spec: Errors.
 */
export const documentedErrors = {
  missingGuildId: {
    status: 400,
    message: 'No guild ID provided',
    code: 'missing_guild_id',
    ...manager,
    advice: 'Create a key in the dashboard that is bound to the guild.',
  },
  invalidApiKey: {
    status: 401,
    message: 'Unauthorized - invalid API key',
    code: 'invalid_api_key',
    ...manager,
    advice:
      'Check apiKey, and that the guild has an active Developer or Enterprise subscription. Otherwise, create a new key.',
  },
  noGuildTransactions: {
    status: 404,
    message: 'No transactions found for this guild',
    code: 'no_guild_transactions',
    ...nobody,
    advice: 'Treat this as an empty list, or check page and the filters.',
  },
  noUserTransactions: {
    status: 404,
    message: 'No transactions found for this user',
    code: 'no_user_transactions',
    ...nobody,
    advice: 'Treat this as an empty list, or check platformId, page and the filters.',
  },
  guildTransactionsFailed: {
    status: 500,
    message: 'Failed to fetch guild transactions',
    code: 'guild_transactions_failed',
    ...later,
  },
  userTransactionsFailed: {
    status: 500,
    message: 'Failed to fetch user transactions',
    code: 'user_transactions_failed',
    ...later,
  },
} as const satisfies Record<string, DocumentedError>

type Row = (typeof documentedErrors)[keyof typeof documentedErrors]

/** `code` of a documented error; of those with one status, if it is given. */
export type DocumentedErrorCode<Status extends number = number> = Extract<Row, { readonly status: Status }>['code']
