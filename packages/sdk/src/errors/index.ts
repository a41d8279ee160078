/** Everything a caller can catch: one tree, distinguished by `code` or by class. */
export type { AnyGuildLedgerError } from './any.ts'
export { GuildLedgerError, withPage } from './base.ts'
export { callSite, fromCaller, fromCallerSync, leadTo, type CallSite } from './call-site.ts'
export { errorCodes, type Actor, type ApiErrorCode, type ErrorCode, type ErrorFacts } from './codes.ts'
export { detailsOf, RequestError, withDetails, type RequestDetails } from './request-error.ts'
export {
  ApiKeyError,
  clientClosed,
  ConfigurationError,
  invalidCallOption,
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
  documentedClasses,
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
