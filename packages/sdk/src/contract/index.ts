/**
 * The wire contract of the service as data: schemas, types, limits and documented refusals.
 *
 * @module @guild-ledger/sdk/contract
 */
export { checkerOf, type Checker } from './checker.ts'
export { inWords, isObject, issuesOf, sentence, strange, type Issue } from './issues.ts'
export { limits } from './limits.ts'
export { nearest } from './nearest.ts'
export { apiKeyHeader, paths, requiredScope, type Endpoint } from './paths.ts'
export { guildQuery, isDate, platformId, userQuery, type GuildQuery, type UserQuery } from './queries.ts'
export { refusals, type Refusal, type RefusalCode } from './refusals.ts'
export {
  errorBody,
  guildReply,
  pagination,
  summary,
  userGroup,
  userReply,
  type ErrorBody,
  type GuildReply,
  type Pagination,
  type Summary,
  type UserGroup,
  type UserReply,
} from './replies.ts'
export { transaction, type LedgerEntry, type Transaction } from './transaction.ts'
