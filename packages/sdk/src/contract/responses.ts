import * as z from 'zod/mini'
import { transaction, type Transaction } from './transaction.ts'

// Not `z.int`, which adds half a kilobyte to every bundle.
const count = z.number('an integer').check(z.refine(Number.isSafeInteger, 'an integer'))
const string = z.string('a string')
const success = z.literal(true, 'true')

export const pagination = z.object({ page: count, limit: count, total: count, totalPages: count }, 'an object')
/** Position of a page in the result. Spec: Resources, Pagination object. */
export interface Pagination {
  /** Current page, counted from 1. */
  page: number
  /** Page size used, 1 to 100. */
  limit: number
  /** Number of matching items. Whether those are transactions or user groups on list-all is unspecified. */
  total: number
  /** Number of pages. What it is when nothing matches is unspecified. */
  totalPages: number
}

export const summary = z.object(
  { totalTransactions: count, totalValue: z.number('a number'), uniqueUsers: count },
  'an object',
)
/** Totals of a list-all result. What exactly they cover is unspecified. Spec: Resources, Summary object. */
export interface Summary {
  /** Number of transactions. */
  totalTransactions: number
  /** Sum over the transactions; of which of their fields is unspecified. */
  totalValue: number
  /** Number of users they belong to. */
  uniqueUsers: number
}

const transactions = z.array(transaction, 'an array of transactions')

export const userGroup = z.object({ platformId: string, transactions }, 'an object')
/** The transactions of one user on a page. Spec: Resources, User group. */
export interface UserGroup {
  /** Identifier of the user on the game platform. */
  platformId: string
  /** The user's transactions on this page. */
  transactions: Transaction[]
}

export const guildResponse = z.object(
  {
    success,
    data: z.array(userGroup, 'an array of user groups'),
    pagination,
    summary,
  },
  'an object',
)
/** Body of a success response of list-all: transactions grouped by user. Spec: Endpoints, 1. */
export interface GuildResponse {
  /** Always true in a success response. Spec: Endpoints. */
  success: true
  /** One group for each user on this page. The order of the groups is unspecified. */
  data: UserGroup[]
  /** Position of the page in the result. */
  pagination: Pagination
  /** Totals of the result. */
  summary: Summary
}

export const userResponse = z.object({ success, data: userGroup, pagination }, 'an object')
/** Body of a success response for one user. It has no summary. Spec: Endpoints, 2. */
export interface UserResponse {
  /** Always true in a success response. Spec: Endpoints. */
  success: true
  /** The user and their transactions on this page. */
  data: UserGroup
  /** Position of the page in the result. */
  pagination: Pagination
}

export const errorBody = z.object({ success: z.literal(false, 'false'), message: string }, 'an object')
/** Body of every error response. Spec: Resources, Error body. */
export interface ErrorBody {
  /** Always false in an error response. */
  success: false
  /** What went wrong, in the service's own words. */
  message: string
}
