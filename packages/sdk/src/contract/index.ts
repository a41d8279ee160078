/**
 * The wire contract of the service as data: schemas, types, limits and documented errors.
 *
 * @module @guild-ledger/sdk/contract
 */
export { limits } from './limits.ts'
export { apiKeyHeader, paths, requiredScope, type Endpoint } from './paths.ts'
export { guildQuery, platformId, userQuery, type GuildQuery, type UserQuery } from './queries.ts'
export { documentedErrors, type DocumentedError, type DocumentedErrorCode } from './documented-errors.ts'
export {
  errorBody,
  guildResponse,
  pagination,
  summary,
  userGroup,
  userResponse,
  type ErrorBody,
  type GuildResponse,
  type Pagination,
  type Summary,
  type UserGroup,
  type UserResponse,
} from './responses.ts'
export { transaction, type LedgerEntry, type Transaction } from './transaction.ts'
