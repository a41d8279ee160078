/** Typed client of the Guild Ledger Transactions Service. */
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
  type ApiErrorCode,
  type ApiErrorDetails,
  type ErrorCode,
} from './errors/index.ts'
export type { GuildLedgerOptions } from './options/index.ts'
export type { AcquireOptions, Outcome, Permit, Priority, Throttle, ThrottleStats } from './throttle/index.ts'
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
export type { WalkOptions } from './walk/index.ts'
