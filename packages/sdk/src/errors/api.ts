import type { DocumentedErrorCode } from '../contract/index.ts'
import type { Actor, ApiErrorCode } from './codes.ts'
import { RequestError } from './request-error.ts'
import { statusFacts } from './statuses.ts'

/** The codes of a class: its own, and those of the documented errors with its status. */
type CodeOf<Own extends string, Status extends number> = Own | DocumentedErrorCode<Status>

/** An error response of the service. Spec: Errors. */
export class ApiError extends RequestError {
  override readonly name: string = 'ApiError'
  /** What to branch on. */
  declare readonly code: ApiErrorCode
  /** HTTP status. Spec: Errors. */
  declare readonly status: number
  /** The service's own message; undefined if the response has no readable error body. Spec: Resources, Error body. */
  declare readonly reason: string | undefined
  /** Milliseconds to wait according to `Retry-After`; undefined without a readable one. */
  declare readonly retryAfterMs: number | undefined
  /** Response headers, with the API key redacted. */
  declare readonly headers: Headers
  /** Response body, with the API key redacted: parsed JSON, else text. */
  declare readonly body: unknown

  /** @param details What is known about the response. */
  constructor(
    message: string,
    { headers, body, ...details }: Pick<ApiError, 'code' | 'status' | 'reason' | 'retryAfterMs' | 'headers' | 'body'>,
  ) {
    super(message)
    Object.assign(this, details)
    Object.defineProperties(this, { headers: { value: headers }, body: { value: body } })
  }

  override get retryable(): boolean {
    return statusFacts(this.status).isTransient
  }

  /** Of a 401 or 403 without a readable error body it is the author: a proxy or another server responded. */
  override get actor(): Actor {
    if (this.reason === undefined && (this.status === 401 || this.status === 403)) return 'author'
    return this.status === 402 ? 'manager' : this.retryable ? 'nobody' : super.actor
  }
}
/** Status 400. Which malformed parameters cause it is unspecified. Spec: Errors. */
export class BadRequestError extends ApiError {
  override readonly name: string = 'BadRequestError'
  declare readonly code: CodeOf<'bad_request', 400>
}
/** The key is bound to no guild: `No guild ID provided`. Spec: Errors. */
export class MissingGuildIdError extends BadRequestError {
  override readonly name = 'MissingGuildIdError'
  declare readonly code: 'missing_guild_id'
}
/** Status 401. Spec: Errors. */
export class AuthenticationError extends ApiError {
  override readonly name: string = 'AuthenticationError'
  declare readonly code: CodeOf<'unauthorized', 401>
}
/** The key is unknown to the service: mistyped, deleted or possibly expired. Spec: Errors. */
export class InvalidApiKeyError extends AuthenticationError {
  override readonly name = 'InvalidApiKeyError'
  declare readonly code: 'invalid_api_key'
}
/** Status 403, possibly for a key without the scope `guild:read`: the response to one is unspecified. Spec: Errors. */
export class PermissionDeniedError extends ApiError {
  override readonly name = 'PermissionDeniedError'
  declare readonly code: CodeOf<'forbidden', 403>
}
/** Status 404. Spec: Errors. */
export class NotFoundError extends ApiError {
  override readonly name: string = 'NotFoundError'
  declare readonly code: CodeOf<'not_found', 404>
}
/** List-all found no transactions. Whether a filter that matches none causes it too is unspecified. Spec: Errors. */
export class NoGuildTransactionsError extends NotFoundError {
  override readonly name = 'NoGuildTransactionsError'
  declare readonly code: 'no_guild_transactions'
}
/** The user has no transactions. Whether a filter that matches none causes it too is unspecified. Spec: Errors. */
export class NoUserTransactionsError extends NotFoundError {
  override readonly name = 'NoUserTransactionsError'
  declare readonly code: 'no_user_transactions'
}
/** Status 429, or one below 500 whose message names a rate limit: the spec names no status for it. Spec: Limits. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError'
  declare readonly code: CodeOf<'rate_limited', 429>
}
/** Status 500 or above. Spec: Errors. */
export class ServerError extends ApiError {
  override readonly name: string = 'ServerError'
  declare readonly code: CodeOf<'server_error', 500 | 502 | 503 | 504>
}
/** An internal failure of the service while listing all transactions. Spec: Errors. */
export class GuildTransactionsFetchError extends ServerError {
  override readonly name = 'GuildTransactionsFetchError'
  declare readonly code: 'guild_transactions_failed'
}
/** An internal failure of the service while listing one user's transactions. Spec: Errors. */
export class UserTransactionsFetchError extends ServerError {
  override readonly name = 'UserTransactionsFetchError'
  declare readonly code: 'user_transactions_failed'
}

/** The documented errors that have a class of their own. The others have that of their status. */
export const documentedClasses = {
  missing_guild_id: MissingGuildIdError,
  invalid_api_key: InvalidApiKeyError,
  no_guild_transactions: NoGuildTransactionsError,
  no_user_transactions: NoUserTransactionsError,
  guild_transactions_failed: GuildTransactionsFetchError,
  user_transactions_failed: UserTransactionsFetchError,
} as const satisfies { readonly [Code in DocumentedErrorCode]?: typeof ApiError }
