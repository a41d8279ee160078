import * as z from 'zod/mini'
import { transaction } from './transaction.ts'

const count = z.int('a whole number')
const string = z.string('a string')
const success = z.literal(true, 'true')

/** Where a page stands in the result. Spec: Resources, Pagination object. */
export const pagination = z.object(
  {
    /** Current page. */
    page: count,
    /** Page size used. */
    limit: count,
    /** Number of matching items. Whether those are transactions or user groups on list-all is not shown. */
    total: count,
    /** Pages there are. What it is when nothing matches is not shown. */
    totalPages: count,
  },
  'an object',
)
/**
 * Where a page stands in the result. Spec: Resources, Pagination object.
 *
 * @interface
 */
export type Pagination = z.infer<typeof pagination>

/** Figures over a list-all result. What exactly they cover is not shown. Spec: Resources, Summary object. */
export const summary = z.object(
  {
    /** Number of transactions. */
    totalTransactions: count,
    /** Sum over the transactions; of which of their fields is not shown. */
    totalValue: z.number('a number'),
    /** Number of users they belong to. */
    uniqueUsers: count,
  },
  'an object',
)
/**
 * Figures over a list-all result. What exactly they cover is not shown. Spec: Resources, Summary object.
 *
 * @interface
 */
export type Summary = z.infer<typeof summary>

const transactions = z.array(transaction, 'a list of transactions')

/** One user's transactions within a page. Spec: Resources, User group. */
export const userGroup = z.object(
  {
    /** Identifier of the user on the game platform. */
    platformId: string,
    /** Those of the user's transactions that stand on the page. */
    transactions,
  },
  'an object',
)
/**
 * One user's transactions within a page. Spec: Resources, User group.
 *
 * @interface
 */
export type UserGroup = z.infer<typeof userGroup>

/** Body of a 200 reply of list-all: transactions grouped by user; the order of groups is not shown. Spec: Endpoints, 1. */
export const guildReply = z.object(
  {
    /** Always true in a 200 reply. Spec: Endpoints. */
    success,
    /** A group for each user. */
    data: z.array(userGroup, 'a list of user groups'),
    /** Where the page stands in the result. */
    pagination,
    /** Figures over the result. */
    summary,
  },
  'an object',
)
/**
 * Body of a 200 reply of list-all. Spec: Endpoints, 1.
 *
 * @interface
 */
export type GuildReply = z.infer<typeof guildReply>

/** Body of a 200 reply for one user. It has no summary. Spec: Endpoints, 2. */
export const userReply = z.object(
  {
    /** Always true in a 200 reply. Spec: Endpoints. */
    success,
    /** The user and their transactions. */
    data: userGroup,
    /** Where the page stands in the result. */
    pagination,
  },
  'an object',
)
/**
 * Body of a 200 reply for one user. It has no summary. Spec: Endpoints, 2.
 *
 * @interface
 */
export type UserReply = z.infer<typeof userReply>

/** Body of every error reply. Spec: Resources, Error body. */
export const errorBody = z.object(
  {
    /** Always false in an error reply. */
    success: z.literal(false, 'false'),
    /** What went wrong, in the service's words. */
    message: string,
  },
  'an object',
)
/**
 * Body of every error reply. Spec: Resources, Error body.
 *
 * @interface
 */
export type ErrorBody = z.infer<typeof errorBody>
