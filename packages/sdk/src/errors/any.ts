import type * as api from './api.ts'
import { GuildLedgerError as BaseError } from './base.ts'
import type * as failures from './failures.ts'
import type { RequestDetails } from './request-error.ts'

/** A class that is the base of others, without them. */
type Only<E, Code> = E & {
  /** What to branch on. */
  readonly code: Code
}

/** A class of a status, for the codes without a class of their own. */
type Rest<E extends { readonly code: string }> = Only<E, Exclude<E['code'], keyof typeof api.documentedClasses>>

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
  | Rest<api.BadRequestError>
  | api.MissingGuildIdError
  | Rest<api.AuthenticationError>
  | api.InvalidApiKeyError
  | api.PermissionDeniedError
  | Rest<api.NotFoundError>
  | api.NoGuildTransactionsError
  | api.NoUserTransactionsError
  | api.RateLimitError
  | Rest<api.ServerError>
  | api.GuildTransactionsFetchError
  | api.UserTransactionsFetchError

/** Base class of every error this package throws. An abort by the caller rejects with `signal.reason` instead. */
export type GuildLedgerError = BaseError
/** Base class of every error this package throws. An abort by the caller rejects with `signal.reason` instead. */
export const GuildLedgerError = BaseError as {
  /** Whether `value` is an error of this package, whichever copy of the package threw it. */
  is(value: unknown): value is AnyGuildLedgerError
} & typeof BaseError
