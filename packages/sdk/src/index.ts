/**
 * Typed client of the Guild Ledger Transactions Service.
 *
 * @module @guild-ledger/sdk
 */
export { GuildLedger, type GetOptions, type GuildPage, type Transactions, type UserPage } from './client.ts'
export type {
  GuildQuery,
  GuildReply,
  Issue,
  LedgerEntry,
  Pagination,
  Summary,
  Transaction,
  UserGroup,
  UserQuery,
  UserReply,
} from './contract/index.ts'
export {
  ApiError,
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
  RedirectError,
  ResponseValidationError,
  ServerError,
  ThrottleError,
  TimeoutError,
  UserTransactionsFetchError,
  WalkError,
  type ApiErrorCode,
  type ApiErrorDetails,
  type ErrorCode,
  type TimeoutPhase,
  type WalkErrorCode,
} from './errors/index.ts'
export type { GuildLedgerOptions } from './options/index.ts'
export {
  createThrottle,
  type AcquireOptions,
  type Clock,
  type Guarantee,
  type Outcome,
  type Pace,
  type Permit,
  type Priority,
  type Throttle,
  type ThrottleOptions,
  type ThrottleStats,
} from './throttle/index.ts'
export type {
  CallOptions,
  Fetch,
  Logger,
  LogLevel,
  Middleware,
  ResponseInfo,
  RetryOptions,
  StandardSchema,
  Validation,
} from './transport/index.ts'
export type { Drift, Walk, WalkOptions } from './walk/index.ts'
export type { Checkpoint, Watch, WatchOptions } from './watch/index.ts'
