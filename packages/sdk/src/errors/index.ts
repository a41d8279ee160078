/** Everything a caller can catch: one tree, told apart by `code` or by class. */
export { GuildLedgerError, type ApiErrorCode, type ErrorCode } from './base.ts'
export {
  ConfigurationError,
  InvalidParameterError,
  ThrottleError,
  ConnectionError,
  TimeoutError,
  type TimeoutPhase,
  RedirectError,
  ResponseValidationError,
  WalkError,
  type WalkErrorCode,
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
