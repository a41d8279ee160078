import type * as api from './api.ts'
import type * as failures from './failures.ts'
import type { RequestDetails } from './request-error.ts'

/** A class that is the base of others, without them. */
type Only<E, Code> = E & {
  /** What to branch on. */
  readonly code: Code
}

/** An error of a paginator about a page that the service responded with. */
type AtPage = RequestDetails & {
  /** Number of the page. */
  readonly page: number
}

/** Every error of this package, discriminated by `code`: `switch (error.code)` narrows to the class and its fields. */
export type AnyGuildLedgerError =
  | failures.ConfigurationError
  | failures.InvalidParameterError
  | failures.ApiKeyError
  | failures.ThrottleError
  | Only<failures.PaginationError, 'paginator_consumed'>
  | (Only<failures.PaginationError, 'no_results' | 'pagination_stalled'> & AtPage)
  | Only<failures.ConnectionError, 'connection'>
  | failures.TimeoutError
  | failures.RedirectError
  | failures.ResponseValidationError
  | Only<api.ApiError, 'http_error'>
  | Only<api.BadRequestError, 'bad_request'>
  | api.MissingGuildIdError
  | Only<api.AuthenticationError, 'unauthorized'>
  | api.InvalidApiKeyError
  | api.PermissionDeniedError
  | Only<api.NotFoundError, 'not_found'>
  | api.NoGuildTransactionsError
  | api.NoUserTransactionsError
  | api.RateLimitError
  | Only<api.ServerError, 'server_error'>
  | api.GuildTransactionsFetchError
  | api.UserTransactionsFetchError
