/** Everything a caller can catch: one tree, distinguished by `code` or by class. */
export { GuildLedgerError, withPage, type ApiErrorCode, type ErrorCode } from './base.ts'
export {
  ConfigurationError,
  invalidOption,
  InvalidParameterError,
  ThrottleError,
  ConnectionError,
  TimeoutError,
  type TimeoutPhase,
  RedirectError,
  ResponseValidationError,
  PaginationError,
  type PaginationErrorCode,
} from './failures.ts'
export {
  ApiError,
  BadRequestError,
  MissingGuildIdError,
  AuthenticationError,
  InvalidApiKeyError,
  PermissionDeniedError,
  NotFoundError,
  NoGuildTransactionsError,
  NoUserTransactionsError,
  RateLimitError,
  ServerError,
  GuildTransactionsFetchError,
  UserTransactionsFetchError,
  type ApiErrorDetails,
} from './api.ts'
