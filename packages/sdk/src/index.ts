/**
 * Typed client of the Guild Ledger Transactions Service.
 *
 * @module @guild-ledger/sdk
 */
export type { Issue } from '@guild-ledger/validation'
export { GuildLedger, type ClientThrottle, type GetOptions, type GuildUser } from './client.ts'
export { calendarDays, type CalendarDay, type CalendarDaysOptions } from './calendar-days.ts'
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
  type ErrorDescription,
} from './errors/index.ts'
export type { GuildPage, UserPage } from './operations/index.ts'
export type { AppInfo, GuildLedgerOptions } from './options/index.ts'
export { createThrottle, type Throttle, type ThrottleOptions } from './throttle/index.ts'
export {
  responseOf,
  type ApiKeyFunction,
  type CallOptions,
  type Fetch,
  type LogEvent,
  type LogFields,
  type Logger,
  type LogLevel,
  type Middleware,
  type QueryParameters,
  type RequestTiming,
  type RequestTrace,
  type ResponseInfo,
  type RetryOptions,
} from './transport/index.ts'
export type { GivenQuery, Transactions } from './lists.ts'
export type { Drift, IterateOptions, PaginationOptions } from './pagination/index.ts'
export type { Ended, Paginator } from './single-use.ts'
export type { Checkpoint, Filters, Watch, WatchOptions } from './watch/index.ts'
