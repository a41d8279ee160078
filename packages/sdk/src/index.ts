/**
 * Typed client of the Guild Ledger Transactions Service.
 *
 * @module @guild-ledger/sdk
 */
export type { Issue } from '@guild-ledger/validation'
export {
  GuildLedger,
  type GetOptions,
  type GuildPage,
  type GuildUser,
  type Transactions,
  type UserPage,
} from './client.ts'
export type {
  GuildQuery,
  GuildResponse,
  LedgerEntry,
  Pagination,
  Summary,
  Transaction,
  UserGroup,
  UserQuery,
  UserResponse,
} from './contract/index.ts'
export {
  ApiError,
  ApiKeyError,
  AuthenticationError,
  BadRequestError,
  ConfigurationError,
  ConnectionError,
  GuildLedgerError,
  GuildTransactionsFetchError,
  InvalidApiKeyError,
  InvalidParameterError,
  MissingGuildIdError,
  NoGuildTransactionsError,
  NotFoundError,
  NoUserTransactionsError,
  PermissionDeniedError,
  RateLimitError,
  RequestError,
  type RequestDetails,
  RedirectError,
  ResponseValidationError,
  ServerError,
  ThrottleError,
  TimeoutError,
  UserTransactionsFetchError,
  PaginationError,
  errorCodes,
  type Actor,
  type AnyGuildLedgerError,
  type ApiErrorCode,
  type ApiErrorDetails,
  type ErrorCode,
  type ErrorFacts,
  type TimeoutPhase,
  type PaginationErrorCode,
} from './errors/index.ts'
export type { AppInfo, GuildLedgerOptions } from './options/index.ts'
export {
  createThrottle,
  type AcquireOptions,
  type Clock,
  type Guarantee,
  type Outcome,
  type Pace,
  type PaceChange,
  type Permit,
  type Priority,
  type Throttle,
  type ThrottleOptions,
  type ThrottleStats,
} from './throttle/index.ts'
export {
  responseOf,
  type ApiKeyFunction,
  type CallOptions,
  type Fetch,
  type FetchInit,
  type FetchResponse,
  type LogFields,
  type Logger,
  type LogLevel,
  type Middleware,
  type ResponseInfo,
  type RetryOptions,
  type StandardSchema,
  type Validation,
} from './transport/index.ts'
export type { Drift, IterateOptions, Paginator, PaginationOptions } from './pagination/index.ts'
export type { Checkpoint, Watch, WatchOptions } from './watch/index.ts'
