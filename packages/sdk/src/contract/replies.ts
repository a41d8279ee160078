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
    totalPages: count,
  },
  'an object',
)
export type Pagination = z.infer<typeof pagination>

/** Figures over a list-all result. What exactly they cover is not shown. Spec: Resources, Summary object. */
export const summary = z.object(
  {
    totalTransactions: count,
    totalValue: z.number('a number'),
    uniqueUsers: count,
  },
  'an object',
)
export type Summary = z.infer<typeof summary>

const transactions = z.array(transaction, 'a list of transactions')

/** One user's transactions within a page. Spec: Resources, User group. */
export const userGroup = z.object(
  {
    /** Identifier of the user on the game platform. */
    platformId: string,
    transactions,
  },
  'an object',
)
export type UserGroup = z.infer<typeof userGroup>

/** Body of a 200 reply of list-all: transactions grouped by user; the order of groups is not shown. Spec: Endpoints, 1. */
export const guildReply = z.object(
  {
    success,
    data: z.array(userGroup, 'a list of user groups'),
    pagination,
    summary,
  },
  'an object',
)
export type GuildReply = z.infer<typeof guildReply>

/** Body of a 200 reply for one user. It has no summary. Spec: Endpoints, 2. */
export const userReply = z.object(
  {
    success,
    data: userGroup,
    pagination,
  },
  'an object',
)
export type UserReply = z.infer<typeof userReply>

/** Body of every error reply. Spec: Resources, Error body. */
export const errorBody = z.object(
  {
    success: z.literal(false, 'false'),
    message: string,
  },
  'an object',
)
export type ErrorBody = z.infer<typeof errorBody>
