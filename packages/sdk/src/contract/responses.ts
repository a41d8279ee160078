import * as z from 'zod/mini'
import { transaction } from './transaction.ts'

const count = z.int('an integer')
const string = z.string('a string')
const success = z.literal(true, 'true')

/** Schema of `Pagination`. */
export const pagination = z.object(
  {
    /** Current page. */
    page: count,
    /** Page size used. */
    limit: count,
    /** Number of matching items. Whether those are transactions or user groups on list-all is unspecified. */
    total: count,
    /** Number of pages. What it is when nothing matches is unspecified. */
    totalPages: count,
  },
  'an object',
)
/**
 * Position of a page in the result. Spec: Resources, Pagination object.
 *
 * @interface
 */
export type Pagination = z.infer<typeof pagination>

/** Schema of `Summary`. */
export const summary = z.object(
  {
    /** Number of transactions. */
    totalTransactions: count,
    /** Sum over the transactions; of which of their fields is unspecified. */
    totalValue: z.number('a number'),
    /** Number of users they belong to. */
    uniqueUsers: count,
  },
  'an object',
)
/**
 * Totals of a list-all result. What exactly they cover is unspecified. Spec: Resources, Summary object.
 *
 * @interface
 */
export type Summary = z.infer<typeof summary>

const transactions = z.array(transaction, 'an array of transactions')

/** Schema of `UserGroup`. */
export const userGroup = z.object(
  {
    /** Identifier of the user on the game platform. */
    platformId: string,
    /** The user's transactions on this page. */
    transactions,
  },
  'an object',
)
/**
 * The transactions of one user on a page. Spec: Resources, User group.
 *
 * @interface
 */
export type UserGroup = z.infer<typeof userGroup>

/** Schema of `GuildResponse`. */
export const guildResponse = z.object(
  {
    /** Always true in a success response. Spec: Endpoints. */
    success,
    /** One group for each user. The order of the groups is unspecified. */
    data: z.array(userGroup, 'an array of user groups'),
    /** Position of the page in the result. */
    pagination,
    /** Totals of the result. */
    summary,
  },
  'an object',
)
/**
 * Body of a success response of list-all: transactions grouped by user. Spec: Endpoints, 1.
 *
 * @interface
 */
export type GuildResponse = z.infer<typeof guildResponse>

/** Schema of `UserResponse`. */
export const userResponse = z.object(
  {
    /** Always true in a success response. Spec: Endpoints. */
    success,
    /** The user and their transactions. */
    data: userGroup,
    /** Position of the page in the result. */
    pagination,
  },
  'an object',
)
/**
 * Body of a success response for one user. It has no summary. Spec: Endpoints, 2.
 *
 * @interface
 */
export type UserResponse = z.infer<typeof userResponse>

/** Schema of `ErrorBody`. */
export const errorBody = z.object(
  {
    /** Always false in an error response. */
    success: z.literal(false, 'false'),
    /** What went wrong, in the service's own words. */
    message: string,
  },
  'an object',
)
/**
 * Body of every error response. Spec: Resources, Error body.
 *
 * @interface
 */
export type ErrorBody = z.infer<typeof errorBody>
