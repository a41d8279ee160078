/**
 * The wire contract of the service as data: schemas, types, limits and documented errors.
 *
 * @module @guild-ledger/sdk/contract
 */
import * as queries from './queries.ts'
import * as rows from './operations.ts'
import type { OperationFacts } from './operations.ts'
import type { Endpoint } from './paths.ts'
import * as responses from './responses.ts'
import type { StandardSchema } from './standard-schema.ts'
import * as transactions from './transaction.ts'

export { limits } from './limits.ts'
export { apiKeyHeader, paths, requiredScope, type Endpoint } from './paths.ts'
export {
  documentedErrors,
  type Actor,
  type DocumentedError,
  type DocumentedErrorCode,
  type ErrorFacts,
} from './documented-errors.ts'
export { endpoints, type OperationFacts } from './operations.ts'
export { parameters, type GuildQuery, type Parameter, type UserQuery } from './queries.ts'
export type { ErrorBody, GuildResponse, Pagination, Summary, UserGroup, UserResponse } from './responses.ts'
export type { StandardSchema } from './standard-schema.ts'
export { sumOf } from './sum.ts'
export type { LedgerEntry, Transaction } from './transaction.ts'

// Typed so that a major version of zod is none of this package.
/** A row for each documented operation. Spec: Endpoints, Errors. */
export const operations: Readonly<Record<Endpoint, OperationFacts>> = rows.operations
/** Schema of the identifier of a user on the game platform. Its format is unspecified. Spec: What the service does. */
export const platformId: StandardSchema<string> = queries.platformId
/** Schema of `GuildQuery`. */
export const guildQuery: StandardSchema<queries.GuildQuery> = queries.guildQuery
/** Schema of `UserQuery`. */
export const userQuery: StandardSchema<queries.UserQuery> = queries.userQuery
/** Schema of `Transaction`. */
export const transaction: StandardSchema<transactions.Transaction> = transactions.transaction
/** Schema of `Pagination`. */
export const pagination: StandardSchema<responses.Pagination> = responses.pagination
/** Schema of `Summary`. */
export const summary: StandardSchema<responses.Summary> = responses.summary
/** Schema of `UserGroup`. */
export const userGroup: StandardSchema<responses.UserGroup> = responses.userGroup
/** Schema of `GuildResponse`. */
export const guildResponse: StandardSchema<responses.GuildResponse> = responses.guildResponse
/** Schema of `UserResponse`. */
export const userResponse: StandardSchema<responses.UserResponse> = responses.userResponse
/** Schema of `ErrorBody`. */
export const errorBody: StandardSchema<responses.ErrorBody> = responses.errorBody
