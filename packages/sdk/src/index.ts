/**
 * Typed client of the Guild Ledger Transactions Service.
 *
 * @module @guild-ledger/sdk
 */
export type { Issue } from '@guild-ledger/validation'
export { GuildLedger } from './client.ts'
export type { GuildPage, UserPage } from './endpoints.ts'
export { sumOf } from './contract/index.ts'
export type {
  GuildQuery,
  LedgerEntry,
  Pagination,
  Summary,
  Transaction,
  UserGroup,
  UserQuery,
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
  type ErrorCode,
} from './errors/index.ts'
export type { GuildLedgerOptions } from './options/index.ts'
export { createThrottle, type Throttle, type ThrottleOptions } from './throttle/index.ts'
export {
  responseOf,
  type ApiKeyFunction,
  type CallOptions,
  type Fetch,
  type LogFields,
  type Logger,
  type LogLevel,
  type Middleware,
  type ResponseInfo,
} from './transport/index.ts'
export type { Drift, IterateOptions, PaginationOptions } from './pagination/index.ts'
export type { Paginator } from './single-use.ts'
export type { Checkpoint, Watch, WatchOptions } from './watch/index.ts'
