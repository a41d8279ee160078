import { GuildLedgerError, type ApiErrorCode } from './base.ts'

/** What an `ApiError` tells about the reply behind it. */
export interface ApiErrorDetails {
  /** What to branch on. */
  readonly code: ApiErrorCode
  /** HTTP status. Spec: Errors. */
  readonly status: number
  /** The service's own words; undefined where the reply had no readable error body. */
  readonly reason: string | undefined
  /** Method and path, such as `GET /guild/ledger/transactions`. */
  readonly endpoint: string
  /** Headers of the reply. */
  readonly headers: Headers
  /** The body as it came: parsed JSON, else text. */
  readonly body: unknown
  /** Attempts made, the first one counted. */
  readonly attempts: number
  /** Milliseconds the service asked to wait (`Retry-After`); undefined if it did not. */
  readonly retryAfterMs: number | undefined
}

/** The service refused the request. Spec: Errors. */
export class ApiError extends GuildLedgerError implements ApiErrorDetails {
  override readonly name: string = 'ApiError'
  declare readonly code: ApiErrorCode
  declare readonly status: number
  declare readonly reason: string | undefined
  declare readonly endpoint: string
  declare readonly attempts: number
  declare readonly retryAfterMs: number | undefined
  declare readonly headers: Headers
  declare readonly body: unknown

  /** @param details What the reply tells. */
  constructor(message: string, { headers, body, ...details }: ApiErrorDetails) {
    super(message)
    Object.assign(this, details)
    Object.defineProperties(this, { headers: { value: headers }, body: { value: body } })
  }
}
/** Status 400. Which malformed parameters the service answers this way is not shown. Spec: Errors. */
export class BadRequestError extends ApiError {
  override readonly name: string = 'BadRequestError'
}
/** The key is bound to no guild: `No guild ID provided`. Spec: Errors. */
export class MissingGuildIdError extends BadRequestError {
  override readonly name = 'MissingGuildIdError'
}
/** Status 401. Spec: Errors. */
export class AuthenticationError extends ApiError {
  override readonly name: string = 'AuthenticationError'
}
/** The key is unknown to the service: mistyped, deleted or perhaps expired. Spec: Errors. */
export class InvalidApiKeyError extends AuthenticationError {
  override readonly name = 'InvalidApiKeyError'
}
/** Status 403: perhaps a key without the scope `guild:read`; what the service answers then is not shown. Spec: Errors. */
export class PermissionDeniedError extends ApiError {
  override readonly name = 'PermissionDeniedError'
}
/** Status 404. Spec: Errors. */
export class NotFoundError extends ApiError {
  override readonly name: string = 'NotFoundError'
}
/** List-all found nothing. Whether filters count is not shown. Spec: Errors. */
export class NoGuildTransactionsError extends NotFoundError {
  override readonly name = 'NoGuildTransactionsError'
}
/** The user has no transactions. Whether filters count is not shown. Spec: Errors. */
export class NoUserTransactionsError extends NotFoundError {
  override readonly name = 'NoUserTransactionsError'
}
/** Status 429. What the service answers above its rate limit is not shown. Spec: Limits. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError'
}
/** Status 500 or above. Spec: Errors. */
export class ServerError extends ApiError {
  override readonly name: string = 'ServerError'
}
/** The service failed inside while listing all transactions. Spec: Errors. */
export class GuildTransactionsFetchError extends ServerError {
  override readonly name = 'GuildTransactionsFetchError'
}
/** The service failed inside while listing one user's transactions. Spec: Errors. */
export class UserTransactionsFetchError extends ServerError {
  override readonly name = 'UserTransactionsFetchError'
}
